/**
 * Opens the engines that the operator has chosen. One behind HTTP may be unavailable; an embedded one must be
 * installed.
 */
import type { Sandbox } from '@vds/chassis/sandbox/sandbox';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { CaptionsConfig } from '../config.ts';
import { openApertium } from './engines/apertium.ts';
import { openLibretranslate } from './engines/libretranslate.ts';
import { openOpenai } from './engines/openai.ts';
import { openPocketsphinx } from './engines/pocketsphinx.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';
import { noSpeech, noTranslation } from './no-engines.ts';

type Options = CaptionsConfig & { readonly sandbox: Sandbox; readonly log: Logger };

/** Engines yield to encoding where processors are scarce: a video becomes ready with its pictures. */
const NICENESS = 10;

/**
 * @throws AppError FAILED_PRECONDITION where an embedded engine is not installed; its message states what to install or
 * to set
 */
export async function chooseEngines(
  options: Options,
): Promise<{ readonly speech: SpeechEngine; readonly translation: TranslationEngine }> {
  return {
    speech: await openSpeech(options),
    translation: await openTranslation(options),
  };
}

async function openSpeech(options: Options): Promise<SpeechEngine> {
  const { speechEngine, speechUrl, speechTimeoutMs: timeoutMs } = options;
  if (speechEngine === 'none') return noSpeech;
  if (speechEngine === 'pocketsphinx')
    return openPocketsphinx({ ...childOf(options), python: options.speechPython, timeoutMs });
  return openOpenai({
    url: speechUrl ?? '',
    key: options.speechKey,
    model: options.speechModel,
    languages: options.speechLanguages,
    concurrency: options.speechConcurrency,
    timeoutMs,
  });
}

function childOf({ sandbox, childMemoryBytes, log }: Options) {
  return {
    sandbox,
    memoryBytes: childMemoryBytes,
    niceness: NICENESS,
    log,
  };
}

async function openTranslation(options: Options): Promise<TranslationEngine> {
  const { translationEngine, apertiumPath: path, scratchDir } = options;
  const limits = { concurrency: options.translationConcurrency, timeoutMs: options.translationTimeoutMs };
  if (translationEngine === 'none') return noTranslation;
  if (translationEngine === 'apertium') return openApertium({ ...childOf(options), ...limits, path, scratchDir });
  return openLibretranslate({ ...limits, url: options.translationUrl ?? '', apiKey: options.translationKey });
}
