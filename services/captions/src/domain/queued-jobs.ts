/** The jobs of the captions stage: planning, transcription, rendering, translations, and garbage collection. */
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import { spokenLanguage, type CaptionJob } from './caption-job.ts';
import type { Correction } from './jobs/render-correction.ts';
import type { SpeechChunk } from './transcription/chunks.ts';

export type QueuedJob =
  /** Queries what the engines support, and cuts the sound into chunks. */
  | { readonly kind: 'plan'; readonly generation: number }
  | {
      readonly kind: 'transcribe';
      readonly generation: number;
      readonly index: number;
      readonly startMs: number;
      readonly endMs: number;
      /** Keys of the init segment and of the chunk's segments. */
      readonly init: string;
      readonly segments: readonly string[];
      /** Whether the speech is also translated into English; absent in jobs of an earlier version. */
      readonly english?: boolean;
    }
  /** Makes the source track from the transcribed words. */
  | { readonly kind: 'render'; readonly generation: number }
  | { readonly kind: 'translate'; readonly generation: number; readonly language: string }
  /** Makes a track of what the staff has written. */
  | ({ readonly kind: 'correct' } & Correction)
  | { readonly kind: 'collect' };

/** A job to enqueue. The first number in a name is its generation. */
type New = { readonly name: string; readonly payload: QueuedJob; readonly cost?: number; readonly delayMs?: number };

export function planJob(generation: number): New {
  return { name: `plan-${generation}`, payload: { kind: 'plan', generation } };
}

/** Of one publisher's videos the shortest goes first; jobs that others wait for go before all chunks. */
export function transcribeJobs(
  { durationMs, generation }: CaptionJob,
  { init }: MediaPlaylist,
  chunks: readonly SpeechChunk[],
  english: boolean,
): New[] {
  return chunks.map(({ index, startMs, endMs, segments }) => ({
    name: `transcribe-${generation}-${index}`,
    payload: {
      ...{ kind: 'transcribe', generation, index, startMs, endMs, init, english },
      segments: segments.map(({ key }) => key),
    },
    cost: durationMs / 1_000,
  }));
}

/** A chunk again, whose English could not be made. */
export function withoutEnglish(payload: Extract<QueuedJob, { readonly kind: 'transcribe' }>): New {
  const { generation, index } = payload;
  return { name: `transcribe-${generation}-${index}-plain`, payload: { ...payload, english: false } };
}

export function renderJob(generation: number): New {
  return { name: `render-${generation}`, payload: { kind: 'render', generation } };
}

export function translateJobs({ durationMs }: CaptionJob, generation: number, languages: readonly string[]): New[] {
  return languages.map((language) => ({
    name: `translate-${generation}-${language}`,
    payload: { kind: 'translate', generation, language },
    cost: durationMs / 1_000,
  }));
}

/** Named like the job whose track it replaces: players may still read that one for a while. */
export function correctJob(job: CaptionJob, payload: Correction): New {
  const { generation, language } = payload;
  const name = language === spokenLanguage(job) ? `render-${generation}` : `translate-${generation}-${language}`;
  return { name, payload: { kind: 'correct', ...payload } };
}

/** @param cause part of the name: one collection for each cause */
export function collectJob(cause: string, delayMs: number): New {
  return { name: `collect-${cause}`, payload: { kind: 'collect' }, delayMs };
}
