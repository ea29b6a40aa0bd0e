/** Partners and viewers at work: short clips are submitted, read, archived, republished, deleted and watched. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@vds/chassis/errors';
import type { Random } from '../fixtures/random.ts';
import type { Command } from '../fixtures/video-model.ts';
import { partnerOf, type Answer, type Partner } from '../harness/partner-client.ts';
import type { Call, History } from './history.ts';

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
  /** Whether another video may be submitted now. */
  readonly maySubmit: () => boolean;
  readonly stop: AbortSignal;
};

type Reply = Pick<Call, 'reply' | 'problem' | 'video'>;
type Body = { readonly id?: string; readonly status?: string; readonly error?: { readonly code?: string } };

const operations: readonly (Command | 'watch')[] = ['read', 'read', 'watch', 'watch', 'archive', 'republish', 'delete'];
const GOES_ON_AFTER_DELETE = 0.2;

/** Works until it is stopped; each video is driven by one client, one call after the other. */
export async function runClient(deps: ClientDeps): Promise<void> {
  const { random, stop } = deps;
  const videos: string[] = [];
  while (!stop.aborted) {
    if (deps.maySubmit()) videos.push(...(await submit(deps)));
    else if (videos.length > 0) {
      const video = random.pick(videos);
      const operation = random.pick(operations);
      if (operation === 'watch') await watch(deps, video);
      else await command(deps, video, operation);
      // A deleted video is seldom looked at again.
      if (operation === 'delete' && !random.chance(GOES_ON_AFTER_DELETE)) videos.splice(videos.indexOf(video), 1);
    }
    await sleep(random.integer(100, 800));
  }
}

/** Returns the id of the video; none without an acknowledgement. */
async function submit(deps: ClientDeps): Promise<string[]> {
  const { random, sources } = deps;
  const isMissing = random.chance(0.08);
  const url = isMissing ? sources.missing : random.chance(0.25) ? sources.spoken : sources.silent;
  const video = { source_url: url, title: 'A clip', language_code: 'en' };
  const { video: id } = await record(
    deps,
    { operation: 'submit', source: isMissing ? 'missing' : 'good' },
    async () => {
      const answer = await partner(deps).call<Body>('POST', '/v1/videos', video);
      return { ...replyOf(answer), ...(answer.status === 202 && { video: answer.body.id ?? '' }) };
    },
  );
  return id === undefined ? [] : [id];
}

/** A partner at one of the gateways. */
function partner({ random, gateways, key }: ClientDeps): Partner {
  return partnerOf(random.pick(gateways), key);
}

function replyOf({ status, body }: Answer<Body>): { reply: string } {
  return { reply: `${status} ${body.error?.code ?? body.status ?? ''}` };
}

async function command(deps: ClientDeps, video: string, operation: Command): Promise<void> {
  await record(deps, { operation, video }, async () => {
    const { call } = partner(deps);
    const path = `/v1/videos/${video}`;
    if (operation === 'read') return replyOf(await call<Body>('GET', path));
    if (operation === 'delete') return replyOf(await call<Body>('DELETE', path));
    return replyOf(await call<Body>('POST', `${path}/${operation}`));
  });
}

/** Opens the stream as a player does: the master playlist, if the record names one. */
async function watch(deps: ClientDeps, video: string): Promise<void> {
  await record(deps, { operation: 'watch', video }, async () => {
    const { playback } = await partner(deps).get(video);
    if (!playback?.hls_url) return { reply: '404 no playback' };
    const token = await deps.mint(playback.playback_id ?? '');
    const response = await fetch(`${playback.hls_url}?token=${token}`, { signal: AbortSignal.timeout(30_000) });
    await response.arrayBuffer();
    return { reply: String(response.status) };
  });
}

/** Makes one call and writes it into the history, with its reply or without one. */
async function record(
  { history, client }: ClientDeps,
  about: Pick<Call, 'operation' | 'video' | 'source'>,
  make: () => Promise<Reply>,
): Promise<Call> {
  const fromMs = history.now();
  const reply = await make().catch((error: unknown) => withoutReply(error));
  const call: Call = { kind: 'call', client, ...about, fromMs, toMs: history.now(), ...reply };
  history.add(call);
  return call;
}

/** A response that breaks the contract is a reply of its own; every other error means that none was seen. */
function withoutReply(error: unknown): Reply {
  const problem = messageOf(error);
  return { reply: problem.startsWith('a response violates the contract') ? '0 contract' : null, problem };
}
