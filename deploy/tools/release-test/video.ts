/** One video through a release: submitted, waited for until it is live, removed. Whatever happens, it is removed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, field, type Answer } from './endpoints.ts';

export type Trial = {
  readonly gateway: string;
  /** What the address of the playlist must begin with. */
  readonly publicUrl: string | undefined;
  readonly sourceUrl: string;
  readonly key: string;
  readonly pollMs: number;
  readonly signal: AbortSignal;
};

/** The removal has time of its own: a test that came too late leaves no video behind either. */
const REMOVAL_MS = 60_000;

/** Returns how long it took; throws with what went wrong first. */
export async function videoLife(trial: Trial): Promise<string> {
  const began = Date.now();
  const path = await submit(trial);
  const live = await goLive(trial, path).catch((error: unknown) => ({ error }));
  const seconds = Math.round((Date.now() - began) / 1_000);
  const removal = await remove(trial, path).catch((error: unknown) => ({ error }));
  if (typeof live !== 'string') throw live.error;
  if (removal !== undefined) throw removal.error;
  return `${live} after ${seconds} s; deleted`;
}

async function submit(trial: Trial): Promise<string> {
  const wanted = { source_url: trial.sourceUrl, title: `Test of the release, ${new Date().toISOString()}` };
  const answer = await call(trial, 'POST', '/v1/videos', trial.signal, wanted);
  const path = field(answer.body, 'resource_url');
  if (answer.status !== 202 || typeof path !== 'string') throw refusal('POST /v1/videos', answer);
  return path;
}

async function call(trial: Trial, method: string, path: string, signal: AbortSignal, body?: object): Promise<Answer> {
  return await ask(
    new URL(path, trial.gateway).href,
    {
      method,
      headers: { authorization: `Bearer ${trial.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    signal,
  );
}

function refusal(what: string, { status, body }: Answer): Error {
  const code = field(body, 'error', 'code');
  const message = field(body, 'error', 'message');
  return new Error(`${what} answers ${status}${typeof code === 'string' ? ` ${code}: ${String(message)}` : ''}`);
}

async function goLive(trial: Trial, path: string): Promise<string> {
  const record = await poll(trial, path, trial.signal, (status) => status !== 'processing');
  const status = field(record, 'status');
  if (status !== 'ready') {
    const failure = field(record, 'failure', 'code');
    const why = typeof failure === 'string' ? ` (${failure})` : '';
    throw new Error(`the video is ${String(status)}, not ready${why}`);
  }
  const playlist = field(record, 'playback', 'hls_url');
  if (typeof playlist !== 'string' || !playlist.endsWith('.m3u8') || !playlist.startsWith(trial.publicUrl ?? 'http'))
    throw new Error(`the video is ready, but its playlist is '${String(playlist)}'`);
  return playlist;
}

/** Reads the record until `ends` says so; an answer that may pass, such as a 429 or a 500, is asked for again. */
async function poll(
  trial: Trial,
  path: string,
  signal: AbortSignal,
  ends: (status: unknown) => boolean,
): Promise<unknown> {
  let last = 'nobody answers';
  while (!signal.aborted) {
    // No answer may be followed by one: a pod that goes, a connection that breaks.
    const answer = await call(trial, 'GET', path, signal).catch(() => undefined);
    const status = field(answer?.body, 'status');
    if (answer?.status === 200 && ends(status)) return answer.body;
    if (answer !== undefined && answer.status !== 200 && answer.status !== 429 && answer.status < 500)
      throw refusal(`GET ${path}`, answer);
    if (answer !== undefined)
      last = answer.status === 200 ? `its status is ${String(status)}` : `the last answer was ${answer.status}`;
    // Cut short when the time is over, which ends the loop.
    await sleep(trial.pollMs, undefined, { signal }).catch(() => undefined);
  }
  throw new Error(`the video has not come to its end: ${last}`);
}

async function remove(trial: Trial, path: string): Promise<void> {
  const signal = AbortSignal.timeout(REMOVAL_MS);
  const answer = await call(trial, 'DELETE', path, signal);
  if (answer.status !== 200 && answer.status !== 202) throw refusal(`DELETE ${path}`, answer);
  await poll(trial, path, signal, (status) => status === 'deleted');
}
