/** Responses: JSON bodies, and the one envelope of every error (spec §7). */
import type { Response } from 'express';
import { AppError, errorTable } from '@vds/chassis/errors';

/** On every response, including those that bypass the app. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

export type Fault = { readonly status: number; readonly code: string; readonly message: string };

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
  return { status, code, message: error.message };
}

export function sendJson(response: Response, status: number, value: unknown): void {
  send(response, status, JSON.stringify(value));
}

function send(response: Response, status: number, text: string): void {
  const body = Buffer.from(text);
  response.status(status).set({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    'cache-control': 'no-store',
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
export function envelope({ code, message }: Fault, requestId: string): string {
  return JSON.stringify({ error: { code, message, request_id: requestId } });
}
