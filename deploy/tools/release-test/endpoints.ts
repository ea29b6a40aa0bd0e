/** Checks that the public endpoints of a release follow their contracts. Each returns a short result for the report. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@vds/chassis/errors';

export type Endpoint = {
  /** `http://host:port` */
  readonly base: string;
  /** How long it may be unreachable at first. */
  readonly startupMs: number;
  readonly signal: AbortSignal;
};
export type Reply = { readonly status: number; readonly headers: Headers; readonly body: unknown };

const CALL_MS = 10_000;

export async function gatewayContract(endpoint: Endpoint): Promise<string> {
  const reply = await getWhenReachable(endpoint, '/openapi.json');
  expectStatus(reply, '/openapi.json', 200);
  const version = field(reply.body, 'info', 'version');
  if (typeof version !== 'string' || field(reply.body, 'paths', '/v1/videos') === undefined)
    throw new Error('GET /openapi.json is not a contract with /v1/videos');
  return `version ${version}`;
}

/** Retries until the endpoint is reachable. */
async function getWhenReachable({ base, startupMs, signal }: Endpoint, path: string): Promise<Reply> {
  const deadline = Date.now() + startupMs;
  for (;;) {
    try {
      return await request(new URL(path, base).href, {}, signal);
    } catch (error) {
      if (Date.now() >= deadline || signal.aborted) throw error;
      await sleep(500);
    }
  }
}

/** One HTTP request; errors contain its method and URL, never its headers. */
export async function request(url: string, init: RequestInit, signal: AbortSignal): Promise<Reply> {
  try {
    const options = {
      redirect: 'manual' as const,
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    };
    const response = await fetch(url, options);
    return { status: response.status, headers: response.headers, body: parseJson(await response.text()) };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : '';
    throw new Error(`${init.method ?? 'GET'} ${url} failed (${messageOf(error)}${cause})`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function expectStatus(reply: Reply, path: string, ...wanted: readonly number[]): void {
  if (!wanted.includes(reply.status))
    throw new Error(`GET ${path} answers ${reply.status}, not ${wanted.join(' or ')}`);
}

/** A nested field of parsed JSON. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}

export async function gatewayRequiresKey(endpoint: Endpoint): Promise<string> {
  const path = '/v1/videos/vid_00000000000000000000000000';
  const reply = await getWhenReachable(endpoint, path);
  expectStatus(reply, path, 401);
  const code = field(reply.body, 'error', 'code');
  const requestId = field(reply.body, 'error', 'request_id');
  if (code !== 'missing_credentials' || typeof requestId !== 'string')
    throw new Error(`GET ${path} answers 401 without the envelope of missing_credentials`);
  if (reply.headers.get('x-request-id') !== requestId)
    throw new Error(`GET ${path} has a different x-request-id in its header`);
  return '401 missing_credentials';
}

export async function playbackRequiresToken(endpoint: Endpoint): Promise<string> {
  const path = '/release-test.m3u8';
  const reply = await getWhenReachable(endpoint, path);
  expectStatus(reply, path, 401, 404);
  return String(reply.status);
}
