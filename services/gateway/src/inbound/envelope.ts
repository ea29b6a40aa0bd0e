/** Responses: JSON bodies, and the one envelope of every error (spec §7). */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { AppError, errorTable } from '@vds/chassis/errors';

/** On every response, including those that bypass the app. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

export type Fault = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The field that broke a rule. */
  readonly param?: string | undefined;
};

export const NO_SUCH_PATH: Fault = {
  status: 404,
  code: 'not_found',
  message: 'There is nothing at this path for this method.',
};
const INTERNAL_ERROR: Fault = {
  status: 500,
  code: 'internal_error',
  message: 'Something went wrong on our side. Try again, with exponential backoff.',
};

/** The finer codes of spec §7; every other reason of an error is internal. */
const finerCodes = new Set(['missing_credentials', 'daily_ingest_limit']);

/** What a partner learns of an error: its own message when it is for the partner, nothing internal otherwise. */
export function toFault(error: unknown): Fault {
  if (!(error instanceof AppError)) return INTERNAL_ERROR;
  const { http: status, partner } = errorTable[error.code];
  if (status === 500) return INTERNAL_ERROR;
  const code = error.reason !== undefined && finerCodes.has(error.reason) ? error.reason : partner;
  return { status, code, message: error.message, param: error.details['param'] };
}

export function sendJson(response: Response, status: number, value: unknown): void {
  send(response, status, JSON.stringify(value));
}

/** A 200 with its entity tag (RFC 9110 §8.8.3), or 304 without a body for a client that has it already. */
export function sendTagged(request: Request, response: Response, value: unknown): void {
  const text = JSON.stringify(value);
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  response.set({ etag, 'cache-control': 'private, no-cache' });
  const known = (request.get('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  // An asterisk is any state of the record (§13.1.2).
  if (known.includes(etag) || known.includes('*')) return void response.status(304).end();
  send(response, 200, text, 'private, no-cache');
}

function send(response: Response, status: number, text: string, cacheControl = 'no-store'): void {
  const body = Buffer.from(text);
  response.status(status).set({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    'cache-control': cacheControl,
  });
  response.end(body);
}

/** Sends the envelope; a 401 names the authentication scheme, a 429 when to retry. */
export function sendFault(response: Response, fault: Fault, requestId: string, retryAfter?: string): void {
  if (fault.status === 401) response.set('www-authenticate', 'Bearer');
  if (retryAfter !== undefined) response.set('retry-after', retryAfter);
  send(response, fault.status, envelope(fault, requestId));
}

/** The envelope as text. */
export function envelope({ code, message, param }: Fault, requestId: string): string {
  return JSON.stringify({ error: { code, message, ...(param !== undefined && { param }), request_id: requestId } });
}
