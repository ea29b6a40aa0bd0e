/** One request of the interface: sent, retried as spec §7 has it, and its answer or error read. */
import type { components } from '../../generated/openapi.ts';
import { ApiError, ConnectionError, type ErrorCode } from './errors.ts';
import { backoffDelayMs, retryDelayMs } from './retry.ts';

/** What every answer tells beside its body. */
export type ResponseInfo = {
  readonly status: number;
  readonly requestId: string | undefined;
  /** Requests left in the key's minute. */
  readonly rateLimitRemaining: number | undefined;
  /** Ingest requests left in the key's day; of `submit` only. */
  readonly dailyRemaining: number | undefined;
};

/** Time and chance, so that tests need not wait. */
export type Surroundings = {
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
  /** Whether a request of which no answer came may be sent again: not where that could make a second video. */
  readonly idempotent: boolean;
  readonly signal?: AbortSignal | undefined;
};

/** Builds the function that sends requests. */
export function openTransport(options: TransportOptions, { sleep, random }: Surroundings) {
  return async <T>(call: Call): Promise<T> => {
    for (let failures = 0; ;) {
      try {
        return (await sendOnce(options, call)) as T;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 429)) failures += 1;
        const delayMs = delayAfter(error, failures, call, options, random());
        if (delayMs === undefined) throw error;
        await sleep(delayMs, call.signal);
      }
    }
  };
}

/** Sends one request once. @throws ApiError, ConnectionError, or the reason of the caller's signal */
async function sendOnce(options: TransportOptions, call: Call): Promise<unknown> {
  const { method, path, body, signal } = call;
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
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    const why = timeout.aborted ? `no answer within ${options.timeoutMs} ms` : 'the connection failed';
    throw new ConnectionError(`${method} ${path}: ${why}`, { cause });
  }
  options.onResponse?.(infoOf(response));
  const value = parsed(text);
  if (!response.ok || value === undefined) throw errorOf(response, value);
  return value;
}

function infoOf({ status, headers }: Response): ResponseInfo {
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimitRemaining: wholeNumber(headers.get('x-ratelimit-remaining')),
    dailyRemaining: wholeNumber(headers.get('x-ratelimit-daily-remaining')),
  };
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // not JSON: errorOf says so
  }
}

function errorOf(response: Response, body: unknown): ApiError {
  const known = isEnvelope(body) ? body.error : undefined;
  const code: ErrorCode = known?.code ?? 'unexpected_response';
  return new ApiError(known?.message ?? `The answer with status ${response.status} is not one of the interface.`, {
    status: response.status,
    code,
    requestId: known?.request_id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: wholeNumber(response.headers.get('retry-after')),
  });
}

function isEnvelope(body: unknown): body is components['schemas']['Error'] {
  const error: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/** Milliseconds until the next try, or undefined when the error is the caller's to have. */
function delayAfter(
  error: unknown,
  failures: number,
  call: Call,
  options: TransportOptions,
  random: number,
): number | undefined {
  if (error instanceof ApiError) return retryDelayMs(error, failures, random, options);
  return error instanceof ConnectionError && call.idempotent ? backoffDelayMs(failures, random) : undefined;
}
