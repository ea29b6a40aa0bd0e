/** One object of the bucket as an HTTP answer: conditions, ranges, and bytes no faster than the viewer takes them. */
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { readRange, type Wanted } from '../domain/byte-range.ts';
import { isNotModified, mayAnswerPart } from '../domain/conditional.ts';
import type { Files } from '../outbound/media.ts';

export type ServedObject = {
  readonly files: Files;
  readonly key: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** A viewer who takes nothing for that long is let go. */
  readonly idleMs: number;
  /** Counts bytes as they are handed on. */
  readonly onBytes: (count: number) => void;
};

/**
 * Answers with an object.
 * @throws NOT_FOUND where there is none, UNAVAILABLE when the bucket does not answer
 */
export async function serveObject(request: Request, response: Response, served: ServedObject): Promise<void> {
  const info = await served.files.describe(served.key);
  if (!info) throw nothingHere();
  const etag = `"${info.etag}"`;
  response.set({
    etag,
    'last-modified': info.lastModified.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': served.cacheControl,
  });
  if (isNotModified(request.get('if-none-match'), etag)) return void response.status(304).end();
  const wanted = wantedOf(request, etag, info.lastModified, info.size);
  if (wanted.kind === 'unsatisfiable') {
    response.status(416).set({ 'content-range': `bytes */${info.size}`, 'content-length': '0' });
    return void response.end();
  }
  const length = wanted.kind === 'part' ? wanted.length : info.size;
  response.set({ 'content-type': served.contentType, 'content-length': String(length) });
  if (wanted.kind === 'part')
    response.set('content-range', `bytes ${wanted.start}-${wanted.start + wanted.length - 1}/${info.size}`);
  response.status(wanted.kind === 'part' ? 206 : 200);
  if (request.method === 'HEAD' || length === 0) return void response.end();
  await stream(request, response, served, wanted);
}

function nothingHere(): AppError {
  return new AppError('NOT_FOUND', 'There is nothing here.');
}

function wantedOf(request: Request, etag: string, lastModified: Date, size: number): Wanted {
  const whole = request.method !== 'GET' || !mayAnswerPart(request.get('if-range'), etag, lastModified);
  return readRange(whole ? undefined : request.get('range'), size);
}

async function stream(request: Request, response: Response, served: ServedObject, wanted: Wanted): Promise<void> {
  const body = await served.files.open(served.key, wanted.kind === 'part' ? wanted : undefined);
  if (!body) throw nothingHere();
  // The viewer may have gone while the bucket was asked; then nothing is read.
  if (response.destroyed) return void body.destroy();
  response.setTimeout(served.idleMs, () => response.destroy());
  body.on('data', (chunk: Buffer) => served.onBytes(chunk.length));
  await pipeline(body, response).catch((error: unknown) => {
    if (!request.destroyed && !response.destroyed) throw error;
  });
}
