/**
 * The embedded speech engine: pocketsphinx 5, whose package brings an English model. A fallback; servers recognize
 * more.
 */
import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AppError, messageOf } from '@vds/chassis/errors';
import { runEngineProgram, type EngineProgramOptions } from './engine-program.ts';
import type { SpeechEngine } from './speech-engine.ts';
import { keepSpeech, type Guess } from './voice-activity.ts';

const execute = promisify(execFile);
const program = fileURLToPath(new URL('pocketsphinx-words.py', import.meta.url));

/** More than anyone speaks: further words are not read. */
const MOST_WORDS_A_SECOND = 20;
const LONGEST_LINE = 1_000;

export type PocketsphinxOptions = EngineProgramOptions & {
  /** A python that has the package pocketsphinx: a path, or a name on PATH. */
  readonly python: string;
};

type Installation = {
  /** The interpreter itself, no virtual environment. */
  readonly interpreter: string;
  readonly home: string;
  /** The folder that holds the package. */
  readonly packages: string;
  readonly version: string;
};

/** Prints where the package is; fails where it does not load. */
const probe = `
import json, os, sys, importlib.metadata, pocketsphinx
print(json.dumps({
  "interpreter": getattr(sys, "_base_executable", sys.executable), "home": sys.base_prefix,
  "packages": os.path.dirname(os.path.dirname(os.path.abspath(pocketsphinx.__file__))),
  "version": importlib.metadata.version("pocketsphinx")}))
from pocketsphinx import Config, Decoder, Endpointer
`;

/**
 * Finds the package pocketsphinx and checks that it loads.
 * @throws AppError FAILED_PRECONDITION whose message states what to set or install
 */
export async function openPocketsphinx(options: PocketsphinxOptions): Promise<SpeechEngine> {
  const { interpreter, home, packages, version } = await findInstallation(options.python);
  await access(program, constants.R_OK);
  options.log.info({ python: interpreter, pocketsphinx: version }, 'speech engine');
  return {
    name: 'pocketsphinx',
    languages: () => Promise.resolve(['en']),
    transcribe: async ({ wavPath, durationMs, offsetMs }, signal, onProgress) => {
      const guesses: Guess[] = [];
      const most = 100 + (durationMs / 1_000) * MOST_WORDS_A_SECOND;
      await runEngineProgram('pocketsphinx', options, {
        command: interpreter,
        args: ['-I', '-B', program, packages, basename(wavPath)],
        scratch: dirname(wavPath),
        readable: [home, packages, program].filter((path) => !/^\/(usr|opt)(\/|$)/.test(path)),
        signal,
        onOutput: readGuesses(guesses, most, onProgress),
      });
      return keepSpeech(guesses).map(({ text, startMs, endMs, confidence }) => ({
        text,
        startMs: startMs + offsetMs,
        endMs: Math.min(endMs, durationMs) + offsetMs,
        confidence,
      }));
    },
  };
}

async function findInstallation(python: string): Promise<Installation> {
  try {
    const { stdout } = await execute(python, ['-I', '-c', probe], { timeout: 60_000 });
    const found = JSON.parse(stdout) as Installation;
    return { ...found, interpreter: await realpath(found.interpreter) };
  } catch (cause) {
    const why = messageOf(cause).trim().split('\n').at(-1);
    throw new AppError(
      'FAILED_PRECONDITION',
      `SPEECH_PYTHON (${python}) cannot load pocketsphinx 5: ${why}; install it there, or set SPEECH_ENGINE`,
      { cause },
    );
  }
}

function readGuesses(guesses: Guess[], most: number, onProgress: (part: number) => void) {
  return async (stdout: Readable): Promise<void> => {
    let rest = '';
    for await (const chunk of stdout.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw broken();
      for (const line of lines) {
        const read = readLine(line);
        if (typeof read === 'number') onProgress(read);
        else guesses.push(read);
      }
      if (guesses.length > most) throw broken();
    }
  };
}

function broken(cause?: unknown): AppError {
  return new AppError('INTERNAL', 'pocketsphinx printed something else than words', { cause });
}

/** Parses one line of the program: a guess, or the part of the file that was read so far. */
function readLine(line: string): Guess | number {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw broken(cause);
  }
  if (!isObject(value)) throw broken();
  const { progress, text, start_ms: startMs, end_ms: endMs, confidence, segment } = value;
  if (typeof progress === 'number') return progress;
  const numbers = [startMs, endMs, confidence, segment];
  if (typeof text !== 'string' || !numbers.every((number) => Number.isFinite(number))) throw broken();
  return { text, startMs, endMs, confidence, segment } as Guess;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
