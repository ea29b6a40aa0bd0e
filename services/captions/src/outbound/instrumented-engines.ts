/** Instruments the engines: measures each call, counts failures by class, and has coverage query again after one. */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Coverage } from './coverage.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';
import type { CaptionsMetrics, EngineCallKind } from './metrics.ts';

/** Errors of an engine have one of these reasons: they fail a track, never the stage. */
const engineError = 'engine_error';
const timedOut = 'timed_out';

/** Whether an engine did not end in time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.reason === timedOut;
}

/** For `givesUp`: an engine that times out twice in a row on the same job hangs on it. */
export function timedOutTwice(error: unknown, lastFailure: string | null): boolean {
  return isTimeout(error) && lastFailure === timedOut;
}

export function instrumentSpeech(
  engine: SpeechEngine,
  metrics: CaptionsMetrics,
  coverage: Pick<Coverage, 'invalidateSpeech'>,
): Pick<SpeechEngine, 'transcribe' | 'toEnglish'> {
  const { name, transcribe, toEnglish } = engine;
  const transcribing = measure(name, 'speech', metrics, coverage.invalidateSpeech);
  const translating = measure(name, 'english', metrics, coverage.invalidateSpeech);
  return {
    transcribe: (input, signal, onProgress) =>
      transcribing(signal, async () => {
        const words = await transcribe(input, signal, onProgress);
        metrics.speechTranscribed(input.durationMs);
        return words;
      }),
    ...(toEnglish && {
      toEnglish: (input, signal, onProgress) => translating(signal, () => toEnglish(input, signal, onProgress)),
    }),
  };
}

export function instrumentTranslation(
  engine: TranslationEngine,
  metrics: CaptionsMetrics,
  coverage: Pick<Coverage, 'invalidateTranslation'>,
): TranslationEngine['translate'] {
  const measured = measure(engine.name, 'translation', metrics, coverage.invalidateTranslation);
  return (sentences, path, signal) =>
    measured(signal, async () => {
      const texts = await engine.translate(sentences, path, signal);
      if (texts.length !== sentences.length)
        throw new AppError('UNAVAILABLE', `${texts.length} sentences came back for ${sentences.length}`);
      return texts;
    });
}

function measure(engine: string, kind: EngineCallKind, metrics: CaptionsMetrics, invalidate: () => void) {
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const stop = metrics.engineTimer(engine, kind);
    try {
      return await work();
    } catch (cause) {
      signal.throwIfAborted();
      const code = cause instanceof AppError ? cause.code : 'INTERNAL';
      metrics.engineFailed(engine, code);
      invalidate();
      const reason = code === 'DEADLINE_EXCEEDED' ? timedOut : engineError;
      throw new AppError(code, `${engine}: ${messageOf(cause)}`, { reason, cause });
    } finally {
      stop();
    }
  };
}
