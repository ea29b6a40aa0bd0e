/** The bytes of a source as one stream, over as many connections as needed. */
import type { SourceReader } from '../domain/jobs/fetch-source.ts';
import { readResponse, type SourceResponse, type Wanted } from '../domain/source-response.ts';
import { faultKindOf, sourceFault, statusOf } from '../domain/source-fault.ts';
import type { OpenedSource, OpenSource } from './open-source.ts';

// A connection that delivered at least this much before it was lost is replaced at once, which costs no try.
const RESUME_AFTER_BYTES = 1024 * 1024;

export type ReadSourceOptions = {
  readonly open: OpenSource;
  /** The operator's cap on a file. */
  readonly maxBytes: number;
  /** Called with the size of every chunk, in bytes. */
  readonly onBytes: (count: number) => void;
};

type Body = Extract<SourceResponse, { kind: 'body' }>;
type Opened = { readonly source: OpenedSource; readonly response: SourceResponse };

const fromStart: Wanted = { from: 0, validator: undefined, total: undefined };

/**
 * Opens a source at the requested offset, or at its beginning where it cannot be resumed there.
 * @throws the faults of the opener and of the response; `take` throws those of the body
 */
export async function openReader(
  options: ReadSourceOptions,
  address: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<SourceReader> {
  const { source, response } = await requestOrRestart(options, address, wanted, signal);
  if (response.kind !== 'body') {
    const { from: offset, total, validator } = wanted;
    return { offset, total, validator, ranges: true, take: () => Promise.resolve(undefined), close: source.close };
  }
  return readerOf(response, readChunks(options, address, source, response, signal));
}

/**
 * Opens a source at exactly the requested offset.
 * @returns undefined where the host does not continue the same file there
 * @throws as `openReader`
 */
export async function openTailReader(
  ...[options, address, wanted, signal]: Parameters<typeof request>
): Promise<SourceReader | undefined> {
  const { source, response } = await request(options, address, wanted, signal);
  // The bytes before it may be all of the file, which the first connection reads anyway.
  if (response.kind === 'body' && response.offset === wanted.from && response.surplus === 0)
    return readerOf(response, readChunks(options, address, source, response, signal));
  await source.close();
  return undefined;
}

function readerOf(
  { offset, total, validator, ranges }: Body,
  { read, close }: ReturnType<typeof readChunks>,
): SourceReader {
  let held: Buffer | undefined;
  const take = async (max: number): Promise<Buffer | undefined> => {
    const chunk = held ?? (await read());
    held = chunk && chunk.length > max ? chunk.subarray(max) : undefined;
    return chunk?.subarray(0, max);
  };
  return { offset, total, validator, ranges, take, close };
}

/** Like `request`, but from the beginning where the source cannot be resumed. */
async function requestOrRestart(...[options, address, wanted, signal]: Parameters<typeof request>): Promise<Opened> {
  const resumable = wanted.from > 0 && wanted.validator !== undefined;
  const opened = await request(options, address, resumable ? wanted : fromStart, signal);
  if (opened.response.kind !== 'restart') return opened;
  await opened.source.close();
  return request(options, address, fromStart, signal);
}

/** Opens the source; it is closed again when the response is not a file. */
async function request(
  options: ReadSourceOptions,
  address: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Opened> {
  const { from, validator } = wanted;
  const source = await options.open(
    address,
    from > 0 && validator !== undefined ? { from, validator } : undefined,
    signal,
  );
  try {
    const context = { maxBytes: options.maxBytes, nowMs: Date.now() };
    return { source, response: readResponse(source.status, source.headers, wanted, context) };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Chunks to the end of the file; after a lost connection the rest of the same file is requested. */
function readChunks(options: ReadSourceOptions, address: string, first: OpenedSource, body: Body, signal: AbortSignal) {
  const { total, validator } = body;
  let source = first;
  let at = body.offset;
  let openedAt = at;
  let { surplus } = body;

  const reconnect = async (cut: unknown): Promise<void> => {
    if (validator === undefined || at - openedAt < RESUME_AFTER_BYTES) throw cut;
    await source.close();
    const next = await request(options, address, { from: at, validator, total }, signal);
    source = next.source;
    openedAt = at;
    if (next.response.kind !== 'body' || next.response.offset !== at) throw cut;
    surplus = next.response.surplus;
  };

  /** The next chunk behind the surplus. */
  const readWanted = async (): Promise<Buffer | undefined> => {
    let chunk = await source.read();
    for (; chunk && chunk.length <= surplus; chunk = await source.read()) surplus -= chunk.length;
    const wanted = chunk?.subarray(surplus);
    surplus = 0;
    return wanted;
  };

  const read = async (): Promise<Buffer | undefined> => {
    for (;;) {
      try {
        const chunk = await readWanted();
        if (chunk || total === undefined || at === total) return chunk;
        throw sourceFault('body_truncated');
      } catch (error) {
        if (faultKindOf(error) !== 'body_truncated') throw error;
        await reconnect(error);
      }
    }
  };

  return {
    read: async (): Promise<Buffer | undefined> => {
      const chunk = await read();
      at += chunk?.length ?? 0;
      options.onBytes(chunk?.length ?? 0);
      if (at > options.maxBytes) throw sourceFault('too_large', { details: { max_bytes: String(options.maxBytes) } });
      if (total !== undefined && at > total)
        throw sourceFault('response_invalid', { details: statusOf(source.status) });
      return chunk;
    },
    close: () => source.close(),
  };
}
