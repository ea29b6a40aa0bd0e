/** Instruments the engines: measures each call, counts failures by class, and has coverage query again after one. */
import { AppError, messageOf } from '@vds/chassis/errors';
import { ENGINE_ERROR, TIMED_OUT } from '../domain/engine-errors.ts';
import type { Coverage } from './coverage.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';
import type { CaptionsMetrics, EngineCallKind } from './metrics.ts';

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
      const reason = code === 'DEADLINE_EXCEEDED' ? TIMED_OUT : ENGINE_ERROR;
      throw new AppError(code, `${engine}: ${messageOf(cause)}`, { reason, cause });
    } finally {
      stop();
    }
  };
}
