/** Responses to viewers: headers of every response, texts with their entity tag, and small JSON errors. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { AppError, errorTable } from '@vds/chassis/errors';
import { isNotModified } from '../domain/conditional-requests.ts';

/** Any page may play what it has a token for; no response is a page itself. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Age, Content-Length, Content-Range, Date, ETag, X-Request-Id',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const bodyHeaders = [
  'accept-ranges',
  'cache-control',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'x-accel-expires',
];

/**
 * Headers that players ask for: Chromecast and smart TVs name even those that browsers send without asking, players'
 * libraries add conditions and client data (CTA-5004). A list, because older TVs do not know `*`.
 */
const requestHeaders = [
  ...['Accept', 'Accept-Encoding', 'Accept-Language', 'Cache-Control', 'Content-Type', 'Origin', 'Pragma', 'Range'],
  ...['If-Match', 'If-Modified-Since', 'If-None-Match', 'If-Range', 'If-Unmodified-Since', 'X-Requested-With'],
  ...['CMCD-Object', 'CMCD-Request', 'CMCD-Session', 'CMCD-Status'],
].join(', ');

/** RFC 9110 §9.3.7 and the CORS protocol: allowed methods and headers. */
export function sendOptions(response: Response): void {
  response.status(204).set({
    'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
    'access-control-allow-headers': requestHeaders,
    'access-control-max-age': '86400',
    allow: 'GET, HEAD, POST, OPTIONS',
  });
  response.end();
}

/** A redirect to an address relative to the request's own; never cached: it carries the token. */
export function sendRedirect(response: Response, location: string): void {
  response.status(302).set({ location, 'cache-control': 'no-store', 'content-length': '0' });
  response.end();
}

/** A playlist composed for this request, or 304 if the viewer has it. */
export function sendPlaylist(request: Request, response: Response, cacheControl: string, text: string): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  response.set({ etag, 'cache-control': cacheControl });
  if (isNotModified(request.get('if-none-match'), etag)) return void response.status(304).end();
  response.set({
    'content-type': 'application/vnd.apple.mpegurl',
    'content-length': String(Buffer.byteLength(text)),
  });
  response.status(200).end(request.method === 'HEAD' ? undefined : text);
}

/**
 * A small JSON error instead of the intended response. Returns its status.
 * @param requestId for the viewer to report; the logs have it too
 */
export function sendError(request: Request, response: Response, error: unknown, requestId: string): number {
  const { status, ...fault } = toFault(error);
  for (const name of bodyHeaders) response.removeHeader(name);
  const body = JSON.stringify({ error: { ...fault, request_id: requestId } });
  response.status(status).set({
    // Else everyone who waits at an edge for the same file would ask, one after the other. nginx heeds whichever of this and
    // `cache-control` comes first.
    ...(request.headers['x-vds-edge'] !== undefined && { 'x-accel-expires': '1' }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(status === 503 && { 'retry-after': '1' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  return status;
}

function toFault(error: unknown): { readonly status: number; readonly code: string; readonly message: string } {
  if (!(error instanceof AppError) || error.code === 'INTERNAL')
    return { status: 500, code: 'internal_error', message: 'Something went wrong on our side.' };
  const { http, partner } = errorTable[error.code];
  if (http === 500) return { status: 503, code: 'unavailable', message: 'Try again in a moment.' };
  return { status: http, code: error.reason ?? partner, message: error.message };
}

/** A 404. */
export function notFound(): AppError {
  return new AppError('NOT_FOUND', 'There is nothing here.');
}
