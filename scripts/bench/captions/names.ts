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

/** How often each name is spoken, in as many sentences. */
const ROUNDS = 2;

export type NamesTrack = {
  readonly language: string;
  readonly voice: string;
  readonly names: readonly string[];
  /** Each with all of the names, in other sentences. */
  readonly rounds: readonly SpokenTrack[];
};

type Found = {
  minutes: number;
  names: number;
  right: number;
  errors: number;
  words: number;
  seconds: number;
  strangers: string[];
};

/** A track for each language that a voice speaks here. */
export async function namesTracks(folder: string): Promise<(NamesTrack | string)[]> {
  const tracks: (NamesTrack | string)[] = [];
  for (const [language, { names, sentences }] of Object.entries(spokenNames)) {
    const voice = voiceOf(language);
    if (voice === null) {
      tracks.push(`${language}: no voice is installed`);
      continue;
    }
    const rounds: SpokenTrack[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = (index: number): string => sentences[(index + round) % sentences.length] ?? '';
      const texts = names.map((name, index) => at(index).replace('*', name));
      rounds.push(await speakTrack(texts, join(folder, `names-${language}-${round}.wav`), language));
    }
    tracks.push({ language, voice, names, rounds });
  }
  return tracks;
}

/** A line for each language, and one for all of them. */
export async function benchNames(engine: SpeechEngine, tracks: readonly (NamesTrack | string)[]): Promise<string[]> {
  const lines: string[] = [];
  const all = { before: none(), after: none(), strange: none() };
  for (const track of tracks) {
    if (typeof track === 'string') {
      lines.push(`${track}  skipped`);
      continue;
    }
    const { language, voice } = track;
    const found = await step(`names: ${language}`, () => measureTrack(engine, track));
    for (const key of ['before', 'after', 'strange'] as const) add(all[key], found[key]);
    lines.push(report(`${engine.name}, ${language} (${voice})`, found));
  }
  return [...lines, report(`${engine.name}, all`, all)];
}

async function measureTrack(engine: SpeechEngine, { language, names, rounds }: NamesTrack): Promise<Report> {
  const found = { before: none(), after: none(), strange: none() };
  for (const spoken of rounds) {
    const round = { ...spoken, language, names };
    const before = await measure(engine, round, []);
    const strange = await measure(engine, round, strangers);
    add(found.before, before);
    add(found.after, await measure(engine, round, names));
    // Strangers are those that the list brings: some forenames sound like what was said.
    add(found.strange, { ...strange, strangers: strange.strangers.filter((name) => !before.strangers.includes(name)) });
  }
  return found;
}

function none(): Found {
  return { minutes: 0, names: 0, right: 0, errors: 0, words: 0, seconds: 0, strangers: [] };
}

function add(sum: Found, one: Found): void {
  sum.minutes += one.minutes;
  sum.names += one.names;
  sum.right += one.right;
  sum.errors += one.errors;
  sum.words += one.words;
  sum.seconds += one.seconds;
  sum.strangers.push(...one.strangers);
}

type Round = SpokenTrack & Pick<NamesTrack, 'language' | 'names'>;

async function measure(engine: SpeechEngine, track: Round, list: readonly string[]): Promise<Found> {
  const { path: wavPath, language, durationMs, names } = track;
  const before = await childSeconds();
  const heard = await engine.transcribe(
    { wavPath, language, durationMs, offsetMs: 0, names: list },
    new AbortController().signal,
    () => undefined,
  );
  const seconds = (await childSeconds()) - before;
  const words = spokenWords(spellNames(heard, list));
  const found = { ...none(), seconds, minutes: durationMs / 60_000, names: names.length };
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

type Report = Record<'before' | 'after' | 'strange', Found>;

function report(label: string, { before, after, strange }: Report): string {
  const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  const each = (name: string, { minutes, names, right, errors, words, seconds }: Found): string =>
    `${name} ${share(right, names)} right, ${share(errors, words)} other word errors, ${(seconds / minutes).toFixed(1)} s a minute`;
  return (
    `${label.padEnd(24)}  ${before.names} names in ${before.minutes.toFixed(1)} min: ${each('without a list', before)}; ` +
    `${each('with it', after)}; ${each('with a list of strangers', strange)}, strangers heard: ${strange.strangers.join(' ') || 'none'}`
  );
}
