/** Answers: JSON bodies and the one envelope of every error (spec §7). */
import type { Response } from 'express';
import { AppError, errorTable } from '@vds/chassis/errors';

const INTERNAL_MESSAGE = 'Something went wrong on our side. Try again, with exponential backoff.';

/** On every answer, also on those that never see the app. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** The finer codes of spec §7; an error's reason is one of them or is ours alone. */
const finerCodes = new Set(['missing_credentials', 'daily_ingest_limit']);

export type Fault = { readonly status: number; readonly code: string; readonly message: string };

/** What a partner is told of an error: its own sentence where it is the partner's matter, nothing of ours otherwise. */
export function faultOf(error: unknown): Fault {
  const row = errorTable[error instanceof AppError ? error.code : 'INTERNAL'];
  if (!(error instanceof AppError) || row.http === 500)
    return { status: 500, code: 'internal_error', message: INTERNAL_MESSAGE };
  const code = error.reason !== undefined && finerCodes.has(error.reason) ? error.reason : row.partner;
  return { status: row.http, code, message: error.message };
}

export function sendJson(response: Response, status: number, value: unknown): void {
  return send(response, status, JSON.stringify(value));
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

/** Answers with the envelope; a 401 says how to authenticate, a 429 when to come again. */
export function sendFault(response: Response, fault: Fault, requestId: string, retryAfter?: string): void {
  if (fault.status === 401) response.set('www-authenticate', 'Bearer');
  if (retryAfter !== undefined) response.set('retry-after', retryAfter);
  send(response, fault.status, envelope(fault, requestId));
}

/** The envelope as text. */
export function envelope(fault: Fault, requestId: string): string {
  return JSON.stringify({ error: { code: fault.code, message: fault.message, request_id: requestId } });
}
