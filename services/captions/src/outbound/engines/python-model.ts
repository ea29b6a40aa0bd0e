/** Opens a model that a Python program runs: finds its packages and its folder, and loads it once, in the sandbox. */
import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AppError, messageOf } from '@vds/chassis/errors';
import { pathOf, runner, startChild, type ModelChildOptions } from './model-child.ts';
import type { EngineProgramOptions } from './engine-program.ts';
import { createPool, type ModelPool } from './model-pool.ts';
import type { Ready } from './model-lines.ts';

const execute = promisify(execFile);

const IDLE_MS = 60_000;

export type PythonModelOptions = EngineProgramOptions &
  Pick<ModelChildOptions, 'model' | 'threads' | 'scratchDir'> & {
    /** A Python that has the package faster-whisper: a path, or a name on PATH. */
    readonly python: string;
    /** After which an idle process ends; by default a minute. */
    readonly idleMs?: number;
  };

type Kind = {
  /** Of the engine, for logs and errors. */
  readonly name: string;
  /** The program's file in this folder. */
  readonly program: string;
  /** The variable that names the folder. */
  readonly setting: string;
  /** What the folder holds. */
  readonly holds: string;
};

type Installation = Pick<ModelChildOptions, 'interpreter' | 'packages'> & {
  /** Where the interpreter's own modules are. */
  readonly home: string;
};

/** Prints where the package is, with which CTranslate2 and the tokenizers come; fails where it is not. */
const probe = `
import importlib.util, json, os, sys
spec = importlib.util.find_spec("faster_whisper") or sys.exit("No module named 'faster_whisper'")
print(json.dumps({
  "interpreter": getattr(sys, "_base_executable", sys.executable), "home": sys.base_prefix,
  "packages": os.path.dirname(os.path.dirname(os.path.abspath(spec.origin)))}))
`;

/** @throws AppError FAILED_PRECONDITION whose message states what to set or install */
export async function openPythonModel(
  kind: Kind,
  options: PythonModelOptions,
): Promise<{ readonly pool: ModelPool; readonly ready: Ready; readonly folder: string }> {
  const child = await childOptions(kind, options);
  const pool = createPool(() => startChild(child), options.idleMs ?? IDLE_MS);
  return { pool, ready: await loadOnce(pool, kind, options), folder: child.model };
}

async function childOptions(kind: Kind, options: PythonModelOptions): Promise<ModelChildOptions> {
  const { name, setting, holds } = kind;
  const { interpreter, home, packages } = await findInstallation(options.python);
  const [model, program] = [resolve(options.model), pathOf(kind.program)];
  await access(join(model, 'model.bin'), constants.R_OK).catch((cause: unknown) => {
    throw new AppError(
      'FAILED_PRECONDITION',
      `${setting} (${options.model}) is no folder with ${holds}: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  });
  const readable = [home, packages, program, runner, model].filter((path) => !/^\/(usr|opt)(\/|$)/.test(path));
  return { ...options, name, program, interpreter, packages, model, readable };
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
      `SPEECH_PYTHON (${python}) has no package faster-whisper: ${why}; install it there, or set another engine`,
      { cause },
    );
  }
}

/** What cannot work is found at startup; the process stays for the first call. */
async function loadOnce(
  pool: ModelPool,
  { setting }: Kind,
  { python, model, memoryBytes }: PythonModelOptions,
): Promise<Ready> {
  try {
    return await pool.use((child) => child.ready);
  } catch (cause) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `SPEECH_PYTHON (${python}) cannot load ${setting} (${model}) within CHILD_MEMORY (${memoryBytes}): ${messageOf(cause)}`,
      { cause },
    );
  }
}
