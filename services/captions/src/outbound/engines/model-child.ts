/** A process in the sandbox that loads a model once and answers one request after the other (model-child.py). */
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { AppError } from '@vds/chassis/errors';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { runEngineProgram, type EngineProgramOptions } from './engine-program.ts';
import { broken, readLines, type Fields, type Line, type Ready } from './model-lines.ts';

/** Runs the program of a model. */
export const runner = pathOf('model-child.py');

/** A child is replaced after this long, after so many calls, and once it holds so much more than its model. */
const OLDEST_MS = 3_600_000;
const MAX_CALLS = 500;
const MAX_GROWTH_BYTES = 2 ** 30;
/** Gigabytes from a slow volume take minutes. */
const MAX_LOAD_MS = 300_000;

export type ModelChildOptions = EngineProgramOptions & {
  /** Of the program, for logs and errors. */
  readonly name: string;
  /** The Python program. */
  readonly program: string;
  /** The interpreter itself, no virtual environment. */
  readonly interpreter: string;
  /** The folder that holds the program's packages. */
  readonly packages: string;
  /** The folder of a CTranslate2 model. */
  readonly model: string;
  /** What it reads outside /usr and /opt. */
  readonly readable: readonly string[];
  readonly threads: number;
  /** Parent of its working directory. */
  readonly scratchDir: string;
};

export type ModelChild = ReturnType<typeof startChild>;

/** Starts a process, which ends when `end` is called, a call fails or aborts, or this process ends in any way. */
export function startChild(options: ModelChildOptions) {
  const { name, timeoutMs } = options;
  let onAnswer: (line: Line) => void = () => {
    throw broken();
  };
  const { input, ending, ready, run } = startProgram(options, (line) => onAnswer(line));
  const startedAt = performance.now();
  const memory = { loaded: Infinity, now: 0 };
  ready.then(
    ({ rss }) => (memory.loaded = rss),
    () => ending.abort(),
  );
  let calls = 0;

  const end = async (reason?: unknown): Promise<void> => {
    ending.abort(reason);
    await Promise.allSettled([run]);
  };
  return {
    /** @throws AppError where it does not start; UNAVAILABLE where the model does not load */
    ready,
    /** Rejects once the process has ended. */
    run,
    /** Whether it must not be used again: it ended, or has grown or become old. */
    isWorn: (): boolean =>
      ending.signal.aborted ||
      calls >= MAX_CALLS ||
      performance.now() - startedAt > OLDEST_MS ||
      memory.now > memory.loaded + MAX_GROWTH_BYTES,
    end,
    /**
     * Sends a request and calls `onPart` for every part of its answer, in their order; one call at a time.
     * @throws AppError DEADLINE_EXCEEDED `timed_out`, INTERNAL otherwise; the signal's own reason when it aborts; what
     * `onPart` throws. The process has ended then.
     */
    call: async (request: Fields, payload: Buffer, signal: AbortSignal, onPart: (part: Fields) => void) => {
      calls += 1;
      const answer = collectAnswer(name, calls, onPart);
      const onAbort = (): void => ending.abort(signal.reason);
      let timer: NodeJS.Timeout | undefined;
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        signal.throwIfAborted();
        // Loading has a limit of its own.
        await Promise.race([ready, run]);
        timer = setTimeout(() => ending.abort(timedOut(name, timeoutMs)), timeoutMs);
        onAnswer = answer.onLine;
        input.write(`${JSON.stringify({ ...request, id: calls, bytes: payload.length })}\n`);
        input.write(payload);
        memory.now = await Promise.race([answer.ended, run]);
      } catch (error) {
        await end(error);
        throw error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** Runs the program until `ending` aborts; `ready` resolves once the model is loaded, `run` rejects at its end. */
function startProgram(options: ModelChildOptions, onAnswer: (line: Line) => void) {
  const { name, scratchDir, timeoutMs, interpreter, program, packages, model, threads, readable } = options;
  const input = new PassThrough();
  const ending = new AbortController();
  const ready = Promise.withResolvers<Ready>();
  const onLine = (line: Line): void => {
    if (line.kind === 'failed') throw new AppError('UNAVAILABLE', `the model does not load: ${line.why}`);
    if (line.kind === 'ready') ready.resolve(line.ready);
    else onAnswer(line);
  };
  const longestLife = { ...options, timeoutMs: OLDEST_MS + 2 * timeoutMs };
  const run = withScratch(scratchDir, 'captions', async (scratch) => {
    await runEngineProgram(name, longestLife, {
      ...{ command: interpreter, args: ['-I', '-B', runner, program, packages, model, String(threads)] },
      ...{ scratch, readable, input, signal: ending.signal, onOutput: readLines(onLine) },
    });
    throw new AppError('INTERNAL', `${name} ended`, { reason: 'program_killed' });
  }).finally(() => {
    ending.abort();
    input.destroy();
  });
  run.catch(ready.reject);
  const loading = setTimeout(() => ending.abort(timedOut(name, MAX_LOAD_MS)), MAX_LOAD_MS);
  const loaded = (): void => clearTimeout(loading);
  ready.promise.then(loaded, loaded);
  return { input, ending, ready: ready.promise, run };
}

function timedOut(name: string, timeoutMs: number): AppError {
  return new AppError('DEADLINE_EXCEEDED', `${name} did not end within ${timeoutMs} ms`, { reason: 'timed_out' });
}

/** Reads the lines of one request; `ended` is the process's resident memory then, in bytes. */
function collectAnswer(name: string, id: number, onPart: (part: Fields) => void) {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  return {
    ended: promise,
    onLine: (line: Line): void => {
      if (!('id' in line) || line.id !== id) throw broken();
      if (line.kind === 'part') onPart(line.part);
      if (line.kind === 'end') resolve(line.rss);
      if (line.kind === 'error') reject(new AppError('INTERNAL', `${name} failed: ${line.why}`));
    },
  };
}

/** The path of a Python program of this folder. */
export function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
