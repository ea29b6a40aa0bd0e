/** Names in spoken sentences: how many are spelt right without and with the partner's list, and whether strangers appear. */
import { join } from 'node:path';
import { speakTrack, type SpokenTrack } from '@vds/testkit/media/commentary';
import { voiceOf } from '@vds/testkit/media/speak';
import { step } from '@vds/testkit/servers/progress';
import { spellNames } from '@vds/captions/domain/names/spell-names';
import { spokenWords } from '@vds/captions/domain/speech/low-confidence';
import type { Word } from '@vds/captions/domain/words';
import type { SpeechEngine } from '@vds/captions/outbound/engines/speech-engine';
import { childSeconds } from './processor-time.ts';
import { errorsBeside, plainWords } from './word-errors.ts';
import { spokenNames, strangers } from './spoken-names.ts';

const NEAR_MS = 400;

export type NamesTrack = SpokenTrack & {
  readonly language: string;
  readonly voice: string;
  readonly names: readonly string[];
};

type Found = { right: number; errors: number; words: number; seconds: number; strangers: string[] };

/** A track for each language that a voice speaks here. */
export async function namesTracks(folder: string): Promise<(NamesTrack | string)[]> {
  const tracks: (NamesTrack | string)[] = [];
  for (const [language, { names, sentences }] of Object.entries(spokenNames)) {
    const voice = voiceOf(language);
    const texts = names.map((name, index) => (sentences[index % sentences.length] ?? '').replace('*', name));
    tracks.push(
      voice === null
        ? `${language}: no voice is installed`
        : { ...(await speakTrack(texts, join(folder, `names-${language}.wav`), language)), language, voice, names },
    );
  }
  return tracks;
}

/** A line for each language, and one for all of them. */
export async function benchNames(engine: SpeechEngine, tracks: readonly (NamesTrack | string)[]): Promise<string[]> {
  const lines: string[] = [];
  const all = { minutes: 0, names: 0, before: none(), after: none(), strange: none() };
  for (const track of tracks) {
    if (typeof track === 'string') {
      lines.push(`${track}  skipped`);
      continue;
    }
    const { language, voice, names, durationMs } = track;
    const found = await step(`names: ${language}`, async () => ({
      before: await measure(engine, track, []),
      after: await measure(engine, track, names),
      strange: await measure(engine, track, strangers),
    }));
    all.minutes += durationMs / 60_000;
    all.names += names.length;
    for (const key of ['before', 'after', 'strange'] as const) add(all[key], found[key]);
    lines.push(
      report(`${engine.name}, ${language} (${voice})`, { minutes: durationMs / 60_000, names: names.length, ...found }),
    );
  }
  return [...lines, report(`${engine.name}, all`, all)];
}

function none(): Found {
  return { right: 0, errors: 0, words: 0, seconds: 0, strangers: [] };
}

function add(sum: Found, one: Found): void {
  sum.right += one.right;
  sum.errors += one.errors;
  sum.words += one.words;
  sum.seconds += one.seconds;
  sum.strangers.push(...one.strangers);
}

async function measure(engine: SpeechEngine, track: NamesTrack, list: readonly string[]): Promise<Found> {
  const { path: wavPath, language, durationMs, names } = track;
  const before = await childSeconds();
  const heard = await engine.transcribe(
    { wavPath, language, durationMs, offsetMs: 0, names: list },
    new AbortController().signal,
    () => undefined,
  );
  const seconds = (await childSeconds()) - before;
  const words = spokenWords(spellNames(heard, list));
  const found = { ...none(), seconds };
  for (const [index, { text, startMs, endMs }] of track.sentences.entries()) {
    const name = names[index] ?? '';
    const said = textOf(words.filter((word) => middle(word) > startMs - NEAR_MS && middle(word) < endMs + NEAR_MS));
    if (said.includes(name)) found.right += 1;
    const spoken = plainWords(text);
    found.errors += errorsBeside(spoken, plainWords(said), plainWords(name));
    found.words += spoken.length - plainWords(name).length;
  }
  const everything = ` ${plainWords(textOf(words)).join(' ')} `;
  const parts = strangers.flatMap((name) => name.split(' ')).map((part) => part.toLowerCase());
  found.strangers.push(...parts.filter((part) => everything.includes(` ${part} `)));
  return found;
}

function middle({ startMs, endMs }: Word): number {
  return (startMs + endMs) / 2;
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

type Report = { minutes: number; names: number } & Record<'before' | 'after' | 'strange', Found>;

function report(label: string, { minutes, names, before, after, strange }: Report): string {
  const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  const each = (name: string, { right, errors, words, seconds }: Found): string =>
    `${name} ${share(right, names)} right, ${share(errors, words)} other word errors, ${(seconds / minutes).toFixed(1)} s a minute`;
  return (
    `${label.padEnd(24)}  ${names} names in ${minutes.toFixed(1)} min: ${each('without a list', before)}; ` +
    `${each('with it', after)}; ${each('with a list of strangers', strange)}, strangers heard: ${strange.strangers.join(' ') || 'none'}`
  );
}
