/** A request to whisper.py and its answer, checked. */
import type { Segment } from '../../domain/speech/invented-words.ts';
import type { Word } from '../../domain/words.ts';
import type { ModelChild } from './model-child.ts';
import { broken, fields, list, number, string, type Fields } from './model-lines.ts';

/** More than anyone speaks: further words are not read. */
const MAX_WORDS_A_SECOND = 25;
const BYTES_A_SECOND = 32_000;

export type WhisperRequest = {
  /** Whisper's own code. */
  readonly language: string;
  readonly task: 'transcribe' | 'translate';
  /** What may be spoken, as it is spelt; may be empty. */
  readonly hotwords: string;
  /** 16 kHz, mono, 16 bit, little endian. */
  readonly samples: Buffer;
};

/** The segments of the sound, in their order; errors as of `ModelChild.call`. */
export async function requestSegments(
  process: ModelChild,
  { samples, ...request }: WhisperRequest,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<readonly Segment[]> {
  const segments: Segment[] = [];
  let wordsLeft = 100 + (samples.length / BYTES_A_SECOND) * MAX_WORDS_A_SECOND;
  await process.call(request, samples, signal, (part) => {
    if ('progress' in part) return onProgress(number(part['progress']));
    const segment = segmentOf(fields(part['segment']));
    segments.push(segment);
    wordsLeft -= segment.words.length;
    if (wordsLeft < 0) throw broken();
  });
  return segments;
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
