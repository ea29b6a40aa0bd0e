/** Instruments the engines: measures each call, counts failures by class, and has coverage query again after one. */
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Coverage } from './coverage.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';
import type { CaptionsMetrics } from './metrics.ts';

/** Every error of an engine has this reason: it fails a track, never the stage. */
export const engineError = 'engine_error';

type Call = {
  readonly engine: string;
  readonly kind: 'speech' | 'translation';
  readonly metrics: CaptionsMetrics;
  readonly doubt: () => void;
  readonly signal: AbortSignal;
};

export function instrumentSpeech(
  engine: SpeechEngine,
  metrics: CaptionsMetrics,
  coverage: Pick<Coverage, 'doubtSpeech'>,
): SpeechEngine['transcribe'] {
  const call = { engine: engine.name, kind: 'speech', metrics, doubt: coverage.doubtSpeech } as const;
  return (input, signal, onProgress) =>
    measured({ ...call, signal }, async () => {
      const words = await engine.transcribe(input, signal, onProgress);
      metrics.speechTranscribed(input.durationMs);
      return words;
    });
}

async function measured<T>({ engine, kind, metrics, doubt, signal }: Call, work: () => Promise<T>): Promise<T> {
  const stop = metrics.engineTimer(engine, kind);
  try {
    return await work();
  } catch (cause) {
    signal.throwIfAborted();
    const code = cause instanceof AppError ? cause.code : 'INTERNAL';
    metrics.engineFailed(engine, code);
    doubt();
    throw new AppError(code, `${engine}: ${messageOf(cause)}`, { reason: engineError, cause });
  } finally {
    stop();
  }
}

export function instrumentTranslation(
  engine: TranslationEngine,
  metrics: CaptionsMetrics,
  coverage: Pick<Coverage, 'doubtTranslation'>,
): TranslationEngine['translate'] {
  const call = { engine: engine.name, kind: 'translation', metrics, doubt: coverage.doubtTranslation } as const;
  return (sentences, path, signal) =>
    measured({ ...call, signal }, async () => {
      const texts = await engine.translate(sentences, path, signal);
      if (texts.length !== sentences.length)
        throw new AppError('UNAVAILABLE', `${texts.length} sentences came back for ${sentences.length}`);
      return texts;
    });
}
