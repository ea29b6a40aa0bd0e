/**
 * track.json: the sentences of one track with their times, for whoever reads text rather than cues. The spoken track's
 * is the transcript as well. Version 1:
 * `{"version": 1, "video_id", "language", "kind", "sentences": [{"start_ms", "end_ms", "text", "cues"}]}`;
 * `cues` are the [start_ms, end_ms] of the sentence's cues, over which a translation is laid.
 */
import { AppError } from '@vds/chassis/errors';
import type { TrackKind } from './track.ts';
import type { Sentence, Span } from './words.ts';

/** A sentence and the times of its cues, in order. */
export type LaidSentence = Sentence & {
  readonly cues: readonly Span[];
};

export type TrackDocument = {
  readonly videoId: string;
  readonly language: string;
  readonly kind: TrackKind;
  readonly sentences: readonly LaidSentence[];
};

/** The document as JSON text. */
export function writeTrackDocument({ videoId, language, kind, sentences }: TrackDocument): string {
  return JSON.stringify({
    version: 1,
    video_id: videoId,
    language,
    kind,
    sentences: sentences.map(({ startMs, endMs, text, cues }) => ({
      start_ms: startMs,
      end_ms: endMs,
      text,
      cues: cues.map((cue) => [cue.startMs, cue.endMs]),
    })),
  });
}

/** Reads a stored document; INVALID_ARGUMENT where it is anything else. */
export function readTrackDocument(text: string): TrackDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('INVALID_ARGUMENT', 'not a track document of version 1: no JSON', { cause });
  }
  const document = object(value, 'the document');
  if (document['version'] !== 1) refuse('another version');
  const kind = document['kind'];
  return {
    videoId: string(document['video_id'], 'video_id'),
    language: string(document['language'], 'language'),
    kind: kind === 'captions' || kind === 'subtitles' ? kind : refuse('an unknown kind'),
    sentences: list(document['sentences'], 'sentences').map(sentenceIn),
  };
}

function object(value: unknown, what: string): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : refuse(`${what} is no object`);
}

function refuse(what: string): never {
  throw new AppError('INVALID_ARGUMENT', `not a track document of version 1: ${what}`);
}

function string(value: unknown, what: string): string {
  return typeof value === 'string' ? value : refuse(`${what} is no text`);
}

function list(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : refuse(`${what} is no list`);
}

function sentenceIn(value: unknown): LaidSentence {
  const row = object(value, 'a sentence');
  const cues = row['cues'] === undefined ? [] : list(row['cues'], 'cues');
  return {
    ...span(row['start_ms'], row['end_ms'], 'a sentence'),
    text: string(row['text'], 'a sentence'),
    cues: cues.map((cue) => {
      const [start, end] = list(cue, 'a cue');
      return span(start, end, 'a cue');
    }),
  };
}

function span(start: unknown, end: unknown, what: string): Span {
  const [startMs, endMs] = [time(start, `${what}'s start`), time(end, `${what}'s end`)];
  return endMs >= startMs ? { startMs, endMs } : refuse(`${what} ends before it starts`);
}

function time(value: unknown, what: string): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse(`${what} is no whole number of milliseconds`);
}
