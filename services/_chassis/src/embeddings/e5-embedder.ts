/**
 * The embedded engine: multilingual-e5-small in 4 bit, which embed.c runs on one processor, in the sandbox. Its process
 * loads the model once, embeds one text after the other, and ends when it is idle.
 */
import { access, constants, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { AppError, messageOf } from '../errors.ts';
import { createGate } from '../gate.ts';
import { runProgram, type SandboxOptions } from '../sandbox/programs.ts';
import { sweepScratch, withScratch } from '../sandbox/scratch.ts';
import type { Embedder } from './embedder.ts';
import { cleanText } from './texts.ts';

const MODEL = 'multilingual-e5-small/q4';
const DIMENSIONS = 384;
/** Of what it writes to; the model is mapped from its file. Measured: 25 MiB. */
const MEMORY_BYTES = 128 * 2 ** 20;
/** Of one text, with the start of the process; measured: 0.4 s. */
const TEXT_MS = 30_000;
const IDLE_MS = 60_000;
/** After which a process is replaced, and after which it is killed. */
const OLDEST_MS = 3_600_000;

export type E5Options = SandboxOptions & {
  /** The folder with vds-embed and e5-small-q4.bin. */
  readonly folder: string;
  /** 0 to 19, as of nice(1). */
  readonly niceness: number;
  /** After which an idle process ends; by default a minute. */
  readonly idleMs?: number;
  /** Parent of the working directories; by default that of temporary files. */
  readonly scratchDir?: string;
};

/**
 * Embeds a text as a trial.
 * @throws AppError UNAVAILABLE where the engine is not installed, or does not run on this machine
 */
export async function openE5Embedder(options: E5Options): Promise<Embedder> {
  const { idleMs = IDLE_MS, scratchDir = tmpdir() } = options;
  const files = await findFiles(options.folder);
  await sweepScratch(scratchDir, 'embeddings');
  const gate = createGate(1);
  let child: Child | undefined;
  let isClosed = false;

  const embedOne = async (text: string, isQuery: boolean): Promise<Int8Array> => {
    if (isClosed) throw new AppError('CANCELLED', 'the embeddings engine is closed');
    if (child?.isUsable() !== true) {
      await child?.end();
      child = startChild({ ...options, ...files, scratchDir });
    }
    const current = child;
    try {
      const vector = await current.embed(cleanText(text), isQuery);
      current.endAfter(idleMs);
      return vector;
    } catch (cause) {
      await current.end();
      throw new AppError('UNAVAILABLE', `the embeddings engine failed: ${messageOf(cause)}`, {
        ...{ reason: 'engine_error', cause },
      });
    }
  };
  /** A process that was killed, by the kernel for one, costs no text. */
  const embedAgain = async (text: string, isQuery: boolean): Promise<Int8Array> => {
    try {
      return await embedOne(text, isQuery);
    } catch {
      return await embedOne(text, isQuery);
    }
  };
  const embed: Embedder['embed'] = async (texts, kind, signal = new AbortController().signal) => {
    const vectors: Int8Array[] = [];
    for (const text of texts) vectors.push(await gate(signal, () => embedAgain(text, kind === 'query')));
    signal.throwIfAborted();
    return vectors;
  };
  await embed(['ready'], 'query');
  return {
    model: MODEL,
    dimensions: DIMENSIONS,
    embed,
    close: async () => {
      isClosed = true;
      await child?.end();
    },
  };
}

async function findFiles(folder: string) {
  try {
    const [command, model] = [
      await realpath(join(folder, 'vds-embed')),
      await realpath(join(folder, 'e5-small-q4.bin')),
    ];
    await access(command, constants.X_OK);
    await access(model, constants.R_OK);
    return { command, model };
  } catch (cause) {
    const advice = `EMBEDDINGS_FOLDER (${folder}) has no engine; 'npm run servers -- install' makes one`;
    throw new AppError('UNAVAILABLE', `${advice}: ${messageOf(cause)}`, { cause });
  }
}

type ChildOptions = E5Options & { readonly command: string; readonly model: string; readonly scratchDir: string };
type Child = ReturnType<typeof startChild>;

/** Starts a process, which ends when `end` is called, a text fails, or this process ends in any way. */
function startChild(options: ChildOptions) {
  const { command, model, niceness, scratchDir } = options;
  const input = new PassThrough();
  const ending = new AbortController();
  let onVector: (bytes: Buffer) => void = () => ending.abort(unexpected());
  const run = withScratch(scratchDir, 'embeddings', async (scratch) => {
    await runProgram(
      options,
      { name: 'vds-embed', command, args: [model] },
      {
        ...{ scratch, readable: [model], input, niceness, memoryBytes: MEMORY_BYTES },
        ...{ timeoutMs: 2 * OLDEST_MS, signal: ending.signal },
        onOutput: (stdout) => readVectors(stdout, (bytes) => onVector(bytes)),
      },
    );
    throw new AppError('INTERNAL', 'vds-embed ended', { reason: 'program_killed' });
  }).finally(() => {
    ending.abort();
    input.destroy();
  });
  run.catch(() => undefined); // whoever waits for a vector gets the reason
  const startedAt = performance.now();
  let idle: NodeJS.Timeout | undefined;
  const end = async (reason?: unknown): Promise<void> => {
    clearTimeout(idle);
    ending.abort(reason);
    await Promise.allSettled([run]);
  };
  return {
    /** False once it ends, or is old. */
    isUsable: (): boolean => !ending.signal.aborted && performance.now() - startedAt < OLDEST_MS,
    endAfter: (ms: number): void => void (idle = setTimeout(() => void end(), ms).unref()),
    end,
    /** One call at a time. */
    embed: async (text: string, isQuery: boolean): Promise<Int8Array> => {
      clearTimeout(idle);
      const timer = setTimeout(() => ending.abort(timedOut()), TEXT_MS);
      try {
        const vector = Promise.withResolvers<Int8Array>();
        onVector = (bytes) => vector.resolve(Int8Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, DIMENSIONS)));
        input.write(requestOf(text, isQuery));
        return await Promise.race([vector.promise, run]);
      } finally {
        clearTimeout(timer);
        onVector = () => ending.abort(unexpected());
      }
    },
  };
}

/** As embed.c reads it: whether it is a query, the length in bytes, and the text in UTF-8. */
function requestOf(text: string, isQuery: boolean): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const head = Buffer.alloc(5);
  head.writeUInt8(isQuery ? 1 : 0);
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

async function readVectors(stdout: Readable, onVector: (bytes: Buffer) => void): Promise<void> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stdout) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (; rest.length >= DIMENSIONS; rest = rest.subarray(DIMENSIONS)) onVector(rest.subarray(0, DIMENSIONS));
  }
}

function unexpected(): AppError {
  return new AppError('INTERNAL', 'vds-embed wrote a vector that nobody asked for');
}

function timedOut(): AppError {
  return new AppError('DEADLINE_EXCEEDED', `a text took more than ${TEXT_MS} ms`, { reason: 'timed_out' });
}
