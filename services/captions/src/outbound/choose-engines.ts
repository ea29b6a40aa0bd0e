/** Which engines the operator has chosen. */
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';
import { noSpeech, noTranslation } from './no-engines.ts';

export const chooseEngines = async (
  _config: object,
): Promise<{ speech: SpeechEngine; translation: TranslationEngine }> => ({
  speech: noSpeech,
  translation: noTranslation,
});
