/** Authorizes a request: credentials, then the key's minute limit, then its scope. */
import type { Request, Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { readCredentials } from '../domain/credentials.ts';
import type { Caller } from '../outbound/auth-client.ts';
import type { Refusals } from './refusals.ts';

export type AdmissionDeps = {
  readonly authorize: (key: string, requestId: string) => Promise<Caller>;
  readonly refusals: Refusals;
  /** The address of the client, behind trusted hops. */
  readonly clientOf: (request: Request) => string;
};

/**
 * The caller of a request, or the error to reject it with. Sets `x-ratelimit-remaining` as soon as the key is known.
 * @param scope what the key must be allowed to do
 */
export async function admit(
  request: Request,
  response: Response,
  scope: string,
  { authorize, refusals, clientOf }: AdmissionDeps,
): Promise<Caller> {
  const credentials = readCredentials(request.headersDistinct['authorization'] ?? []);
  if (credentials.kind === 'missing')
    throw new AppError('UNAUTHENTICATED', 'Send your API key in the header Authorization: Bearer <API_KEY>.', {
      reason: 'missing_credentials',
    });
  if (credentials.kind === 'malformed') throw invalidKey();
  const client = clientOf(request);
  const waitSeconds = refusals.waitSeconds(client, credentials.key);
  if (waitSeconds > 0) {
    response.set({ 'x-ratelimit-limit': String(refusals.perMinute), 'x-ratelimit-remaining': '0' });
    throw tooManyRequests('Too many invalid API keys came from your address.', waitSeconds);
  }
  const caller = await authorize(credentials.key, String(response.getHeader('x-request-id'))).catch(
    (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'UNAUTHENTICATED') throw error;
      refusals.refused(client, credentials.key);
      throw invalidKey(error);
    },
  );
  refusals.accepted(credentials.key);
  response.set({
    'x-ratelimit-limit': String(caller.minute.limit),
    'x-ratelimit-remaining': String(Math.max(0, caller.minute.remaining)),
  });
  if (!caller.minute.admitted)
    throw tooManyRequests('Too many requests in this minute.', caller.minute.retryAfterSeconds);
  if (!caller.scopes.includes(scope))
    throw new AppError('PERMISSION_DENIED', `This needs an API key with the scope ${scope}.`);
  await failpoint('gateway.request-authorized');
  return caller;
}

/** The same response for every invalid key, byte for byte: it does not reveal which part was wrong. */
function invalidKey(cause?: unknown): AppError {
  return new AppError('UNAUTHENTICATED', 'The API key is not valid.', { reason: 'invalid_credentials', cause });
}

/** A 429 with the seconds after which the request may be sent again. */
export function tooManyRequests(message: string, retryAfterSeconds: number, reason = 'rate_limited'): AppError {
  const details = { retry_after: String(Math.max(1, retryAfterSeconds)) };
  return new AppError('RESOURCE_EXHAUSTED', message, { reason, details });
}
