/** The behaviours of a path of the test origin: serve a file correctly, or fail like a broken source host. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';

/** Handles one request; `earlier` is the number of previous requests for its path. */
export type Route = (request: Request, response: Response, earlier: number) => void | Promise<void>;
type SendError = Error & { status?: number; headers?: Record<string, string> };

/** The whole file for every request, like a host without range support: 200, no Accept-Ranges, no ETag. */
export function serveWhole(file: string): Route {
  return async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': (await stat(file)).size });
    createReadStream(file).pipe(response);
  };
}

/** `status` for the first `times` requests, then `then`. */
export function failFirst(times: number, status: number, then: Route): Route {
  return (request, response, earlier) =>
    earlier < times ? answerStatus(status)(request, response, earlier) : then(request, response, earlier - times);
}

/** A response without a useful body. */
export function answerStatus(status: number, headers: Readonly<Record<string, string>> = {}): Route {
  return (_request, response) => {
    response.status(status).set(headers).type('text/plain').send(`${status}\n`);
  };
}

/**
 * Sends by Express's own file sender; its rejections (including 416) are sent, and a reader that disconnects is not an
 * error.
 */
async function send(response: Response, file: string, options: { lastModified?: boolean } = {}): Promise<void> {
  return new Promise((resolve) => {
    response.sendFile(file, { cacheControl: false, dotfiles: 'allow', ...options }, (error?: SendError) => {
      if (error !== undefined && !response.headersSent) {
        response.removeHeader('etag');
        response
          .status(error.status ?? 500)
          .set(error.headers ?? {})
          .end();
      }
      resolve();
    });
  });
}

/** A web page instead of a video. */
export function htmlPage(): Route {
  return (_request, response) => {
    response
      .type('html')
      .send('<!doctype html><html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>\n');
  };
}

/** 200 with Content-Length 0. */
export function emptyFile(): Route {
  return (_request, response) => {
    response.type('video/mp4').status(200).end();
  };
}

/**
 * Promises the whole file's length, sends `share` of it (half by default), then cuts the connection; ranges are
 * ignored, so a resumed download ends the same way.
 */
export function truncated(file: string, share = 0.5): Route {
  return async (_request, response) => {
    const { head, size } = await firstBytes(file, share);
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
    response.write(head, () => response.destroy());
  };
}

async function firstBytes(file: string, share: number): Promise<{ head: Buffer; size: number }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.floor(size * share));
    await handle.read(head, 0, head.length, 0);
    return { head, size };
  } finally {
    await handle.close();
  }
}

/**
 * Cuts the first `times` responses after `share` of the requested bytes, then serves correctly: a client that resumes
 * by range succeeds.
 */
export function cutFirst(times: number, file: string, share = 0.5): Route {
  return async (request, response, earlier) => {
    if (earlier >= times) return serveFile(file)(request, response, earlier);
    const { head, size } = await firstBytes(file, share);
    response.writeHead(200, {
      'content-type': 'video/mp4',
      'content-length': size,
      'accept-ranges': 'bytes',
      etag: await etagOf(file),
    });
    response.write(head, () => response.destroy());
  };
}

/** The whole file with ranges, a strong ETag, Last-Modified and Content-Length; 404 for a missing one. */
export function serveFile(file: string): Route {
  return async (_request, response) => {
    // A file that cannot be read is treated as missing.
    const etag = await etagOf(file).catch(() => null);
    if (etag === null) {
      response.status(404).type('text/plain').send('Not found\n');
      return;
    }
    response.setHeader('etag', etag);
    await send(response, file);
  };
}

/** A strong validator of the file's current bytes, so that `If-Range` may be used with it (RFC 9110 §13.1.5). */
async function etagOf(file: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(file);
  return `"${createHash('sha256').update(`${ino} ${size} ${mtimeMs}`).digest('hex').slice(0, 24)}"`;
}

/** The file at about `bytesPerSecond`, in ten steps a second. */
export function serveSlowly(file: string, bytesPerSecond: number): Route {
  return async (_request, response) => {
    const { head, size } = await firstBytes(file, 1);
    const step = Math.max(1, Math.floor(bytesPerSecond / 10));
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
    for (let at = 0; at < size && !response.destroyed; at += step) {
      response.write(head.subarray(at, at + step));
      await pause(100);
    }
    response.end();
  };
}

/** The file with ranges and a strong ETag over one line: all responses together get about `bytesPerSecond`. */
export function serveOverLine(file: string, bytesPerSecond: number): Route {
  let freeAt = 0;
  return async (request, response) => {
    const [{ size }, etag] = [await stat(file), await etagOf(file)];
    const isSame = [undefined, etag].includes(request.get('if-range'));
    const asked = isSame ? request.range(size) : undefined;
    const [range] = Array.isArray(asked) ? asked : [];
    const { start, end } = range ?? { start: 0, end: size - 1 };
    response.writeHead(range ? 206 : 200, {
      ...{ 'content-type': 'video/mp4', 'content-length': end + 1 - start, 'accept-ranges': 'bytes', etag },
      ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
    });
    const closed = once(response, 'close');
    for await (const chunk of createReadStream(file, { start, end, highWaterMark: 65_536 }) as AsyncIterable<Buffer>) {
      freeAt = Math.max(freeAt, performance.now()) + (chunk.length / bytesPerSecond) * 1_000;
      await pause(Math.max(0, freeAt - performance.now()));
      if (response.destroyed) return;
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed]);
    }
    response.end();
  };
}

/** Redirects every reader to `to` (absolute, or relative to the path). */
export function redirect(to: string, status: 301 | 302 | 303 | 307 | 308 = 302): Route {
  return (_request, response) => {
    response.writeHead(status, { location: to, 'content-length': 0 }).end();
  };
}

/** Accepts the request and never responds; the connection stays open until either side closes it. */
export function hang(): Route {
  return () => {};
}

/** Closes the connection without a response. */
export function hangUp(): Route {
  return (request) => {
    request.socket.destroy();
  };
}

/** The file with a new ETag on every request, as if it kept changing. */
export function serveChanging(file: string): Route {
  return async (_request, response, earlier) => {
    response.setHeader('etag', `"version-${earlier}"`);
    await send(response, file, { lastModified: false });
  };
}
