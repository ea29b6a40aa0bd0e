/** Word errors, processor time and cue starts of speech engines, on synthesised speech and on a recording. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commentaries } from '@vds/testkit/media/commentaries';
import { commentary, speakTrack, type SpokenTrack } from '@vds/testkit/media/commentary';
import { ffmpeg } from '@vds/testkit/media/render';
import { voiceOf } from '@vds/testkit/media/speak';
import { buildSpokenCues } from '@vds/captions/domain/layout/build-cues';
import { alignWords } from '@vds/captions/domain/speech/align-words';
import { envelopeOf } from '@vds/captions/domain/speech/envelope';
import { sentencesOf } from '@vds/captions/domain/speech/sentences';
import type { SpeechEngine } from '@vds/captions/outbound/engines/speech-engine';
import { readSamples } from '@vds/captions/outbound/engines/wav';
import { keptRules } from './cue-rules.ts';
import { childSeconds } from './processor-time.ts';
import { plainCharacters, plainWords, wordErrors } from './word-errors.ts';

const JFK = {
  file: 'jfk-speech-11s.flac',
  text: 'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.',
  startMs: 300,
};
const RATE = 16_000;
const NEAR_MS = 150;

const never = new AbortController().signal;

type Track = SpokenTrack & { readonly label: string; readonly language: string };

/** English and other languages, synthesised, and a recording; of what is missing the reason. */
export async function speechTracks(folder: string): Promise<(Track | string)[]> {
  const english = await speakTrack(commentary, join(folder, 'en.wav'));
  const tracks: (Track | string)[] = [{ ...english, label: 'en (flite)', language: 'en' }, await recording(folder)];
  for (const [language, lines] of Object.entries(commentaries)) {
    const voice = voiceOf(language);
    if (voice === null) {
      tracks.push(`${language}: no voice is installed`);
      continue;
    }
    const said = lines.map(({ text, say = text }) => say);
    const spoken = await speakTrack(said, join(folder, `${language}.wav`), language);
    const sentences = spoken.sentences.map((sentence, index) => ({ ...sentence, text: lines[index]?.text ?? '' }));
    tracks.push({ ...spoken, sentences, label: `${language} (${voice})`, language });
  }
  return tracks;
}

async function recording(folder: string): Promise<Track | string> {
  const path = join(process.env['VDS_MEDIA_DIR'] ?? '', JFK.file);
  if (!existsSync(path)) return `${JFK.file}: VDS_MEDIA_DIR does not have it`;
  const wav = join(folder, 'recorded.wav');
  await ffmpeg(['-i', path, '-ar', String(RATE), '-ac', '1', wav]);
  const durationMs = Math.round(((await readSamples(wav)).length / (2 * RATE)) * 1_000);
  const sentences = [{ text: JFK.text, startMs: JFK.startMs, endMs: durationMs }];
  return { label: JFK.file, language: 'en', path: wav, durationMs, sentences };
}

/** A report line for each track. */
export async function benchSpeech(engine: SpeechEngine, tracks: readonly (Track | string)[]): Promise<string[]> {
  const languages = new Set(await engine.languages());
  const lines: string[] = [];
  for (const track of tracks) {
    if (typeof track === 'string') lines.push(`${`${engine.name}, ${track}`.padEnd(36)}  skipped`);
    else if (!languages.has(track.language))
      lines.push(`${`${engine.name}, ${track.label}`.padEnd(36)}  skipped: the engine lacks the language`);
    else lines.push(await benchTrack(engine, track));
  }
  return lines;
}

async function benchTrack(engine: SpeechEngine, track: Track): Promise<string> {
  const { path: wavPath, language, durationMs } = track;
  const [from, before] = [performance.now(), await childSeconds()];
  const found = await engine.transcribe({ wavPath, language, durationMs, offsetMs: 0 }, never, () => undefined);
  const [processor, wall] = [(await childSeconds()) - before, (performance.now() - from) / 1_000];
  const levels = envelopeOf(samplesOf(await readSamples(wavPath)), RATE);
  const words = alignWords(found, { levels, offsetMs: 0 });
  const { sentences, cues } = buildSpokenCues(sentencesOf(words, language), language, durationMs);
  const label = `${engine.name}, ${track.label}`.padEnd(36);
  const aMinute = (seconds: number): string => ((seconds * 60_000) / durationMs).toFixed(1);
  const starts = sentences.flatMap(({ cues }) => cues[0]?.startMs ?? []);
  return `${label}  ${errorsOf(
    sentences.map(({ text }) => text),
    track,
  )}; ${aMinute(processor)} s of processor (${aMinute(wall)} s) a minute; cue starts ${timing(starts, track)}; cues: ${keptRules(cues)}`;
}

function samplesOf(bytes: Buffer): Int16Array {
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - (bytes.length % 2)));
}

function errorsOf(recognized: readonly string[], { language, sentences }: Track): string {
  const [unit, plain] = language === 'ja' ? (['character', plainCharacters] as const) : (['word', plainWords] as const);
  const spoken = plain(sentences.map(({ text }) => text).join(' '));
  const errors = wordErrors(spoken, plain(recognized.join(' ')));
  return `${unit} errors ${percent(errors, spoken.length)} (${errors} of ${spoken.length})`;
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

function timing(starts: readonly number[], { sentences }: SpokenTrack): string {
  const offsets = starts.map((start) => Math.min(...sentences.map(({ startMs }) => Math.abs(start - startMs))));
  const near = offsets.filter((ms) => ms <= NEAR_MS).length;
  const shown = sentences.filter(({ startMs, endMs }) => starts.some((at) => at > startMs - 500 && at < endMs)).length;
  const ordered = offsets.toSorted((one, other) => one - other);
  const middle = ordered[offsets.length >> 1] ?? 0;
  return `${percent(near, starts.length)} of ${starts.length} within ${NEAR_MS} ms (goal 90 %), median ${Math.round(middle)} ms, worst ${Math.round(ordered.at(-1) ?? 0)} ms; ${shown} of ${sentences.length} sentences have one`;
}
