/** A process of whisper.py in the sandbox: it loads the model once and transcribes one request after the other. */
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { AppError } from '@vds/chassis/errors';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { Segment } from '../../domain/speech/invented-words.ts';
import { runEngineProgram, type EngineProgramOptions } from './engine-program.ts';
import { broken, readLines, type Line, type Ready } from './whisper-lines.ts';

export const program = fileURLToPath(new URL('whisper.py', import.meta.url));

/** A child is replaced after this long, after so many calls, and once it holds so much more than its model. */
const OLDEST_MS = 3_600_000;
const MAX_CALLS = 500;
const MAX_GROWTH_BYTES = 2 ** 30;
/** Gigabytes from a slow volume take minutes. */
const MAX_LOAD_MS = 300_000;
/** More than anyone speaks: further words are not read. */
const MAX_WORDS_A_SECOND = 25;
const BYTES_A_SECOND = 32_000;

export type WhisperChildOptions = EngineProgramOptions & {
  /** The interpreter itself, no virtual environment. */
  readonly interpreter: string;
  /** The folder that holds the package faster_whisper. */
  readonly packages: string;
  /** The folder of a CTranslate2 model. */
  readonly model: string;
  /** What it reads outside /usr and /opt. */
  readonly readable: readonly string[];
  readonly threads: number;
  /** Parent of its working directory. */
  readonly scratchDir: string;
};

export type WhisperRequest = {
  /** Whisper's own code. */
  readonly language: string;
  readonly task: 'transcribe' | 'translate';
  /** 16 kHz, mono, 16 bit, little endian. */
  readonly samples: Buffer;
  /** What may be spoken, as it is spelt. */
  readonly names?: readonly string[];
};

export type WhisperChild = ReturnType<typeof startChild>;

/** Starts a process, which ends when `end` is called, a call fails or aborts, or this process ends in any way. */
export function startChild(options: WhisperChildOptions) {
  const { timeoutMs } = options;
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
     * The lines of one request, in their order; one call at a time.
     * @throws AppError DEADLINE_EXCEEDED `timed_out`, INTERNAL otherwise; the signal's own reason when it aborts. The
     * process has ended then.
     */
    call: async (request: WhisperRequest, signal: AbortSignal, onProgress: (part: number) => void) => {
      calls += 1;
      const answer = collectAnswer(calls, request, onProgress);
      const onAbort = (): void => ending.abort(signal.reason);
      const timer = setTimeout(() => ending.abort(timedOut(timeoutMs)), timeoutMs);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        signal.throwIfAborted();
        onAnswer = answer.onLine;
        input.write(headOf(calls, request));
        input.write(request.samples);
        const { segments, rss } = await Promise.race([answer.ended, run]);
        memory.now = rss;
        return segments;
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

/** The line before the samples. */
function headOf(id: number, { language, task, samples, names = [] }: WhisperRequest): string {
  return `${JSON.stringify({ id, language, task, samples: samples.length / 2, hotwords: names.join(', ') })}\n`;
}

/** Runs whisper.py until `ending` aborts; `ready` resolves once the model is loaded, `run` rejects at its end. */
function startProgram(options: WhisperChildOptions, onAnswer: (line: Line) => void) {
  const { scratchDir, timeoutMs, interpreter, packages, model, threads, readable } = options;
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
    await runEngineProgram('whisper', longestLife, {
      ...{ command: interpreter, args: ['-I', '-B', program, packages, model, String(threads)] },
      ...{ scratch, readable, input, signal: ending.signal, onOutput: readLines(onLine) },
    });
    throw new AppError('INTERNAL', 'whisper.py ended', { reason: 'program_killed' });
  }).finally(() => {
    ending.abort();
    input.destroy();
  });
  run.catch(ready.reject);
  const loading = setTimeout(() => ending.abort(timedOut(MAX_LOAD_MS)), MAX_LOAD_MS);
  const loaded = (): void => clearTimeout(loading);
  ready.promise.then(loaded, loaded);
  return { input, ending, ready: ready.promise, run };
}

function timedOut(timeoutMs: number): AppError {
  return new AppError('DEADLINE_EXCEEDED', `whisper did not end within ${timeoutMs} ms`, { reason: 'timed_out' });
}

/** Collects the lines of one request. */
function collectAnswer(id: number, { samples }: WhisperRequest, onProgress: (part: number) => void) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly segments: readonly Segment[];
    readonly rss: number;
  }>();
  const segments: Segment[] = [];
  let wordsLeft = 100 + (samples.length / BYTES_A_SECOND) * MAX_WORDS_A_SECOND;
  return {
    ended: promise,
    onLine: (line: Line): void => {
      if (!('id' in line) || line.id !== id) throw broken();
      if (line.kind === 'progress') onProgress(line.part);
      if (line.kind === 'end') resolve({ segments, rss: line.rss });
      if (line.kind === 'error') reject(new AppError('INTERNAL', `whisper failed: ${line.why}`));
      if (line.kind !== 'segment') return;
      segments.push(line.segment);
      wordsLeft -= line.segment.words.length;
      if (wordsLeft < 0) throw broken();
    },
  };
}
