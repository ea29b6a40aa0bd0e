/**
 * One state of a small model around one video: catalog's rows as production's own types, plus the messages in flight,
 * the owner of the stages, and the index. Times and versions are normalized, so that states with the same continuations
 * are one.
 */
import type { StageRequest, StageStatus } from '../../src/domain/stages.ts';
import type { Stage } from '../../src/domain/stages.ts';
import type { PurgeScope } from '../../src/domain/purges.ts';
import { stages as allStages } from '../../src/domain/stages.ts';
import type { Video } from '../../src/domain/video.ts';
import { advance } from '../../src/domain/plan.ts';
import { applied } from '../domain/play.ts';
import { contextAt, later, newVideo } from '../domain/fixtures.ts';

/** The owners of the modelled data. */
export type Owner = 'transcode' | 'indexer';
export type Message =
  | (StageRequest & { readonly kind: 'request' | 'completed' | 'failed'; readonly attempt: number })
  | { readonly kind: 'changed' | 'cancelled' };

/**
 * An unconfirmed purge. A row of the ledger is republished until it is confirmed, so it is as good as in flight; when
 * it was withdrawn, an earlier message of it may still be consumed.
 */
export type PurgeRequest = {
  readonly owner: Owner;
  readonly scope: PurgeScope;
  readonly keep: number;
  readonly withdrawn: boolean;
};
/** The row that an owner keeps of a stage; none once it is purged. */
export type Run = {
  readonly stage: string;
  readonly attempt: number;
  readonly state: 'open' | 'running' | 'done' | 'failed' | 'cancelled';
};
export type Written = { readonly version: number; readonly live: boolean };
export type Budget = Readonly<
  Record<
    | 'archive'
    | 'republish'
    | 'delete'
    | 'retry'
    | 'hold'
    | 'release'
    | 'remove'
    | 'redelivery'
    | 'crash'
    | 'failure'
    | 'duplicate',
    number
  >
>;

export type World = {
  readonly video: Video;
  readonly stages: readonly StageStatus[];
  readonly clip: boolean;
  readonly ledger: readonly PurgeRequest[];
  readonly flight: readonly Message[];
  readonly runs: readonly Run[];
  /** Attempts of which a process that has lost its lease may still write. */
  readonly ghosts: readonly number[];
  /** The first attempt that the later sweep of a purge will keep; 0: no sweep is pending. */
  readonly sweep: number;
  readonly tombstone: boolean;
  /** Attempts of which media objects exist. */
  readonly objects: readonly number[];
  readonly index: Written;
  /** Data that replicas of the indexer have read and not written yet. */
  readonly writes: readonly Written[];
  /** Promises to the partner: that the video is deleted; that it is not visible, by a queued archive. */
  readonly promised: { readonly deleted: boolean; readonly hidden: boolean };
  /** How often each command and fault may still happen. */
  readonly left: Budget;
};

/** The time of every decision; everything before is a second ago. */
export const now = later(3_600_000);
/** After every short wait, and before any deadline. */
export const soon = later(3_600_000 + 600_000);
/** After every deadline. */
export const late = later(3_600_000 + 30 * 86_400_000);
/** A clock that was set back. */
export const earlier = later(1_800_000);
const before = later(3_599_000);
const dueSoon = later(3_600_000 + 60_000);
const dueLate = later(3_600_000 + 5 * 3_600_000);

/** The one blocking stage that makes the media. */
export const encodeAlone: readonly Stage[] = allStages
  .filter(({ name }) => name === 'encode')
  .map((stage) => ({ ...stage, needs: [] }));
/** And one that does not block: awaited for a while. */
export const encodeAndCaptions: readonly Stage[] = [
  ...encodeAlone,
  ...allStages.filter(({ name }) => name === 'captions'),
];

