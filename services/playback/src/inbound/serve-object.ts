/** Serves one object of a bucket over HTTP: conditions, ranges, and backpressure to the viewer's speed. */
import type { Request, Response } from 'express';
import { isNotModified, isRangeAllowed, readRange } from '../domain/conditional-requests.ts';
import { contentTypeOf } from '../domain/media-path.ts';
import { SMALL_BYTES, type Files } from '../outbound/media.ts';
import { notFound } from './responses.ts';

/** A viewer who takes less than this in `idleMs`, on average, is disconnected; a paused player asks again. */
export type Pace = { readonly idleMs: number; readonly minBytesPerSecond: number };

export type ServedObject = {
  readonly files: Files;
  readonly key: string;
  readonly cacheControl: string;
  readonly pace: Pace;
  /** Counts bytes as they are sent. */
  readonly onBytes: (count: number) => void;
};

/**
 * Sends the object.
 * @throws NOT_FOUND if there is none, UNAVAILABLE if the bucket does not respond
 */
export async function serveObject(request: Request, response: Response, served: ServedObject): Promise<void> {
  const contentType = contentTypeOf(served.key);
  const info = contentType === undefined ? undefined : await served.files.describe(served.key);
  if (!info) throw notFound();
  const { size, lastModified } = info;
  const etag = `"${info.etag}"`;
  response.set({
    etag,
    'last-modified': lastModified.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': served.cacheControl,
  });
  if (isNotModified(request.get('if-none-match'), etag)) return void response.status(304).end();
  const takesRange = request.method === 'GET' && isRangeAllowed(request.get('if-range'), etag, lastModified);
  const selection = readRange(takesRange ? request.get('range') : undefined, size);
  if (selection.kind === 'unsatisfiable') {
    response.status(416).set({ 'content-range': `bytes */${size}`, 'content-length': '0' });
    return void response.end();
  }
  const span = selection.kind === 'part' ? selection : undefined;
  const length = span?.length ?? size;
  response.status(span ? 206 : 200).set({ 'content-type': contentType, 'content-length': String(length) });
  if (span) response.set('content-range', `bytes ${span.start}-${span.start + span.length - 1}/${size}`);
  if (request.method === 'HEAD' || length === 0) return void response.end();
  if (size <= SMALL_BYTES) {
    const bytes = await served.files.read(served.key);
    if (!bytes) throw notFound();
    served.onBytes(length);
    response.once(
      'close',
      watchPace(
        served.pace,
        () => 0,
        () => response.destroy(),
      ),
    );
    return void response.end(span ? bytes.subarray(span.start, span.start + length) : bytes);
  }
  let taken = 0;
  const watch = (): void => {
    const endWatch = watchPace(
      served.pace,
      () => taken,
      () => response.destroy(),
    );
    response.once('close', endWatch);
  };
  const isThere = await served.files.send({ key: served.key, size, span }, response, (count) => {
    if (taken === 0) watch();
    taken += count;
    served.onBytes(count);
  });
  if (!isThere) throw notFound();
}

/**
 * Keeps the promise that no reader holds a stream of the bucket, a socket and their buffers for as long as it likes:
 * connections that stop reading, or read too slowly, are closed. Counts from the first bytes, because until then storage is
 * waited for, until the response is closed, so also while its last bytes wait in the socket.
 */
function watchPace({ idleMs, minBytesPerSecond }: Pace, takenBytes: () => number, cut: () => void): () => void {
  const least = Math.max(1, (minBytesPerSecond * idleMs) / 1_000);
  let before = 0;
  const timer = setInterval(() => {
    const taken = takenBytes();
    if (taken - before < least) cut();
    before = taken;
  }, idleMs);
  return () => clearInterval(timer);
}
