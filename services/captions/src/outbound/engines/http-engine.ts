/**
 * Calls to an engine behind HTTP. The operator sets its address, but its responses are untrusted: bounded in size and
 * time, no redirects, JSON only. Transient errors are retried here a few times; longer or permanent ones are the
 * caller's.
 */
import { pause } from '@vds/chassis/process/async';
import { AppError, messageOf, type ErrorCode } from '@vds/chassis/errors';
import { Agent, fetch, type BodyInit } from 'undici';
import { createGate } from './gate.ts';

export type Pace = {
  readonly tries: number;
  /** Wait before the second try; doubles from there. */
  readonly firstWaitMs: number;
  /** Engines that request a longer wait are left for a later try of the job. */
  readonly longestWaitMs: number;
};

const usualPace: Pace = { tries: 3, firstWaitMs: 500, longestWaitMs: 20_000 };

export type HttpEngineOptions = {
  readonly name: string;
  /** Base address; a path in it is kept. */
  readonly url: string;
  /** Sent as `authorization: Bearer`. */
  readonly key?: string | undefined;
  /** For one try, from dialling to the last byte of the response. */
  readonly timeoutMs: number;
  /** Concurrent calls, over all users of this engine. */
  readonly concurrency: number;
  readonly pace?: Pace;
};

export type EngineCall<T> = {
  readonly method: 'GET' | 'POST';
  /** Below the base address, without a leading slash. */
  readonly path: string;
  /** Created for each try. */
  readonly body?: () => Promise<BodyInit>;
  readonly isJson?: boolean;
  readonly mostBytes: number;
  /** @throws an error for a wrong response; `nonsense` for one that breaks the contract */
  readonly read: (answer: unknown) => T;
  readonly signal: AbortSignal;
};

/**
 * How a call failed: a retry may succeed at once (`again`), after a while (`later`), or only after a change (`never`).
 */
type Chance = 'again' | 'later' | 'never';

type Failure = { readonly chance: Chance; readonly error: AppError; readonly waitMs?: number | undefined };
type Outcome<T> = { readonly value: T } | { readonly failure: Failure };

type Headers = { readonly get: (name: string) => string | null };

type Body = AsyncIterable<Uint8Array> | null;
export type HttpEngine = ReturnType<typeof openHttpEngine>;

export function openHttpEngine(options: HttpEngineOptions) {
  const { name, pace = usualPace } = options;
  const attempt = openAttempts(options);
  const gate = createGate(options.concurrency);
  /** @throws AppError as documented by SpeechEngine and TranslationEngine; its message begins with the engine's name */
  return async <T>(call: EngineCall<T>): Promise<T> => {
    for (let count = 1; ; count += 1) {
      const outcome = await gate(call.signal, () => attempt(call));
      if ('value' in outcome) return outcome.value;
      const { chance, error, waitMs = pace.firstWaitMs * 2 ** (count - 1) } = outcome.failure;
      const tries = isNonsense(error) ? Math.min(2, pace.tries) : pace.tries;
      if (chance !== 'again' || count >= tries || waitMs > pace.longestWaitMs)
        throw new AppError(error.code, `${name} ${error.message}`, {
          reason: 'engine_error',
          details: error.details,
          cause: error,
        });
      await pause(waitMs, call.signal);
      call.signal.throwIfAborted();
    }
  };
}

/** One try of a call with any outcome; throws only the caller's own abort reason. */
function openAttempts({ url, key, timeoutMs }: HttpEngineOptions) {
  const base = url.replace(/\/+$/, '');
  // undici's own limits would cut off a long response before ours.
  const dispatcher = new Agent({ connect: { timeout: 10_000 }, headersTimeout: 0, bodyTimeout: 0 });
  return async <T>(call: EngineCall<T>): Promise<Outcome<T>> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(`${base}/${call.path}`, {
        method: call.method,
        redirect: 'error',
        dispatcher,
        signal: AbortSignal.any([call.signal, timeout]),
        headers: {
          accept: 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(call.isJson ? { 'content-type': 'application/json' } : {}),
        },
        ...(call.body ? { body: await call.body() } : {}),
      });
      if (!response.ok) {
        await response.body?.cancel();
        return { failure: byStatus(response.status, response.headers) };
      }
      return { value: call.read(parse(await readBounded(response.body, call.mostBytes))) };
    } catch (error) {
      call.signal.throwIfAborted();
      return { failure: asFailure(error, timeoutMs, timeout.aborted) };
    }
  };
}

function byStatus(status: number, headers: Headers): Failure {
  const wait = retryAfterMs(headers.get('retry-after'));
  if (status === 429) return failed('again', 'RESOURCE_EXHAUSTED', 'answered 429', wait);
  if (status >= 500 || status === 408) return failed('again', 'UNAVAILABLE', `answered ${status}`, wait);
  return failed('never', 'FAILED_PRECONDITION', `refused the request with ${status}`);
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function failed(chance: Chance, code: ErrorCode, message: string, waitMs?: number, cause?: unknown): Failure {
  return {
    chance,
    error: new AppError(code, message, { reason: 'engine_error', cause }),
    waitMs,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw nonsense('no JSON', cause);
  }
}

/** The error of an engine that broke its contract. It is tried once more, then the track fails. */
export function nonsense(what: string, cause?: unknown): AppError {
  return new AppError('FAILED_PRECONDITION', `answered nonsense: ${what}`, {
    reason: 'engine_error',
    details: { fault: 'nonsense' },
    cause,
  });
}

async function readBounded(body: Body, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream, and with it the connection.
    if (bytes > mostBytes) throw nonsense(`more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function asFailure(error: unknown, timeoutMs: number, timedOut: boolean): Failure {
  // The next try would take as long again: it is left to the job, after others have run.
  if (timedOut) return failed('later', 'DEADLINE_EXCEEDED', `did not answer within ${timeoutMs} ms`);
  if (error instanceof AppError) return { chance: isNonsense(error) ? 'again' : 'never', error };
  return failed('again', 'UNAVAILABLE', `cannot be reached: ${rootOf(error)}`, undefined, error);
}

/** The reason under undici's "fetch failed". */
function rootOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? messageOf(cause) || cause.name : messageOf(error);
}

function isNonsense(error: AppError): boolean {
  return error.details['fault'] === 'nonsense';
}
