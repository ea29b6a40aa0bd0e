/** Who sends a request and whether it may pass: credentials, then the key's minute, then the scope (design §5). */
import type { Request, Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { readCredentials } from '../domain/credentials.ts';
import type { Caller } from '../outbound/auth.ts';

/**
 * Admits a request, or throws what it is refused with. Sets `x-ratelimit-remaining` as soon as the key is known.
 * @param scope what the key must be allowed to do
 */
export async function admit(
  request: Request,
  response: Response,
  scope: string,
  authorize: (key: string) => Promise<Caller>,
): Promise<Caller> {
  const credentials = readCredentials(request.headersDistinct['authorization'] ?? []);
  if (credentials.kind === 'missing') throw missing();
  if (credentials.kind === 'malformed') throw refused();
  let caller: Caller;
  try {
    caller = await authorize(credentials.key);
  } catch (error) {
    throw error instanceof AppError && error.code === 'UNAUTHENTICATED' ? refused(error) : error;
  }
  response.set('x-ratelimit-remaining', String(Math.max(0, caller.minute.remaining)));
  if (!caller.minute.admitted) throw tooMany('Too many requests in this minute.', caller.minute.retryAfterSeconds);
  if (!caller.scopes.includes(scope))
    throw new AppError('PERMISSION_DENIED', `This needs an API key with the scope ${scope}.`);
  return caller;
}

function missing(): AppError {
  return new AppError('UNAUTHENTICATED', 'Send your API key in the header Authorization: Bearer <API_KEY>.', {
    reason: 'missing_credentials',
  });
}

// One answer for every bad key, byte for byte: nothing is said about which part of it was wrong.
function refused(cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', 'The API key is not valid.', { reason: 'invalid_credentials', cause });
}

/** A 429 with the seconds after which the request may come again. */
export function tooMany(message: string, retryAfterSeconds: number, reason = 'rate_limited'): AppError {
  return new AppError('RESOURCE_EXHAUSTED', message, {
    reason,
    details: { retry_after: String(Math.max(1, retryAfterSeconds)) },
  });
}
