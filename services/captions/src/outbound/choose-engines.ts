/**
 * Opens the engines that the operator has chosen. One behind HTTP may be unavailable; an embedded one must be
 * installed.
 */
import { AppError } from '@vds/chassis/errors';
import type { CaptionsConfig } from '../config.ts';
import { openApertium } from './engines/apertium.ts';
import type { EngineProgramOptions } from './engines/engine-program.ts';
import { openLibretranslate } from './engines/libretranslate.ts';
import { openOpenai } from './engines/openai.ts';
import { openPocketsphinx } from './engines/pocketsphinx.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';

/** Engines yield to encoding where processors are scarce: a video becomes ready with its pictures. */
const NICENESS = 10;

type Options = CaptionsConfig & Pick<EngineProgramOptions, 'sandbox' | 'log'>;

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
  const { speechEngine, speechTimeoutMs: timeoutMs } = options;
  if (speechEngine === 'none') return { name: 'none', languages: async () => [], transcribe: rejectCall };
  if (speechEngine === 'pocketsphinx')
    return openPocketsphinx({ ...programOptions(options), timeoutMs, python: options.speechPython });
  return openOpenai({
    url: options.speechUrl ?? '',
    key: options.speechKey,
    model: options.speechModel,
    languages: options.speechLanguages,
    concurrency: options.speechConcurrency,
    timeoutMs,
  });
}

async function openTranslation(options: Options): Promise<TranslationEngine> {
  const { translationEngine, scratchDir } = options;
  const limits = { concurrency: options.translationConcurrency, timeoutMs: options.translationTimeoutMs };
  if (translationEngine === 'none') return { name: 'none', pairs: async () => [], translate: rejectCall };
  if (translationEngine === 'apertium')
    return openApertium({ ...programOptions(options), ...limits, path: options.apertiumPath, scratchDir });
  return openLibretranslate({ ...limits, url: options.translationUrl ?? '', apiKey: options.translationKey });
}

function programOptions({ sandbox, childMemoryBytes: memoryBytes, log }: Options) {
  return { sandbox, memoryBytes, niceness: NICENESS, log };
}

/** Of an engine that the operator did not choose: it supports no language. */
async function rejectCall(): Promise<never> {
  throw new AppError('FAILED_PRECONDITION', 'there is no engine', { reason: 'engine_error' });
}
