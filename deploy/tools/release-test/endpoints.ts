/** Whether the doors of a release answer as their contracts say. Each returns a few words on what it found. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@vds/chassis/errors';

export type Door = {
  /** `http://host:port` */
  readonly base: string;
  /** How long it may stay closed. */
  readonly doorMs: number;
  readonly signal: AbortSignal;
};
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

const CALL_MS = 10_000;

export async function gatewayContract(door: Door): Promise<string> {
  const answer = await knock(door, '/openapi.json');
  expectStatus(answer, '/openapi.json', 200);
  const version = field(answer.body, 'info', 'version');
  if (typeof version !== 'string' || field(answer.body, 'paths', '/v1/videos') === undefined)
    throw new Error('GET /openapi.json is no contract with /v1/videos');
  return `version ${version}`;
}

/** Asks again until the door is open. */
async function knock({ base, doorMs, signal }: Door, path: string): Promise<Answer> {
  const until = Date.now() + doorMs;
  for (;;) {
    try {
      return await ask(new URL(path, base).href, {}, signal);
    } catch (error) {
      if (Date.now() >= until || signal.aborted) throw error;
      await sleep(500);
    }
  }
}

/** Whatever is said with the status; `where` is all that an error tells of the call. */
export async function ask(where: string, init: RequestInit, signal: AbortSignal): Promise<Answer> {
  try {
    const call = {
      redirect: 'manual' as const,
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    };
    const answer = await fetch(where, call);
    return { status: answer.status, headers: answer.headers, body: parsed(await answer.text()) };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : '';
    throw new Error(`${init.method ?? 'GET'} ${where} has no answer (${messageOf(error)}${cause})`, { cause: error });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function expectStatus(answer: Answer, path: string, ...wanted: readonly number[]): void {
  if (!wanted.includes(answer.status))
    throw new Error(`GET ${path} answers ${answer.status}, not ${wanted.join(' or ')}`);
}

/** A field of something that came as JSON. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}

export async function gatewayRefusal(door: Door): Promise<string> {
  const path = '/v1/videos/vid_00000000000000000000000000';
  const answer = await knock(door, path);
  expectStatus(answer, path, 401);
  const code = field(answer.body, 'error', 'code');
  const requestId = field(answer.body, 'error', 'request_id');
  if (code !== 'missing_credentials' || typeof requestId !== 'string')
    throw new Error(`GET ${path} answers 401 without the envelope of missing_credentials`);
  if (answer.headers.get('x-request-id') !== requestId) throw new Error(`GET ${path} has another x-request-id`);
  return '401 missing_credentials';
}

export async function playbackRefusal(door: Door): Promise<string> {
  const path = '/release-test.m3u8';
  const answer = await knock(door, path);
  expectStatus(answer, path, 401, 404);
  return String(answer.status);
}
