/**
 * Objects on their way from storage to a reader of HTTP: straight from socket to socket through one buffer a connection,
 * because Node's HTTP client and its streams take three times the processor time. What is not the plain case is left to
 * the ordinary client.
 */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { connectForReads, type ReadConnection } from './read-connection.ts';
import { guard, type Objects, type ObjectsConfig } from './objects.ts';
import { requestSigner, type SignedRequest } from './signature.ts';

export type Forward = ReturnType<typeof openForwarding>;

/** What is forwarded: `span` of an object of `size` bytes, or all of it. */
export type Forwarded = {
  readonly key: string;
  readonly size: number;
  readonly span?: { readonly start: number; readonly length: number } | undefined;
};

/**
 * Keeps the promise that a valid token and an open gate are enough to watch (design, playback), however many viewers are
 * slow: nobody waits for a connection, and those beyond `LARGE` have less memory and take more processor time.
 */
const LARGE = 1_024;
const LARGE_BYTES = 128 * 1024;
const SMALL_BYTES = 16 * 1024;

/**
 * Forwards objects of any bucket of this storage.
 * @param large connections with a large buffer, at most
 */
export function openForwarding(config: ObjectsConfig, large = LARGE) {
  const sign = requestSigner(config);
  const pools = { large: openPool(config, LARGE_BYTES), small: openPool(config, SMALL_BYTES) };
  let running = 0;
  const direct = async (bucket: string, object: Forwarded, response: ServerResponse, onBytes: OnBytes) => {
    const signed = await guard(object.key, () => sign('GET', bucket, object.key));
    if (response.destroyed) return undefined;
    const pool = running < large ? pools.large : pools.small;
    const connection = pool.take();
    const leave = (): void => connection.abandon();
    response.once('close', leave);
    running += 1;
    try {
      const outcome = await guard(object.key, () =>
        connection.read(requestFor(signed, object), (part, isLast, onTaken) => {
          if (response.destroyed) return connection.abandon();
          onBytes(part.length);
          if (isLast) response.end(part, onTaken);
          else response.write(part, onTaken);
        }),
      );
      if (outcome === 'complete') pool.keep(connection);
      return outcome;
    } finally {
      running -= 1;
      response.off('close', leave);
    }
  };
  /**
   * Sends the object as the body of `response`, at the speed of its reader, and ends it. Nothing is sent if it throws at
   * once; an error midway leaves the response unfinished.
   * @param onBytes called with the length of every part
   * @throws AppError as reads of `objects` do; nothing where the reader has left
   */
  return async (objects: Objects, object: Forwarded, response: ServerResponse, onBytes: OnBytes): Promise<void> => {
    if (response.destroyed) return;
    const outcome = await direct(objects.bucket, object, response, onBytes).catch((error: unknown) => {
      if (!response.destroyed) throw error;
    });
    if (outcome === 'refused' && !response.destroyed) await byClient(objects, object, response, onBytes);
  };
}

type OnBytes = (count: number) => void;

/** Connections to storage, kept between reads. */
function openPool(config: ObjectsConfig, bufferBytes: number) {
  /** The last one first, so that those beyond today's need end. */
  const kept: ReadConnection[] = [];
  const forget = (closed: ReadConnection): void => {
    if (kept.includes(closed)) kept.splice(kept.indexOf(closed), 1);
  };
  return {
    take: (): ReadConnection => kept.pop() ?? connectForReads(config, bufferBytes, forget),
    keep: (connection: ReadConnection): void => {
      if (connection.isOpen()) kept.push(connection);
    },
  };
}

function requestFor({ path, headers }: SignedRequest, { size, span }: Forwarded) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const range = span ? `range: bytes=${span.start}-${span.start + span.length - 1}\r\n` : '';
  return {
    head: `GET ${path} HTTP/1.1\r\n${lines.join('')}${range}\r\n`,
    status: span ? 206 : 200,
    length: span?.length ?? size,
  };
}

/** The ordinary way, which also has a sentence for every error of storage. */
async function byClient(
  objects: Objects,
  { key, span }: Forwarded,
  response: ServerResponse,
  onBytes: OnBytes,
): Promise<void> {
  const body = await objects.getStream(key, span);
  // The reader may have left while storage was silent; then nothing is read.
  if (response.destroyed) return void body.destroy();
  body.on('data', (part: Buffer) => onBytes(part.length));
  await pipeline(body, response).catch((error: unknown) => {
    if (!response.destroyed) throw error;
  });
}
