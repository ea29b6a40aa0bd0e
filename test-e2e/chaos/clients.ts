/** Partners and viewers at work: short clips are submitted, read, archived, republished, deleted and watched. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@vds/chassis/errors';
import type { Random } from '@vds/testkit/random';
import type { Command } from '../fixtures/video-model.ts';
import { partnerOf, type Answer, type Partner, type VideoRecord } from '../harness/partner-client.ts';
import type { Call, History } from './history.ts';
import { reportView } from './views.ts';

/** Addresses of sources. */
export type Sources = { readonly silent: string; readonly spoken: string; readonly missing: string };

export type ClientDeps = {
  readonly history: History;
  readonly random: Random;
  readonly client: number;
  /** Addresses of the gateways; each call goes to one of them. */
  readonly gateways: readonly string[];
  readonly key: string;
  readonly sources: Sources;
  /** A token for the viewers of a playback id. */
  readonly mint: (playbackId: string) => Promise<string>;
  /** Has an operator make a track again; returns the command's exit code. */
  readonly rerun: (video: string, language: string) => Promise<number>;
  /** Whether another video may be submitted now. */
  readonly maySubmit: () => boolean;
  readonly stop: AbortSignal;
};

type Reply = Pick<Call, 'reply' | 'problem' | 'video'>;
type Body = { readonly id?: string; readonly status?: string; readonly error?: { readonly code?: string } };

/** What a client knows about its own video. */
type Video = {
  readonly id: string;
  readonly title: string;
  /** Most are left alone long enough to become ready; some of them are never deleted. */
  readonly operations: readonly (Command | 'watch' | 'rerun')[];
  /** A command is queued, and only its outcome may replace it: until then the video is only read. */
  waits?: boolean;
  /** Of the record that was read last. */
  updatedAt?: string;
  /** The stream, once a record has named it: players keep its address, whatever happens to the video. */
  stream?: { readonly playbackId: string; readonly url: string };
};

const harmless = [
  'read',
  'read',
  'read',
  'watch',
  'watch',
  'watch',
  'archive',
  'republish',
  'republish',
  'rerun',
] as const;
const SPARED = 0.5;
const WAITS_FOR_QUEUED = 0.5;
const GOES_ON_AFTER_DELETE = 0.4;

/** Works until it is stopped; each video is driven by one client, one call after the other. */
export async function runClient(deps: ClientDeps): Promise<void> {
  const { random, stop } = deps;
  const videos: Video[] = [];
  for (let submitted = 0; !stop.aborted;) {
    if (deps.maySubmit()) videos.push(...(await submit(deps, ++submitted)));
    else if (videos.length > 0) {
      const video = random.pick(videos);
      const operation = video.waits ? random.pick(['read', 'watch'] as const) : random.pick(video.operations);
      if (operation === 'watch') await watch(deps, video);
      else if (operation === 'rerun') await rerun(deps, video);
      else await command(deps, video, operation);
      // A deleted video is seldom read again.
      if (operation === 'delete' && !random.chance(GOES_ON_AFTER_DELETE)) videos.splice(videos.indexOf(video), 1);
    }
    await sleep(random.integer(100, 800));
  }
}

/** Returns the video; none without an acknowledgement. */
async function submit(deps: ClientDeps, nth: number): Promise<Video[]> {
  const { random, sources, client } = deps;
  const isMissing = random.chance(0.08);
  const url = isMissing ? sources.missing : random.chance(0.25) ? sources.spoken : sources.silent;
  const operations = random.chance(SPARED) ? harmless : ([...harmless, 'delete'] as const);
  const title = `Clip ${client}-${nth}`;
  const video = { source_url: url, title, language_code: 'en' };
  const { video: id } = await record(
    deps,
    { operation: 'submit', source: isMissing ? 'missing' : 'good', title },
    async () => {
      const answer = await partner(deps).call<Body>('POST', '/v1/videos', video);
      return { ...replyOf(answer), ...(answer.status === 202 && { video: answer.body.id ?? '' }) };
    },
  );
  return id === undefined ? [] : [{ id, title, operations }];
}

