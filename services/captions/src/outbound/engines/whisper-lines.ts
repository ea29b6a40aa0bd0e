/** The lines that whisper.py prints, checked. */
import type { Readable } from 'node:stream';
import { AppError } from '@vds/chassis/errors';
import type { Segment } from '../../domain/speech/invented-words.ts';
import type { Word } from '../../domain/words.ts';

/** A line has the words of half a minute at most. */
const MAX_LINE = 1_000_000;

export type Ready = {
  /** Whisper's own codes. */
  readonly languages: readonly string[];
  /** Of faster-whisper. */
  readonly version: string;
  /** Resident memory, in bytes. */
  readonly rss: number;
};

export type Line =
  | { readonly kind: 'ready'; readonly ready: Ready }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'segment'; readonly id: number; readonly segment: Segment }
  | { readonly kind: 'progress'; readonly id: number; readonly part: number }
  | { readonly kind: 'end'; readonly id: number; readonly rss: number }
  | { readonly kind: 'error'; readonly id: number; readonly why: string };

type Fields = Readonly<Record<string, unknown>>;

/**
 * A reader of standard output that calls `onLine` for every line.
 * @throws AppError INTERNAL for a line that is none of the above, and what `onLine` throws
 */
export function readLines(onLine: (line: Line) => void) {
  return async (stdout: Readable): Promise<void> => {
    let rest = '';
    for await (const chunk of stdout.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE) throw broken();
      for (const line of lines) onLine(parseLine(line));
    }
  };
}

export function broken(cause?: unknown): AppError {
  return new AppError('INTERNAL', 'whisper.py printed something else than its answers', { cause });
}

export function parseLine(text: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw broken(cause);
  }
  const line = fields(value);
  if ('ready' in line) return { kind: 'ready', ready: readyOf(fields(line['ready'])) };
  if ('failed' in line) return { kind: 'failed', why: string(line['failed']) };
  const id = number(line['id']);
  if ('segment' in line) return { kind: 'segment', id, segment: segmentOf(fields(line['segment'])) };
  if ('progress' in line) return { kind: 'progress', id, part: number(line['progress']) };
  if ('end' in line) return { kind: 'end', id, rss: number(fields(line['end'])['rss']) };
  return { kind: 'error', id, why: string(line['error']) };
}

function readyOf(ready: Fields): Ready {
  return {
    languages: list(ready['languages']).map(string),
    version: string(ready['version']),
    rss: number(ready['rss']),
  };
}

function segmentOf(segment: Fields): Segment {
  return {
    words: list(segment['words']).map((word) => wordOf(fields(word))),
    hint: string(segment['hint']),
    noSpeech: number(segment['no_speech']),
    logProbability: number(segment['log_probability']),
    compression: number(segment['compression']),
  };
}

function wordOf(word: Fields): Word {
  return {
    text: string(word['text']),
    startMs: number(word['start_ms']),
    endMs: number(word['end_ms']),
    confidence: Math.min(1, Math.max(0, number(word['confidence']))),
  };
}

function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw broken();
  return value as Fields;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw broken();
  return value;
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw broken();
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw broken();
  return value;
}
