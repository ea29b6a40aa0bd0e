/** The interface of a speech engine. */
import type { Word } from '../../domain/words.ts';

export type TranscriptionInput = {
  /** A WAV file: 16 kHz, mono, 16 bit, little endian. */
  readonly wavPath: string;
  /** The spoken language: an ISO 639-1 code, one of `languages()`. */
  readonly language: string;
  /** Length of the WAV file. */
  readonly durationMs: number;
  /** Where the file begins in the video; added to every word's time. */
  readonly offsetMs: number;
  /** What may be spoken, as it is spelt, the most likely first: a hint that an engine may ignore. */
  readonly names?: readonly string[];
};

export type SpeechEngine = {
  readonly name: string;
  /** Codes (ISO 639-1) of the languages that it transcribes. */
  readonly languages: () => Promise<readonly string[]>;
  /**
   * Words in the order in which they are spoken; none where there is no speech. `onProgress` gets parts of 1.
   * @throws AppError UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED or INTERNAL where a later try may succeed;
   * FAILED_PRECONDITION with reason `engine_error` where it will not; the signal's own reason when it aborts
   */
  readonly transcribe: (
    input: TranscriptionInput,
    signal: AbortSignal,
    onProgress: (part: number) => void,
  ) => Promise<readonly Word[]>;
  /** As `transcribe`, but in English whatever is spoken: Whisper's task translate. Absent where the engine cannot. */
  readonly toEnglish?: SpeechEngine['transcribe'];
  /** Ends processes that stay between calls. */
  readonly close?: () => Promise<void>;
};
