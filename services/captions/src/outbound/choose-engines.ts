/** The engines that the operator has chosen, opened. One behind HTTP may be away; an embedded one must be there. */
import type { Sandbox } from '@vds/shared/child';
import type { Logger } from '@vds/shared/log';
import type { CaptionsConfig } from '../config.ts';
import { openPocketsphinx } from './engines/pocketsphinx.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';
import { noSpeech, noTranslation } from './no-engines.ts';

type Options = CaptionsConfig & { readonly sandbox: Sandbox; readonly log: Logger };

/** Engines step back behind encoding where processors are short: a title is awaited for its pictures first. */
const NICENESS = 10;

const openSpeech = async (options: Options): Promise<SpeechEngine> => {
  if (options.speechEngine === 'none') return noSpeech;
  return openPocketsphinx({
    python: options.speechPython,
    sandbox: options.sandbox,
    memoryBytes: options.childMemoryBytes,
    timeoutMs: options.speechTimeoutMs,
    niceness: NICENESS,
    log: options.log,
  });
};

const openTranslation = async (): Promise<TranslationEngine> => noTranslation;

export const chooseEngines = async (
  options: Options,
): Promise<{ readonly speech: SpeechEngine; readonly translation: TranslationEngine }> => ({
  speech: await openSpeech(options),
  translation: await openTranslation(),
});
