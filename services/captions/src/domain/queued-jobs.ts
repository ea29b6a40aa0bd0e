/** The jobs that captions are made by: planning, transcription, rendering, translations, and what is left to remove. */
import type { MediaPlaylist } from '@vds/proto/documents/media-playlist';
import type { CaptionJob } from './caption-job.ts';
import type { SpeechChunk } from './transcription/chunks.ts';

export type QueuedJob =
  /** The engines are asked what they can do, and the sound is cut into chunks. */
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
    }
  /** What was transcribed becomes the source track. */
  | { readonly kind: 'render'; readonly generation: number }
  | { readonly kind: 'translate'; readonly generation: number; readonly language: string }
  | { readonly kind: 'collect' };

/** As the queue takes it. The first number in a name is its generation. */
type New = { readonly name: string; readonly payload: QueuedJob; readonly cost?: number; readonly delayMs?: number };

export function planJob(generation: number): New {
  return { name: `plan-${generation}`, payload: { kind: 'plan', generation } };
}

/** Among one publisher's titles the shortest goes first; what others wait for goes before all chunks. */
export function transcribeJobs(
  { durationMs, generation }: CaptionJob,
  { init }: MediaPlaylist,
  chunks: readonly SpeechChunk[],
): New[] {
  return chunks.map(({ index, startMs, endMs, segments }) => ({
    name: `transcribe-${generation}-${index}`,
    payload: { kind: 'transcribe', generation, index, startMs, endMs, init, segments: segments.map(({ key }) => key) },
    cost: durationMs / 1_000,
  }));
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

/** @param cause makes the name: one removal for each */
export function collectJob(cause: string, delayMs: number): New {
  return { name: `collect-${cause}`, payload: { kind: 'collect' }, delayMs };
}
