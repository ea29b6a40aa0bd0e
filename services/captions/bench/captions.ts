/** Accuracy and speed of the engines' transcription and translation, and how close cues are to the speech. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSpokenCues } from '../src/domain/layout/build-cues.ts';
import { defaultTargets, targetsFor } from '../src/domain/plan-tracks.ts';
import { findRoutes } from '../src/domain/routes.ts';
import { sentencesOf } from '../src/domain/speech/sentences.ts';
import type { SpeechEngine } from '../src/outbound/engines/speech-engine.ts';
import type { TranslationEngine } from '../src/outbound/engines/translation-engine.ts';
import { commentary, speakTrack, type SpokenTrack } from '@vds/testkit/media/commentary';
import { ffmpeg } from '@vds/testkit/media/render';
import { step } from '@vds/testkit/servers/progress';
import { speechEngines, translationEngines, type Opened } from './engines.ts';
import { plainWords, wordErrors } from './word-errors.ts';

const JFK = {
  file: 'jfk-speech-11s.flac',
  text: 'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.',
  durationMs: 11_000,
};
const NEAR_MS = 300;
const WORDS = 1_000;

const never = new AbortController().signal;

type Speech = SpokenTrack & { readonly label: string };

export async function benchCaptions(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-bench-captions-'));
  try {
    const { made, recorded } = await step(`speech: ${commentary.length} sentences`, () => tracks(folder));
    const engines = await speechEngines();
    const lines = await benchEach(engines, 'transcribing', async (engine) => [
      ...(await benchSpeech(engine, made)),
      ...(recorded
        ? await benchSpeech(engine, recorded)
        : [`${JFK.file.padEnd(36)}  skipped: VDS_MEDIA_DIR is not set`]),
    ]);
    lines.push(
      ...(await benchEach(await translationEngines(folder), 'translating', (engine) =>
        benchTranslation(
          engine,
          engine.name === 'libretranslate' ? defaultTargets.libretranslate : defaultTargets.apertium,
        ),
      )),
    );
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The synthesised track, and the recording if VDS_MEDIA_DIR holds it. */
async function tracks(folder: string): Promise<{ readonly made: Speech; readonly recorded: Speech | undefined }> {
  const made = await speakTrack(commentary, join(folder, 'commentary.wav'));
  const media = process.env['VDS_MEDIA_DIR'];
  if (media === undefined) return { made: { ...made, label: 'synthesised' }, recorded: undefined };
  const path = join(folder, 'recorded.wav');
  await ffmpeg(['-i', join(media, JFK.file), '-ar', '16000', '-ac', '1', path]);
  const durationMs = Math.round(((await stat(path)).size - 44) / 32);
  const sentences = [{ text: JFK.text, startMs: 0, endMs: durationMs }];
  return { made: { ...made, label: 'synthesised' }, recorded: { label: JFK.file, path, durationMs, sentences } };
}

async function benchEach<E>(
  opened: readonly Opened<E>[],
  what: string,
  measure: (engine: E) => Promise<string[]>,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, engine } of opened) {
    if (typeof engine === 'string') lines.push(`${name.padEnd(36)}  skipped: ${engine}`);
    else lines.push(...(await step(`${what}: ${name}`, () => measure(engine))));
  }
  return lines;
}

/** Report lines for one engine on one track. */
async function benchSpeech(engine: SpeechEngine, speech: Speech): Promise<string[]> {
  const from = performance.now();
  const input = { wavPath: speech.path, language: 'en', durationMs: speech.durationMs, offsetMs: 0 };
  const words = await engine.transcribe(input, never, () => undefined);
  const seconds = (performance.now() - from) / 1_000;
  const { sentences } = buildSpokenCues(sentencesOf(words, 'en'), 'en', speech.durationMs);
  const spoken = plainWords(speech.sentences.map(({ text }) => text).join(' '));
  const recognized = plainWords(sentences.map(({ text }) => text).join(' '));
  const errors = wordErrors(spoken, recognized);
  const starts = sentences.flatMap(({ cues }) => cues[0]?.startMs ?? []);
  const label = `${engine.name}, ${speech.label}`.padEnd(36);
  return [
    `${label}  word errors ${percent(errors, spoken.length)} (${errors} of ${spoken.length}); ${((seconds * 60_000) / speech.durationMs).toFixed(1)} s a minute`,
    ...(speech.sentences.length > 1 ? [`${''.padEnd(36)}  cue starts ${timing(starts, speech)}`] : []),
  ];
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

function timing(starts: readonly number[], { sentences }: SpokenTrack): string {
  const offsets = starts.map((start) => Math.min(...sentences.map(({ startMs }) => Math.abs(start - startMs))));
  const near = offsets.filter((ms) => ms <= NEAR_MS).length;
  const shown = sentences.filter(({ startMs, endMs }) => starts.some((at) => at > startMs - 500 && at < endMs)).length;
  const middle = offsets.toSorted((one, other) => one - other)[offsets.length >> 1] ?? 0;
  return `${percent(near, starts.length)} of ${starts.length} within ${NEAR_MS} ms (goal 90 %), median ${Math.round(middle)} ms; ${shown} of ${sentences.length} sentences have one`;
}

async function benchTranslation(engine: TranslationEngine, targets: readonly string[]): Promise<string[]> {
  const routes = findRoutes(await engine.pairs());
  const sentences = thousandWords();
  const each: string[] = [];
  let total = 0;
  const configured = targetsFor('en', targets);
  for (const target of configured) {
    const path = routes('en', target);
    if (path === undefined) continue;
    const from = performance.now();
    await engine.translate(sentences, path, never);
    const seconds = (performance.now() - from) / 1_000;
    total += seconds;
    each.push(`${target} ${seconds.toFixed(1)}`);
  }
  const label = `${engine.name}, ${WORDS} words`.padEnd(36);
  return [
    `${label}  ${total.toFixed(1)} s for ${each.length} of ${configured.length} languages, one after the other: ${each.join(', ')}`,
  ];
}

/** A thousand words of commentary, sentence by sentence. */
function thousandWords(): string[] {
  const out: string[] = [];
  for (let words = 0, index = 0; words < WORDS; index += 1) {
    const sentence = commentary[index % commentary.length] ?? '';
    out.push(sentence);
    words += plainWords(sentence).length;
  }
  return out;
}
