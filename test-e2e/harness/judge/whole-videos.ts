/** Waits until videos are as without any fault; the judge then finds no violation. */
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { documentsOf, leftoversOf, rowsOf } from '../../probes/leftovers.ts';
import { bare, type Apps } from '../apps-client.ts';
import type { HostTarget } from '../host/host.ts';
import type { Partner } from '../partner-client.ts';
import { outcomeViolations } from './final-video.ts';
import { budgetsOf, holds, needlessObjects, observeVideo, storedVideos, unfinishedWork } from './observe-stack.ts';
import { ambiguousRequests, storedOutcomes } from './terminal-events.ts';

const CAP_MS = 180_000;

/**
 * Waits until the video is ready, plays and is found; everything of its first attempt exists, once. Search must find it
 * by `word`.
 */
export async function becomesReady(
  target: HostTarget,
  partner: Partner,
  apps: Apps,
  id: string,
  word = 'test',
): Promise<void> {
  const { status, failure } = await partner.settled(id, CAP_MS);
  expect(status, JSON.stringify(failure)).to.equal('ready');
  await allWorkEnds(target);
  const stored = (await storedVideos(target)).filter((one) => one.id === id);
  expect(stored.map(({ attempt }) => attempt)).to.deep.equal([1]);
  for (const video of stored) {
    const seen = await observeVideo(target, partner, video, (check) => holds(check, CAP_MS));
    expect(outcomeViolations(seen)).to.deep.equal([]);
  }
  await until(() => apps.finds(word, id), { what: `${id} in search`, capMs: CAP_MS });
  const { orphans, repeated } = await needlessObjects(target);
  expect([...orphans, ...repeated].filter((key) => key.includes(bare(id)))).to.deep.equal([]);
}

/** Each request about the video has one outcome in JetStream, and each stage that blocks it was asked for once. */
export async function isAnsweredOnce({ stack }: HostTarget, id: string): Promise<void> {
  const stored = await storedOutcomes(stack.servers, stack.name);
  const outcomes = new Map([...stored].filter(([request]) => request.startsWith(`${bare(id)} `)));
  const blocking = ['fetch', 'inspect', 'encode'].map((stage) => `${bare(id)} ${stage} 1 0`);
  expect([...outcomes.keys()]).to.include.members(blocking);
  expect(ambiguousRequests(outcomes)).to.deep.equal([]);
}

/** Waits until nothing is left of the video in any store, and still nothing after the final sweeps. */
export async function leavesNothing(target: HostTarget, partner: Partner, id: string): Promise<void> {
  const { site } = target;
  const isDeleted = async () => (await partner.get(id)).status === 'deleted';
  await until(isDeleted, { what: `the deletion of ${id}`, capMs: CAP_MS });
  const left = async () => [
    ...(await leftoversOf(site, id)),
    ...(await rowsOf(site, id)),
    ...(await documentsOf(site, id)),
  ];
  const isGone = async () => (await left()).length === 0;
  await until(isGone, { what: `nothing is left of ${id}`, capMs: CAP_MS, everyMs: 250 });
  await allWorkEnds(target);
  expect(await left()).to.deep.equal([]);
}

/** Waits until no job, request, purge and message is left, final sweeps included. */
async function allWorkEnds(target: HostTarget): Promise<void> {
  let left: readonly string[] = [];
  const ended = async (): Promise<boolean> => (left = await unfinishedWork(target)).length === 0;
  await until(ended, { what: 'the end of all work', capMs: CAP_MS, everyMs: 250 }).catch((cause: unknown) => {
    throw new Error(`work is left: ${left.join(', ')}`, { cause });
  });
}

/** One charge for every video, whatever reply its partner saw. */
export async function chargesAreExact(target: HostTarget): Promise<void> {
  for (const { charged, videos } of await budgetsOf(target)) expect(charged).to.equal(videos);
}
