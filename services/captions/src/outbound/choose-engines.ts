/**
 * Opens the engines that the operator has chosen. One behind HTTP may be unavailable; an embedded one must be
 * installed.
 */
import { availableParallelism } from 'node:os';
import { AppError } from '@vds/chassis/errors';
import type { ConfigOf } from '@vds/chassis/config/config';
import type { SandboxOptions } from '@vds/chassis/sandbox/programs';
import type { engineConfig } from '../config.ts';
import { openApertium } from './engines/apertium.ts';
import { openCtranslate2 } from './engines/ctranslate2.ts';
import { openLibretranslate } from './engines/libretranslate.ts';
import { openOpenai } from './engines/openai.ts';
import type { SpeechEngine } from './engines/speech-engine.ts';
import type { TranslationEngine } from './engines/translation-engine.ts';
import { openWhisper } from './engines/whisper.ts';

/** Engines yield to encoding where processors are scarce: a video becomes ready with its pictures. */
const NICENESS = 10;

/** Where the image has it. */
const IMAGE_MODEL = '/opt/speech-model';
/** The name that every server knows. */
const OPENAI_MODEL = 'whisper-1';

type Options = ConfigOf<typeof engineConfig> & {
  readonly sandbox: SandboxOptions;
  readonly scratchDir: string;
  readonly transcribeSlots: number;
  readonly translateSlots: number;
};

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
  if (speechEngine === 'whisper')
    return openWhisper({
      ...modelOptions(options, options.transcribeSlots),
      timeoutMs,
      model: options.speechModel ?? IMAGE_MODEL,
    });
  return openOpenai({
    url: options.speechUrl ?? '',
    key: options.speechKey,
    model: options.speechModel ?? OPENAI_MODEL,
    languages: options.speechLanguages,
    translates: options.speechTranslates,
    concurrency: Math.max(1, options.transcribeSlots),
    timeoutMs,
  });
}

/** Of a model that a Python program runs, in as many processes as there are slots. */
function modelOptions(options: Options, slots: number) {
  const { speechPython: python, scratchDir } = options;
  return { ...programOptions(options), python, scratchDir, threads: threadsOf(slots) };
}

/** The processors, shared among as many processes as there are slots. */
function threadsOf(slots: number): number {
  return Math.max(1, Math.floor(availableParallelism() / Math.max(1, slots)));
}

async function openTranslation(options: Options): Promise<TranslationEngine> {
  const { translationEngine, scratchDir } = options;
  const limits = { concurrency: Math.max(1, options.translateSlots), timeoutMs: options.translationTimeoutMs };
  if (translationEngine === 'none') return { name: 'none', pairs: async () => [], translate: rejectCall };
  if (translationEngine === 'apertium') return openApertium({ ...programOptions(options), ...limits, scratchDir });
  if (translationEngine === 'ctranslate2')
    return openCtranslate2({
      ...modelOptions(options, options.translateSlots),
      timeoutMs: limits.timeoutMs,
      model: options.translationModel ?? '',
    });
  return openLibretranslate({ ...limits, url: options.translationUrl ?? '', apiKey: options.translationKey });
}

function programOptions({ sandbox }: Options) {
  return { ...sandbox, niceness: NICENESS };
}

/** Of an engine that the operator did not choose: it supports no language. */
async function rejectCall(): Promise<never> {
  throw new AppError('FAILED_PRECONDITION', 'there is no engine', { reason: 'engine_error' });
}
