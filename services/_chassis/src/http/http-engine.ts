/**
 * Calls to an engine behind HTTP. The operator sets its address, but its responses are untrusted: bounded in size and
 * time, no redirects, JSON only. Transient errors are retried here a few times; longer or permanent ones are the
 * caller's.
 */
import { pause } from '../async.ts';
import { AppError, messageOf, type ErrorCode } from '../errors.ts';
import { Agent, errors, fetch, type BodyInit, type Response } from 'undici';
import { createGate } from '../gate.ts';

export type RetryPolicy = {
  readonly tries: number;
  /** Wait before the second try; doubles from there. */
  readonly firstWaitMs: number;
  /** Engines that request a longer wait are left for a later try of the job. */
  readonly longestWaitMs: number;
};

/** How long a server that hangs on one call may take to reply to a trivial one. */
const REPLY_MS = 3_000;

const defaultRetry: RetryPolicy = { tries: 3, firstWaitMs: 500, longestWaitMs: 20_000 };

export type HttpEngineOptions = {
  readonly name: string;
  /** Base address; a path in it is kept. */
  readonly url: string;
  /** Sent as `authorization: Bearer`. */
  readonly key?: string | undefined;
  /** For one try, from dialling to the last byte of the response. */
  readonly timeoutMs: number;
  /** How long a response that has begun may stand still; 30 s by default. */
  readonly silentMs?: number;
  /** Concurrent calls, over all users of this engine. */
  readonly concurrency: number;
  readonly retry?: RetryPolicy;
};

export type EngineCall<T> = {
  readonly method: 'GET' | 'POST';
  /** Below the base address, without a leading slash. */
  readonly path: string;
  /** Created for each try. */
  readonly body?: () => Promise<BodyInit>;
  readonly isJson?: boolean;
  readonly mostBytes: number;
  /** @throws `invalidResponse` for one that breaks the contract */
  readonly read: (response: unknown) => T;
  readonly signal: AbortSignal;
};

type Failure = {
  readonly error: AppError;
  /** The most tries that such a failure is worth: 1 where the next one would fail or take as long again. */
  readonly tries: number;
  /** As the engine requests it. */
  readonly waitMs?: number | undefined;
};
type Outcome<T> = { readonly value: T } | { readonly failure: Failure };

export function openHttpEngine(options: HttpEngineOptions) {
  const { name, retry = defaultRetry } = options;
  const base = options.url.replace(/\/+$/, '');
  const attempt = openAttempts(options, base);
  const gate = createGate(options.concurrency);
  /** @throws AppError as documented by SpeechEngine and TranslationEngine; its message begins with the engine's name */
  return async <T>(call: EngineCall<T>): Promise<T> => {
    for (let count = 1; ; count += 1) {
      const outcome = await gate(call.signal, () => attempt(call));
      if ('value' in outcome) return outcome.value;
      const { error, tries, waitMs = retry.firstWaitMs * 2 ** (count - 1) } = outcome.failure;
      if (count >= Math.min(tries, retry.tries) || waitMs > retry.longestWaitMs)
        throw engineError(await codeOf(error, base, call.signal), `${name} ${error.message}`, error);
      await pause(waitMs, call.signal);
      call.signal.throwIfAborted();
    }
  };
}

/** One try of a call with any outcome; throws only the caller's own abort reason. */
function openAttempts({ key, timeoutMs, silentMs = 30_000 }: HttpEngineOptions, base: string) {
  // An engine responds when its work is done: until then only the limit of the whole try counts.
  const dispatcher = new Agent({ connect: { timeout: 10_000 }, headersTimeout: 0, bodyTimeout: silentMs });
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
        return { failure: byStatus(response) };
      }
      return { value: call.read(parse(await readBounded(response, call.mostBytes))) };
    } catch (error) {
      call.signal.throwIfAborted();
      return { failure: asFailure(error, timeoutMs, timeout.aborted) };
    }
  };
}

function byStatus({ status, headers }: Response): Failure {
  if (status !== 429 && status !== 408 && status < 500)
    return { error: engineError(rejectionCode(status), `rejected the request with ${status}`), tries: 1 };
  const code = status === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE';
  const waitMs = retryAfterMs(headers.get('retry-after'));
  return { error: engineError(code, `returned ${status}`), tries: Number.POSITIVE_INFINITY, waitMs };
}

function engineError(code: ErrorCode, message: string, cause?: unknown): AppError {
  return new AppError(code, message, { reason: 'engine_error', cause });
}

/**
 * A key that the engine does not accept is a fault of the configuration, and so is an address where none is, for example
 * while it is replaced behind a proxy: neither says anything about the request.
 */
function rejectionCode(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'PERMISSION_DENIED';
  return status === 404 || status === 405 ? 'UNAVAILABLE' : 'FAILED_PRECONDITION';
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidResponse('no JSON', cause);
  }
}

/** The error of an engine that broke its contract. It is tried once more, then the track fails. */
export function invalidResponse(what: string, cause?: unknown): AppError {
  return engineError('FAILED_PRECONDITION', `returned an invalid response: ${what}`, cause);
}

async function readBounded({ body }: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream, and with it the connection.
    if (bytes > mostBytes) throw invalidResponse(`more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function asFailure(error: unknown, timeoutMs: number, timedOut: boolean): Failure {
  // The next try would take as long again: it is left to the job, after others have run.
  if (timedOut)
    return { error: engineError('DEADLINE_EXCEEDED', `did not respond within ${timeoutMs} ms`, error), tries: 1 };
  if (error instanceof AppError) return { error, tries: 2 };
  if ((error as Error).cause instanceof errors.BodyTimeoutError) {
    const stopped = engineError('DEADLINE_EXCEEDED', 'stopped in the middle of its response', error);
    return { error: stopped, tries: Number.POSITIVE_INFINITY };
  }
  const unreachable = engineError('UNAVAILABLE', `cannot be reached: ${rootOf(error)}`, error);
  return { error: unreachable, tries: Number.POSITIVE_INFINITY };
}

/** A call that takes too long is at fault itself only where the server still replies to others. */
async function codeOf({ code }: AppError, base: string, signal: AbortSignal): Promise<ErrorCode> {
  if (code !== 'DEADLINE_EXCEEDED' || (await replies(base, signal))) return code;
  signal.throwIfAborted();
  return 'UNAVAILABLE';
}

/** Whether the server replies at all, with whatever it has at its base address; a proxy may reply in its place. */
async function replies(base: string, signal: AbortSignal): Promise<boolean> {
  try {
    const timeout = AbortSignal.timeout(REPLY_MS);
    const response = await fetch(base, { redirect: 'manual', signal: AbortSignal.any([signal, timeout]) });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false; // refused, reset or silent
  }
}

/** The reason under undici's "fetch failed". */
function rootOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? messageOf(cause) || cause.name : messageOf(error);
}

/** Whether a value of a JSON document is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
