/** The life of one video in a release: submit, wait until ready, delete. It is deleted even if the test fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@vds/chassis/errors';
import { field, request, type Reply } from './endpoints.ts';

export type VideoTest = {
  readonly gateway: string;
  /** The prefix of the playlist's URL. */
  readonly publicUrl: string | undefined;
  readonly sourceUrl: string;
  readonly key: string;
  readonly pollMs: number;
  readonly signal: AbortSignal;
};

/** The deletion has its own time limit: a test that timed out leaves no video either. */
const DELETION_MS = 60_000;

/** Returns a report with the duration; throws the first failure. */
export async function videoLifecycle(test: VideoTest): Promise<string> {
  const startedAt = Date.now();
  const path = await submit(test);
  const live = await waitUntilReady(test, path).catch((error: unknown) => ({ error }));
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  const deletion = await deleteVideo(test, path).catch((error: unknown) => ({ error }));
  if (typeof live !== 'string') throw live.error;
  if (deletion !== undefined) throw deletion.error;
  return `${live} after ${seconds} s; deleted`;
}

async function submit(test: VideoTest): Promise<string> {
  const body = { source_url: test.sourceUrl, title: `Test of the release, ${new Date().toISOString()}` };
  const reply = await call(test, 'POST', '/v1/videos', test.signal, body);
  const path = field(reply.body, 'resource_url');
  if (reply.status !== 202 || typeof path !== 'string') throw unexpected('POST /v1/videos', reply);
  return path;
}

async function call(test: VideoTest, method: string, path: string, signal: AbortSignal, body?: object): Promise<Reply> {
  return await request(
    new URL(path, test.gateway).href,
    {
      method,
      headers: { authorization: `Bearer ${test.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    signal,
  );
}

function unexpected(what: string, { status, body }: Reply): Error {
  const code = field(body, 'error', 'code');
  const message = field(body, 'error', 'message');
  return new Error(`${what} answers ${status}${typeof code === 'string' ? ` ${code}: ${String(message)}` : ''}`);
}

async function waitUntilReady(test: VideoTest, path: string): Promise<string> {
  const record = await poll(test, path, test.signal, (status) => status !== 'processing');
  const status = field(record, 'status');
  if (status !== 'ready') {
    const failure = field(record, 'failure', 'code');
    const why = typeof failure === 'string' ? ` (${failure})` : '';
    throw new Error(`the video is ${String(status)}, not ready${why}`);
  }
  const playlist = field(record, 'playback', 'hls_url');
  if (typeof playlist !== 'string' || !playlist.endsWith('.m3u8') || !playlist.startsWith(test.publicUrl ?? 'http'))
    throw new Error(`the video is ready, but its playlist is '${String(playlist)}'`);
  return playlist;
}

/** Polls the record until `done`; retries after transient replies, such as 429 or 500. */
async function poll(
  test: VideoTest,
  path: string,
  signal: AbortSignal,
  done: (status: unknown) => boolean,
): Promise<unknown> {
  let last = 'no reply';
  while (!signal.aborted) {
    // Transient: a pod that terminates, a connection that breaks.
    const reply = await call(test, 'GET', path, signal).catch((error: unknown) => messageOf(error));
    if (typeof reply === 'string') {
      if (!signal.aborted) last = `the last request failed: ${reply}`;
    } else if (reply.status === 200) {
      const status = field(reply.body, 'status');
      if (done(status)) return reply.body;
      last = `its status is ${String(status)}`;
    } else if (reply.status === 429 || reply.status >= 500) last = `the last reply was ${reply.status}`;
    else throw unexpected(`GET ${path}`, reply);
    // Aborted at the time limit, which ends the loop.
    await sleep(test.pollMs, undefined, { signal }).catch(() => undefined);
  }
  throw new Error(`timed out while polling the video: ${last}`);
}

async function deleteVideo(test: VideoTest, path: string): Promise<void> {
  const signal = AbortSignal.timeout(DELETION_MS);
  const reply = await call(test, 'DELETE', path, signal);
  if (reply.status !== 200 && reply.status !== 202) throw unexpected(`DELETE ${path}`, reply);
  await poll(test, path, signal, (status) => status === 'deleted');
}
