/** The job `transcribe`: turns a chunk into words, and into English ones where a track depends on them. */
import { AppError, classify } from '@vds/chassis/errors';
import { ENGINE_ERROR, isTimeout } from '../engine-errors.ts';
import { ENGLISH } from '../routes.ts';
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import { spellNames } from '../names/spell-names.ts';
import { markSpeakers } from '../speech/speakers.ts';
import { alignWords } from '../speech/align-words.ts';
import { findSounds } from '../sounds/find-sounds.ts';
import type { Span, Word } from '../words.ts';

/** More than anyone speaks: more words are an engine's error that would fill rows. */
const MAX_WORDS_A_SECOND = 25;

type Transcribe = (onProgress: (part: number) => void) => Promise<readonly Word[]>;

/** The sound of a chunk, and what an engine can do with it. */
export type ChunkSound = {
  /** Its envelope (domain/speech/envelope.ts). */
  readonly levels: readonly number[];
  /** Of its voices (domain/speech/pitch.ts). */
  readonly pitches: readonly number[];
  /** Measurements of each second. */
  readonly seconds: readonly AnalyzedSecond[];
  readonly transcribe: Transcribe;
  /** Absent where the engine cannot. */
  readonly toEnglish?: Transcribe;
};

export type TranscribePorts = {
  readonly extractSound: () => Promise<ChunkSound>;
  /** Gets parts of 1. */
  readonly progress: (part: number) => void;
  /** Called where the engine makes no English of the chunk. */
  readonly noEnglish: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/**
 * The sounds of a chunk, and its words in the order in which they are spoken; `english` is null where none was needed or made.
 * @param names as the partner spells them
 */
export async function transcribeChunk(
  ports: TranscribePorts,
  chunk: Span,
  isEnglishNeeded: boolean,
  names: readonly string[] = [],
) {
  const sound = await ports.extractSound();
  const share = isEnglishNeeded ? 0.5 : 1;
  const transcribed = await sound.transcribe((part) => ports.progress(part * share));
  checkCount(transcribed, chunk);
  const align = (words: readonly Word[]): Word[] =>
    alignWords(spellNames(words, names), { levels: sound.levels, offsetMs: chunk.startMs });
  const { levels, pitches } = sound;
  const words = markSpeakers(align(transcribed), { levels, offsetMs: chunk.startMs }, pitches);
  const english = isEnglishNeeded ? await translateSound(ports, sound, chunk, words) : null;
  return { words, english: english && align(english), sounds: findSounds(sound.seconds, chunk.startMs) };
}

function checkCount(words: readonly Word[], { startMs, endMs }: Span): void {
  if (words.length > 10 + ((endMs - startMs) / 1_000) * MAX_WORDS_A_SECOND)
    throw new AppError('FAILED_PRECONDITION', 'the engine found more words than anyone can speak', {
      reason: ENGINE_ERROR,
    });
}

/** The same speech in English; null where the engine rejects or hangs on it, which must not cost the transcript. */
async function translateSound(
  { progress, noEnglish, signal }: TranscribePorts,
  { toEnglish }: ChunkSound,
  chunk: Span,
  spoken: readonly Word[],
): Promise<readonly Word[] | null> {
  if (!toEnglish) return null;
  if (spoken.length === 0) return [];
  try {
    const words = await toEnglish((part) => progress(0.5 + part / 2));
    checkCount(words, chunk);
    return words;
  } catch (error) {
    if (!classify(error).permanent && !isTimeout(error)) throw signal.aborted ? error : asEnglishError(error);
    noEnglish(error);
    return null;
  }
}

/** The same error for retries; when they are used up, the transcript can still be made: see `isEnglishError`. */
function asEnglishError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, reason, cause, details } = error;
  return new AppError(code, message, {
    ...(reason !== undefined && { reason }),
    cause,
    details: { ...details, pass: ENGLISH },
  });
}

/** Whether only the English of a chunk could not be made. */
export function isEnglishError(error: unknown): boolean {
  return error instanceof AppError && error.details['pass'] === ENGLISH;
}
