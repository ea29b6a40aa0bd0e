/** One request of the interface: sent, retried by spec §7, and its response or error parsed. */
import type { components } from '../../../proto/generated/openapi.ts';
import { ApiError, ConnectionError, type ErrorCode } from './errors.ts';
import { backoffDelayMs, retryDelayMs } from './retry.ts';

/** What every response has besides its body. */
export type ResponseInfo = {
  readonly status: number;
  readonly requestId: string | undefined;
  /** Requests left in the key's minute. */
  readonly rateLimitRemaining: number | undefined;
  /** Ingest requests left in the key's day; of `submit` only. */
  readonly dailyRemaining: number | undefined;
};

/** Time and randomness, replaced in tests. */
export type Runtime = {
  /** Resolves after `ms`, or rejects with the signal's reason. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** A number from 0 to 1. */
  readonly random: () => number;
};

export type TransportOptions = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly maxDailyWaitSeconds: number;
  readonly fetch: typeof globalThis.fetch;
  readonly onResponse: ((info: ResponseInfo) => void) | undefined;
};

export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Of a request that is not idempotent by itself: every request may be sent again. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Returns the function that sends requests. */
export function openTransport(options: TransportOptions, { sleep, random }: Runtime) {
  return async <T>(call: Call): Promise<T> => {
    for (let failures = 0; ;) {
      try {
        return (await sendOnce(options, call)) as T;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 429)) failures += 1;
        const delayMs = delayAfter(error, failures, options, random());
        if (delayMs === undefined) throw error;
        await sleep(delayMs, call.signal);
      }
    }
  };
}

/** Sends one request once. @throws ApiError, ConnectionError, or the reason of the caller's signal */
async function sendOnce(options: TransportOptions, call: Call): Promise<unknown> {
  const { method, path, body, idempotencyKey, signal } = call;
  const timeout = AbortSignal.timeout(options.timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await options.fetch(`${options.baseUrl}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${options.apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = timeout.aborted ? `no response within ${options.timeoutMs} ms` : 'the connection failed';
    throw new ConnectionError(`${method} ${path}: ${reason}`, { cause });
  }
  options.onResponse?.(responseInfo(response));
  const value = parseJson(text);
  if (!response.ok || value === undefined) throw toApiError(response, value);
  return value;
}

function responseInfo({ status, headers }: Response): ResponseInfo {
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimitRemaining: integer(headers.get('x-ratelimit-remaining')),
    dailyRemaining: integer(headers.get('x-ratelimit-daily-remaining')),
  };
}

function integer(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Undefined for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toApiError(response: Response, body: unknown): ApiError {
  const error = isEnvelope(body) ? body.error : undefined;
  const code: ErrorCode = error?.code ?? 'unexpected_response';
  return new ApiError(error?.message ?? `The response with status ${response.status} is not the interface's.`, {
    status: response.status,
    code,
    param: error?.param,
    requestId: error?.request_id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: integer(response.headers.get('retry-after')),
  });
}

function isEnvelope(body: unknown): body is components['schemas']['Error'] {
  const error: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/** Milliseconds until the next try, or undefined for an error that the caller must handle. */
function delayAfter(error: unknown, failures: number, options: TransportOptions, random: number): number | undefined {
  if (error instanceof ApiError) return retryDelayMs(error, failures, random, options);
  return error instanceof ConnectionError ? backoffDelayMs(failures, random) : undefined;
}
