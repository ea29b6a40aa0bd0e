/** The state at the end of a run. */
import { readFileSync } from 'node:fs';
import { events, streamOf } from '@vds/proto/events';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { deadLetters, waitingMessages } from '@vds/testkit/stack/stream-admin';
import type { HostTarget } from '../harness/host/host.ts';
import type { FinalVideo } from '../harness/judge/final-video.ts';
import {
  budgetsOf,
  outdatedCaptions,
  holds,
  needlessObjects,
  observeVideo,
  storedVideos,
  unfinishedWork,
  type Known,
  type Settle,
} from '../harness/judge/observe-stack.ts';
import { ambiguousRequests, storedOutcomes } from '../harness/judge/terminal-events.ts';
import type { Partner } from '../harness/partner-client.ts';
import type { Final } from './checker.ts';
import type { Entry, Memory } from './history.ts';
import { storedViews } from './views.ts';

/** After the last fault everything has this long to end. */
const QUIET_CAP_MS = 300_000;
/** Then each store has this long to reach its final state, for all videos together. */
const SETTLE_CAP_MS = 60_000;
/** Longer than any batch of view reports is collected. */
const VIEWS_CAP_MS = 150_000;
const views = { stream: streamOf(events.viewReported.owner), consumer: 'analytics' };

type Deps = {
  readonly target: HostTarget;
  readonly history: readonly Entry[];
  /** By the number of the client. */
  readonly partners: readonly Partner[];
  readonly organizations: readonly string[];
  /** The servers themselves, for their administrator. */
  readonly direct: Servers;
};

/** Waits until nothing happens any more, or the time is up; then reads everything. */
export async function observe({ target, history, partners, organizations, direct }: Deps): Promise<Final> {
  await holds(async () => (await unfinishedWork(target)).length === 0, QUIET_CAP_MS);
  const deadline = performance.now() + SETTLE_CAP_MS;
  const settle: Settle = (check) => holds(check, Math.max(1_000, deadline - performance.now()));
  const videos: FinalVideo[] = [];
  for (const video of await knownVideos(target, history)) {
    const submission = history.find((entry) => entry.kind === 'call' && entry.title === video.title);
    const partner = submission?.kind === 'call' ? partners[submission.client] : undefined;
    videos.push(await observeVideo(target, partner, video, settle));
  }
  await settle(async () => Object.values(await needlessObjects(target)).flat().length === 0);
  await settle(async () => (await outdatedCaptions(target)).length === 0);
  await holds(async () => (await waitingMessages(direct, target.stack.name, views)) === 0, VIEWS_CAP_MS);
  return {
    videos,
    views: await storedViews(target, organizations),
    outdated: await outdatedCaptions(target),
    ...(await needlessObjects(target)),
    budgets: await budgetsOf(target),
    unfinished: await unfinishedWork(target),
    deadLetters: await deadLetters(direct, target.stack.name),
    ambiguous: ambiguousRequests(await storedOutcomes(direct, target.stack.name)),
  };
}

/** Those of the database, and those that only a reply has named. */
async function knownVideos(target: HostTarget, history: readonly Entry[]): Promise<Known[]> {
  const stored = await storedVideos(target);
  const found = new Set(stored.map(({ id }) => id));
  const lost = history.flatMap((entry) =>
    entry.kind === 'call' && entry.operation === 'submit' && entry.video !== undefined && !found.has(entry.video)
      ? [{ id: entry.video, title: entry.title ?? '', attempt: 0, version: 0, playbackId: null }]
      : [],
  );
  return [...stored, ...lost];
}

/** Resident memory of every running process of the stack. */
export function memoryOf({ stack }: HostTarget, atMs: number): Memory[] {
  return stack.processes.flatMap(({ name, pid }): Memory[] => {
    const running = pid();
    if (running === undefined) return [];
    try {
      const [, kb = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${running}/status`, 'utf8')) ?? [];
      return [{ kind: 'memory', atMs, process: name, mb: Math.round(Number(kb) / 1_024) }];
    } catch {
      return []; // it has just ended, or this is not Linux
    }
  });
}
