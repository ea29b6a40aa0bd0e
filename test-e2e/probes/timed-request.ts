/**
 * A partner's requests with everything that limits are checked by: status, code, headers, and when each was sent and
 * answered.
 */
import { expectContract } from '@vds/proto/testing/contract-check';

export type TimedResponse = {
  readonly status: number;
  /** `error.code`, or undefined for a success. */
  readonly code: string | undefined;
  /** `id` of the body, if it has one. */
  readonly id: string | undefined;
  /** `x-ratelimit-remaining`; undefined without the header. */
  readonly minute: string | undefined;
  /** `x-ratelimit-daily-remaining`; undefined without the header. */
  readonly daily: string | undefined;
  /** `retry-after`; undefined without the header. */
  readonly retryAfter: string | undefined;
  /** Milliseconds of performance.now: before the request was sent and after its response had arrived. */
  readonly from: number;
  readonly to: number;
};

export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  /** Text is sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A valid submission. */
export const submission: ApiRequest = {
  method: 'POST',
  path: '/v1/videos',
  body: { source_url: 'https://media.example.com/final.mp4', title: 'Championship final' },
};
/** A cheap request that counts: a video that does not exist. */
export const unknownVideo: ApiRequest = { method: 'GET', path: '/v1/videos/vid_01jd3m8q0c7e5b9x2k4n6p8rst' };

/** The times of a rejected request, and the results of the retries. */
export type Wait = { readonly rejection: TimedResponse; readonly tries: readonly TimedResponse[] };

/**
 * Sends one request to the gateway at `base`; throws for a response that the contract does not list.
 * @param key undefined: without credentials
 */
export async function send(base: string, key: string | undefined, request: ApiRequest): Promise<TimedResponse> {
  const { method, path, body, headers } = request;
  const from = performance.now();
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: asText(body) }),
    signal: AbortSignal.timeout(120_000),
  });
  const content = (await response.json()) as { id?: string; error?: { code: string } };
  const to = performance.now();
  expectContract(method, path, { status: response.status, headers: response.headers, body: content });
  const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
  return {
    status: response.status,
    code: content.error?.code,
    id: content.id,
    minute: header('x-ratelimit-remaining'),
    daily: header('x-ratelimit-daily-remaining'),
    retryAfter: header('retry-after'),
    from,
    to,
  };
}

function asText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/**
 * Judges `retry-after` by when requests were sent and answered, so that a slow machine cannot make a right response
 * look wrong: the rejection was decided at some moment d, from ≤ d ≤ to. A retry whose response arrived by from + (r −
 * 1) s was decided at least a second too early, and must be rejected; one that was sent at to + r s or later was
 * decided in time, and must pass, unless another request takes the place.
 */
export function checkRetryAfter({ rejection, tries }: Wait) {
  const waitMs = Number(rejection.retryAfter) * 1_000;
  const early = tries.filter(({ to }) => to <= rejection.from + waitMs - 1_000);
  const late = tries.filter(({ from }) => from >= rejection.to + waitMs);
  return {
    early: early.length,
    earlyPassed: early.filter(({ status }) => status !== 429).length,
    late: late.length,
    lateRejected: late.filter(({ status }) => status === 429).length,
  };
}