export const nothingAllowed: Budget = {
  archive: 0,
  republish: 0,
  delete: 0,
  retry: 0,
  hold: 0,
  release: 0,
  remove: 0,
  redelivery: 0,
  crash: 0,
  failure: 0,
  duplicate: 0,
};

/** The identity of a normalized world. */
export function keyOf(world: World): string {
  const { video, stages, clip, ledger, flight, runs, ghosts, sweep, tombstone, objects, index, writes } = world;
  return [
    videoKey(video),
    stages.map(stageKey).join(),
    `${clip} ${tombstone} ${sweep} ${ghosts.join()} ${objects.join()} ${textOf(index)}`,
    set(ledger.map(textOf)),
    set(flight.map(textOf)),
    set(runs.map(textOf)),
    set(writes.map(textOf)),
    Object.values(world.promised).join(),
    Object.values(world.left).join(''),
  ].join('|');
}

function videoKey({ state, intent, held, attempt, version, dueAt, playbackId, ladderKey, ...video }: Video): string {
  return `${state} ${intent} ${held} ${attempt} ${version} ${dueAt === null} ${playbackId} ${ladderKey} ${video.publisherId} ${video.captionsRevision}`;
}

function stageKey({ stage, attempt, revision, state }: StageStatus): string {
  return `${stage} ${attempt} ${revision} ${state}`;
}

export function textOf(one: Message | PurgeRequest | Run | Written): string {
  return Object.values(one).join(' ');
}

/** The texts in one order, each once: two of the same message are one. */
function set(texts: string[]): string {
  return [...new Set(texts)].sort().join();
}

/** A video that has just been accepted, and its first request. */
export function acceptedWorld(list: readonly Stage[], left: Budget): World {
  const bare = { title: 't', sourceUrl: 's', summary: null, tags: [], thumbnailUrl: null };
  const fresh = { ...bare, createdAt: before, updatedAt: before };
  const first = advance(newVideo({ ...fresh, version: 0 }), {}, [], contextAt(now, { list }));
  const { video, stages } = applied({ video: newVideo(fresh), stages: [] }, first, now);
  return normal({
    video,
    stages,
    clip: false,
    ledger: [],
    flight: first.requests.map((request) => ({ ...request, kind: 'request', attempt: 1 })),
    runs: [],
    ghosts: [],
    sweep: 0,
    tombstone: false,
    objects: [],
    index: { version: 0, live: false },
    writes: [],
    promised: { deleted: false, hidden: false },
    left: { ...nothingAllowed, ...left },
  });
}

/** Keeps only the order of versions, only whether a time has passed, and one time of the past. */
export function normal(world: World): World {
  const { video, index, writes } = world;
  const versions = ascending([index.version, ...writes.map(({ version }) => version), video.version]);
  const ranked = ({ version, live }: Written): Written => ({ version: versions.indexOf(version), live });
  return {
    ...world,
    video: {
      ...video,
      version: versions.indexOf(video.version),
      updatedAt: before,
      endedAt: null,
      deletedAt: null,
      gateClosesAt: null,
      publishedAt: null,
      dueAt: video.dueAt && (video.state === 'failed' ? dueLate : dueSoon),
    },
    stages: world.stages.map(normalStage),
    ghosts: ascending(world.ghosts),
    objects: ascending(world.objects),
    index: ranked(index),
    ledger: distinct(world.ledger),
    writes: distinct(writes.map(ranked)),
  };
}

function ascending(list: readonly number[]): readonly number[] {
  return [...new Set(list)].toSorted((a, b) => a - b);
}

function normalStage(status: StageStatus): StageStatus {
  return {
    ...status,
    requestedAt: before,
    startedAt: status.startedAt && before,
    finishedAt: status.finishedAt && before,
  };
}

/** Without duplicates. */
function distinct<T extends object>(list: readonly T[]): readonly T[] {
  return list.length < 2 ? list : [...new Map(list.map((one) => [Object.values(one).join(' '), one])).values()];
}