/** A partner at one of the gateways. */
function partner({ random, gateways, key }: ClientDeps): Partner {
  return partnerOf(random.pick(gateways), key);
}

function replyOf({ status, body }: Answer<Body>): { reply: string } {
  return { reply: `${status} ${body.error?.code ?? body.status ?? ''}` };
}

async function command(deps: ClientDeps, video: Video, operation: Command): Promise<void> {
  await record(deps, { operation, video: video.id }, async () => {
    const { call } = partner(deps);
    const path = `/v1/videos/${video.id}`;
    if (operation === 'delete') return replyOf(await call<Body>('DELETE', path));
    if (operation !== 'read') {
      const queued = await call<Body>('POST', `${path}/${operation}`);
      video.waits = queued.status === 202 && deps.random.chance(WAITS_FOR_QUEUED);
      return replyOf(queued);
    }
    const answer = await call<Body & VideoRecord>('GET', path);
    const problem = answer.status === 200 ? contradictionIn(answer.body, video) : undefined;
    if (answer.status === 200) note(answer.body, video);
    return { ...replyOf(answer), ...(problem && { problem }) };
  });
}

/** How a valid record contradicts the submission, an earlier record or itself. */
export function contradictionIn(
  { status, title: found, is_available: isAvailable, playback, updated_at: at = '' }: VideoRecord,
  { title, updatedAt = '' }: Pick<Video, 'title' | 'updatedAt'>,
): string | undefined {
  const isReady = status === 'ready';
  if (found !== title) return `the title of ${title} is ${found}`;
  if (isAvailable !== isReady) return `${title} is ${status}, and is_available is ${isAvailable}`;
  if ((playback !== null) !== isReady) return `${title} is ${status}, and has ${playback ? 'a' : 'no'} stream`;
  if (at < updatedAt) return `updated_at of ${title} went back from ${updatedAt} to ${at}`;
  return undefined;
}

function note({ status, updated_at: updatedAt, playback }: VideoRecord, video: Video): void {
  if (status !== 'processing') video.waits = false;
  if (updatedAt !== undefined) video.updatedAt = updatedAt;
  if (playback?.hls_url && playback.playback_id)
    video.stream = { playbackId: playback.playback_id, url: playback.hls_url };
}

/** Has the Spanish track made again, whatever the state of the video: most are refused, as there is nothing to make. */
async function rerun(deps: ClientDeps, { id: video }: Video): Promise<void> {
  await record(deps, { operation: 'rerun', video }, async () => ({ reply: `exit ${await deps.rerun(video, 'es')}` }));
}

/** Opens the stream as a player does: the master playlist, once a record has named it; then reports the view. */
async function watch(deps: ClientDeps, video: Video): Promise<void> {
  if (!video.stream) return command(deps, video, 'read');
  const { playbackId, url } = video.stream;
  let events: URL | undefined;
  await record(deps, { operation: 'watch', video: video.id }, async () => {
    const response = await fetch(`${url}?token=${await deps.mint(playbackId)}`, {
      signal: AbortSignal.timeout(30_000),
    });
    await response.arrayBuffer();
    if (response.status === 200) events = new URL('events', response.url);
    return { reply: String(response.status) };
  });
  const address = events;
  if (address === undefined) return;
  const view = `${video.title}-${deps.history.now()}`.replace(' ', '-');
  await record(deps, { operation: 'report', video: video.id, view }, async () => ({
    reply: await reportView(address, view),
  }));
}

/** Makes one call and writes it into the history, with its reply or without one. */
async function record(
  { history, client }: ClientDeps,
  about: Pick<Call, 'operation' | 'video' | 'source' | 'title' | 'view'>,
  make: () => Promise<Reply>,
): Promise<Call> {
  const fromMs = history.now();
  const reply = await make().catch(withoutReply);
  const call: Call = { kind: 'call', client, ...about, fromMs, toMs: history.now(), ...reply };
  history.add(call);
  return call;
}

/** A response that breaks the contract counts as a reply; any other error means that none was seen. */
function withoutReply(error: unknown): Reply {
  const problem = messageOf(error);
  return { reply: problem.startsWith('a response violates the contract') ? '0 contract' : null, problem };
}
