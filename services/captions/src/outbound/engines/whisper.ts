/**
 * The embedded speech engine: a Whisper model that faster-whisper runs on processors. Languages are those of the model;
 * with one of several languages it also writes English of what is spoken in them.
 */
import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AppError, messageOf } from '@vds/chassis/errors';
import { withoutInvented, type Segment } from '../../domain/speech/invented-words.ts';
import { joinPieces } from '../../domain/speech/join-pieces.ts';
import { splitBetween, type Word } from '../../domain/words.ts';
import { spellHinted } from '../../domain/names/spell-hinted.ts';
import type { EngineProgramOptions } from './engine-program.ts';
import type { SpeechEngine, TranscriptionInput } from './speech-engine.ts';
import { readSamples } from './wav.ts';
import { program, startChild, type WhisperChildOptions, type WhisperRequest } from './whisper-child.ts';
import { readLanguage } from './whisper-languages.ts';
import type { Ready } from './whisper-lines.ts';
import { createPool, type WhisperPool } from './whisper-pool.ts';

const execute = promisify(execFile);

const IDLE_MS = 60_000;

export type WhisperOptions = EngineProgramOptions & {
  /** A Python that has the package faster-whisper: a path, or a name on PATH. */
  readonly python: string;
  /** A folder with a Whisper model in CTranslate2's format. */
  readonly model: string;
  /** Of one process. */
  readonly threads: number;
  /** Parent of the processes' working directories. */
  readonly scratchDir: string;
  /** After which an idle process ends; by default a minute. */
  readonly idleMs?: number;
};

type Installation = Pick<WhisperChildOptions, 'interpreter' | 'packages'> & {
  /** Where the interpreter's own modules are. */
  readonly home: string;
};

/** Prints where the package is; fails where it is not. */
const probe = `
import importlib.util, json, os, sys
spec = importlib.util.find_spec("faster_whisper") or sys.exit("No module named 'faster_whisper'")
print(json.dumps({
  "interpreter": getattr(sys, "_base_executable", sys.executable), "home": sys.base_prefix,
  "packages": os.path.dirname(os.path.dirname(os.path.abspath(spec.origin)))}))
`;

/**
 * Finds the package faster-whisper and loads the model once, in the sandbox.
 * @throws AppError FAILED_PRECONDITION whose message states what to set or install
 */
export async function openWhisper(options: WhisperOptions): Promise<SpeechEngine> {
  const child = await childOptions(options);
  const pool = createPool(() => startChild(child), options.idleMs ?? IDLE_MS);
  const ready = await loadOnce(pool, options);
  const { version, languages } = ready;
  const codes = languageCodes(languages);
  options.log.info({ faster_whisper: version, model: child.model, languages: codes.size }, 'speech engine');
  const work = (task: WhisperRequest['task']): SpeechEngine['transcribe'] => {
    return async (input, signal, onProgress) => {
      const language = codes.get(input.language);
      if (language === undefined)
        throw new AppError('FAILED_PRECONDITION', `the model does not know the language '${input.language}'`, {
          reason: 'engine_error',
        });
      const request = { language, task, samples: await readSamples(input.wavPath), names: input.names ?? [] };
      const segments = await pool.use((process) => process.call(request, signal, onProgress));
      return wordsOf(segments, input);
    };
  };
  return {
    name: 'whisper',
    languages: () => Promise.resolve([...codes.keys()]),
    transcribe: work('transcribe'),
    // A model of English alone has not learnt to translate.
    ...(codes.size > 1 && { toEnglish: work('translate') }),
    close: pool.close,
  };
}

async function childOptions(options: WhisperOptions): Promise<WhisperChildOptions> {
  const { interpreter, home, packages } = await findInstallation(options.python);
  const model = resolve(options.model);
  await access(join(model, 'model.bin'), constants.R_OK).catch((cause: unknown) => {
    throw new AppError(
      'FAILED_PRECONDITION',
      `SPEECH_MODEL (${options.model}) is no folder with a CTranslate2 Whisper model; 'npm run servers -- install' makes one: ${messageOf(cause)}`,
      { cause },
    );
  });
  const readable = [home, packages, program, model].filter((path) => !/^\/(usr|opt)(\/|$)/.test(path));
  return { ...options, interpreter, packages, model, readable };
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
      `SPEECH_PYTHON (${python}) has no package faster-whisper: ${why}; install it there, or set SPEECH_ENGINE`,
      { cause },
    );
  }
}

/** What cannot work is found at startup; the process stays for the first call. */
async function loadOnce(pool: WhisperPool, { python, model, memoryBytes }: WhisperOptions): Promise<Ready> {
  try {
    return await pool.use((child) => child.ready);
  } catch (cause) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `SPEECH_PYTHON (${python}) cannot load SPEECH_MODEL (${model}) within CHILD_MEMORY (${memoryBytes}): ${messageOf(cause)}`,
      { cause },
    );
  }
}

/** Whisper's codes by those of ISO 639-1; what has none of two letters cannot be a video's language. */
function languageCodes(languages: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    languages.flatMap((code) => {
      const known = readLanguage(code);
      return known === undefined ? [] : [[known, code] as const];
    }),
  );
}

/** Words in the video's time. */
function wordsOf(segments: readonly Segment[], { durationMs, offsetMs, names = [] }: TranscriptionInput): Word[] {
  const windows = splitBetween(withoutInvented(segments), (last, next) => last.hint !== next.hint);
  const words = windows.flatMap((window) => {
    // A segment begins with a word of its own, whether or not the model writes a space there.
    const heard = window.flatMap((segment) => joinPieces(segment.words));
    return spellHinted(heard, window[0]?.hint ?? '', names);
  });
  return words.map((word) => ({
    ...word,
    startMs: Math.min(word.startMs, durationMs) + offsetMs,
    endMs: Math.min(word.endMs, durationMs) + offsetMs,
  }));
}
