/** Placeholders where the operator chose no engine of a kind: they support no language. */
import { AppError } from '@vds/chassis/errors';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';

async function refuse(): Promise<never> {
  throw new AppError('FAILED_PRECONDITION', 'there is no engine', { reason: 'engine_error' });
}

export const noSpeech: SpeechEngine = { name: 'none', languages: async () => [], transcribe: refuse };
export const noTranslation: TranslationEngine = { name: 'none', pairs: async () => [], translate: refuse };
