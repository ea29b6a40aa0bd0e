/** Opens the engines of captions for a bench: the embedded ones if installed, servers if configured. */
import { tmpdir } from 'node:os';
import { testSandbox } from '@vds/testkit/harness/sandbox';
import { messageOf } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { openApertium } from '@vds/captions/outbound/engines/apertium';
import { openLibretranslate } from '@vds/captions/outbound/engines/libretranslate';
import { openOpenai } from '@vds/captions/outbound/engines/openai';
import type { SpeechEngine } from '@vds/captions/outbound/engines/speech-engine';
import type { TranslationEngine } from '@vds/captions/outbound/engines/translation-engine';
import { openWhisper } from '@vds/captions/outbound/engines/whisper';
import { speechModel, speechPython } from '@vds/testkit/programs/language-tools';

/** An engine, or the reason why it is missing. */
export type Opened<E> = { readonly name: string; readonly engine: E | string };

const TIMEOUT_MS = 600_000;
const limits = {
  memoryBytes: 4_096 * 2 ** 20,
  niceness: 0,
  timeoutMs: TIMEOUT_MS,
  log: createLogger('bench', 'silent'),
};

/**
 * whisper (with SPEECH_PYTHON), and the server at SPEECH_URL (with SPEECH_KEY). SPEECH_MODEL is the
 * server's model where there is one, else the folder of whisper's. An engine's `close` ends its processes.
 */
export async function speechEngines(): Promise<Opened<SpeechEngine>[]> {
  const { SPEECH_PYTHON, SPEECH_URL, SPEECH_MODEL, SPEECH_KEY } = process.env;
  const sandbox = await testSandbox();
  return [
    await tried('whisper', () =>
      openWhisper({
        ...{ ...limits, sandbox, scratchDir: tmpdir(), threads: 1 },
        python: SPEECH_PYTHON ?? speechPython() ?? 'python3',
        model: (SPEECH_URL === undefined ? SPEECH_MODEL : undefined) ?? speechModel() ?? absent('SPEECH_MODEL'),
      }),
    ),
    await tried('openai', async () =>
      openOpenai({
        ...{ url: SPEECH_URL ?? absent('SPEECH_URL'), key: SPEECH_KEY, model: SPEECH_MODEL ?? 'whisper-1' },
        ...{ languages: [], timeoutMs: TIMEOUT_MS, concurrency: 1 },
      }),
    ),
  ];
}

async function tried<E>(name: string, open: () => Promise<E>): Promise<Opened<E>> {
  try {
    return { name, engine: await open() };
  } catch (error) {
    return { name, engine: messageOf(error) };
  }
}

function absent(variable: string): never {
  throw new Error(`${variable} is not set`);
}

/** apertium, and the server at TRANSLATION_URL (with TRANSLATION_KEY). */
export async function translationEngines(scratchDir: string): Promise<Opened<TranslationEngine>[]> {
  const { TRANSLATION_URL, TRANSLATION_KEY } = process.env;
  const sandbox = await testSandbox();
  return [
    await tried('apertium', () => openApertium({ ...limits, sandbox, scratchDir, concurrency: 1 })),
    await tried('libretranslate', async () =>
      openLibretranslate({
        ...{ url: TRANSLATION_URL ?? absent('TRANSLATION_URL'), apiKey: TRANSLATION_KEY },
        ...{ timeoutMs: TIMEOUT_MS, concurrency: 1 },
      }),
    ),
  ];
}
