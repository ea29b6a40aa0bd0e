/**
 * Compares a video in catalog with its owners' reports, after one of their stores was restored or has lost objects, and
 * decides how to bring them together again. The ordinary course of processing is not a finding. Deleted videos stay
 * deleted: the owners' tombstones are the list outside of this database.
 */
import type { StageReportOut } from '@vds/proto/generated/vds/common/v1/StageReport.ts';
import type { VideoReportOut } from '@vds/proto/generated/vds/common/v1/VideoReport.ts';
import { situationOf, type DecisionContext } from './commands.ts';
import { advance, decideCommand, type Plan, type Snapshot } from './plan.ts';
import type { NoOp, Rejection } from './commands.ts';
import { hasEnded, isOpen, replaced, reopened, stages as allStages, type StageStatus } from './stages.ts';
import { after, type Changes } from './video.ts';

export type FindingKind =
  /** An owner keeps data of a video that catalog does not know. */
  | 'unknown_video'
  /** An owner keeps data of a deleted video, though it has confirmed the purge. */
  | 'deleted_data'
  /** Owners have permanently removed a video that catalog has not deleted. */
  | 'removed_elsewhere'
  /** A stage has ended at its owner, and catalog waits for it. */
  | 'result_lost'
  /** Catalog waits for a stage that its owner does not know. */
  | 'request_lost'
  /** The owner has stopped working on a stage that catalog waits for. */
  | 'work_cancelled'
  /** The owner's result is newer than catalog's. */
  | 'newer_result'
  /** The owner's result is older than the one that catalog has, or gone. */
  | 'older_result'
  /** Objects that are in use do not exist. */
  | 'objects_missing'
  /** A document that is in use exists, but this version cannot read it: a later one may. */
  | 'document_unreadable'
  /** A finished video has no ladder. */
  | 'not_playable'
  /** The search document is newer than the video. */
  | 'index_ahead'
  /** The search document is missing, or of another state than the video. */
  | 'index_behind';

export type Repair =
  /** The owner removes everything of the video, again. */
  | { readonly type: 'purge'; readonly owner: string }
  | { readonly type: 'delete' }
  /** The request is published again at once; the owner repeats its result. */
  | { readonly type: 'request'; readonly stage: string; readonly revision: number }
  /** The stage runs again, under a revision above all known ones. */
  | { readonly type: 'rerun'; readonly stage: string; readonly revision: number }
  /** The stage ends as failed, and the video continues without it. */
  | { readonly type: 'end'; readonly stage: string }
  /** A new attempt, from the fetch; the rest of this one is purged. */
  | { readonly type: 'reprocess'; readonly stage: string }
  /** A version above `version`, which every reader takes. */
  | { readonly type: 'raise-version'; readonly version: number };

export type Finding = {
  readonly kind: FindingKind;
  /** The service that differs from catalog. */
  readonly owner: string;
  readonly detail: string;
  /** Null: the operator decides. */
  readonly repair: Repair | null;
};

/** A service's report of a video, if it runs stages. */
export type OwnerReport = Readonly<Omit<VideoReportOut, 'videoId' | 'missing' | 'unreadable'>> & {
  readonly owner: string;
  /** Objects that were in use when they were looked for, and did not exist. */
  readonly missing: readonly FaultyObject[];
  /** Documents that were in use then, and could not be read. */
  readonly unreadable: readonly (FaultyObject & { readonly reason: string })[];
};
type FaultyObject = { readonly key: string; readonly attempt: number | undefined };
export type IndexReport = { readonly found: boolean; readonly live: boolean; readonly version: number };
/** The reports of one video; `index` is undefined if the index was not asked. */
export type Reported = { readonly owners: readonly OwnerReport[]; readonly index: IndexReport | undefined };
export type Known = Snapshot & {
  readonly now: Date;
  /** Owners that were asked to purge the whole video and have not confirmed it. */
  readonly unconfirmedPurges: readonly string[];
};

/** So old must a request, or a change, be before its absence at the owner counts. */
const LOST_AFTER_MS = 60_000;
/** This many owners must have removed a video before it is deleted again: a single store may itself be wrong. */
const AGREEING_OWNERS = 2;

/** `repairUnreadable`: documents that this version cannot read are recreated; otherwise the operator decides. */
export type CompareOptions = { readonly repairUnreadable?: boolean };

/** @param known undefined: catalog has no such video */
export function compareVideo(
  known: Known | undefined,
  reported: Reported,
  options: CompareOptions = {},
): readonly Finding[] {
  if (!known) return kept(reported, 'unknown_video', 'of a video that catalog does not know', []);
  const { video, unconfirmedPurges } = known;
  if (video.state === 'deleted') return kept(reported, 'deleted_data', 'of a deleted video', unconfirmedPurges);
  const removed = reported.owners.filter(({ tombstoned }) => tombstoned);
  if (removed.length > 0) return [removedElsewhere(removed)];
  if (situationOf(video) === 'deleting') return [];
  const found = [
    ...compareObjects(known, reported.owners, options),
    ...known.stages.flatMap((status) => compareStage(known, status, reported.owners)),
    ...compareTracks(known, reported.owners),
    ...compareIndex(known, reported.index),
  ];
  // A new attempt replaces everything else that could be repaired within this one.
  const reprocess = found.filter(({ repair }) => repair?.type === 'reprocess');
  return reprocess.length > 0 ? reprocess.slice(0, 1) : found;
}

function kept(
  { owners, index }: Reported,
  kind: FindingKind,
  what: string,
  unconfirmed: readonly string[],
): readonly Finding[] {
  const keepers = owners.filter(({ hasData }) => hasData).map(({ owner }) => owner);
  return [...keepers, ...(index?.live === true ? ['indexer'] : [])]
    .filter((owner) => !unconfirmed.includes(owner))
    .map((owner) => ({ kind, owner, detail: `data ${what}`, repair: { type: 'purge', owner } }));
}

function removedElsewhere(removed: readonly OwnerReport[]): Finding {
  const names = removed.map(({ owner }) => owner).join(', ');
  const agree = removed.length >= AGREEING_OWNERS;
  return {
    kind: 'removed_elsewhere',
    owner: names,
    detail: agree ? `permanently removed by ${names}` : `permanently removed only by ${names}`,
    repair: agree ? { type: 'delete' } : null,
  };
}

function compareObjects(
  { video, stages }: Known,
  owners: readonly OwnerReport[],
  { repairUnreadable = false }: CompareOptions,
): readonly Finding[] {
  const { state, attempt } = video;
  const finished = state === 'ready' || state === 'archived';
  // A report is older than the comparison: an earlier attempt may have been purged since.
  const isCurrent = (object: FaultyObject): boolean => object.attempt === attempt;
  const faults = owners.flatMap((report): Finding[] => {
    const { owner } = report;
    const isNeeded = owner === 'ingest' ? state === 'processing' : finished;
    if (!isNeeded) return [];
    const repair = remakeBy(owner, stages, owners);
    const missing = report.missing.filter(isCurrent);
    const lost = missing.slice(0, 1).map(({ key }): Finding => {
      const detail = `${missing.length} objects in use do not exist, such as ${key}`;
      return { kind: 'objects_missing', owner, detail, repair };
    });
    const unreadable = report.unreadable.filter(isCurrent).slice(0, 1);
    const faulty = unreadable.map(({ key, reason }): Finding => {
      const detail = `${key} cannot be read: ${reason}`;
      return { kind: 'document_unreadable', owner, detail, repair: repairUnreadable ? repair : null };
    });
    return [...lost, ...faulty];
  });
  if (!finished || video.ladderKey !== null) return faults;
  const repair = { type: 'reprocess', stage: 'encode' } as const;
  return [{ kind: 'not_playable', owner: 'transcode', detail: 'a finished video without a ladder', repair }];
}

/** How to recreate the objects of an owner. */
function remakeBy(owner: string, stages: readonly StageStatus[], owners: readonly OwnerReport[]): Repair | null {
  if (owner === 'captions') return rerunOf('captions', stages, owners);
  return { type: 'reprocess', stage: owner === 'ingest' ? 'fetch' : 'encode' };
}

function rerunOf(stage: string, stages: readonly StageStatus[], owners: readonly OwnerReport[]): Repair | null {
  const status = stages.find((one) => one.stage === stage);
  if (!status || isOpen(status)) return null;
  const row = rowOf(status, owners);
  // A stage that its owner has cancelled never runs again in this attempt.
  if (row?.state === 'cancelled') return { type: 'end', stage };
  return { type: 'rerun', stage, revision: Math.max(status.revision, row?.revision ?? 0) + 1 };
}

/** The owner's row of a stage of the current attempt. */
function rowOf({ stage, attempt }: StageStatus, owners: readonly OwnerReport[]): StageReportOut | undefined {
  return owners.flatMap(({ stages }) => stages).find((row) => row.stage === stage && row.attempt === attempt);
}

function compareStage(
  { video, stages, now }: Known,
  status: StageStatus,
  owners: readonly OwnerReport[],
): readonly Finding[] {
  const stage = allStages.find(({ name }) => name === status.stage);
  const owner = stage?.owner ?? '';
  if (!stage || !owners.some((report) => report.owner === owner)) return [];
  const row = rowOf(status, owners);
  const finding = (kind: FindingKind, detail: string, repair: Repair | null): Finding[] => [
    { kind, owner, detail: `${status.stage}: ${detail}`, repair },
  ];
  const request = (revision: number): Repair => ({ type: 'request', stage: status.stage, revision });
  const ended = row?.state === 'completed' || row?.state === 'failed';
  if (row && row.revision > status.revision && row.state !== 'cancelled')
    return finding('newer_result', `revision ${row.revision}, catalog has ${status.revision}`, request(row.revision));
  if (isOpen(status)) {
    if (row?.state === 'cancelled') {
      // A video does not fail for a stage that it does not wait for.
      const type = stage.blocksReady ? 'reprocess' : 'end';
      return finding('work_cancelled', 'cancelled by its owner', { type, stage: status.stage });
    }
    if (ended && row?.revision === status.revision)
      return finding('result_lost', `${row.state} at its owner`, request(status.revision));
    const isOld = after(status.requestedAt, LOST_AFTER_MS) < now;
    const isKnown = row?.state === 'open';
    return isKnown || !isOld ? [] : finding('request_lost', 'its owner has no such request', request(status.revision));
  }
  // What blocking stages made lies in buckets and is compared there; the others' results are read from their rows.
  if (stage.blocksReady || status.state !== 'completed' || video.state === 'failed') return [];
  if (ended && row?.revision === status.revision) return [];
  if (row?.state === 'open' && row.revision === status.revision) return []; // It ends by itself.
  return finding(
    'older_result',
    'its owner has not the result that catalog has',
    rerunOf(status.stage, stages, owners),
  );
}

/** The caption tracks have their own numbers: they also change after their stage has ended. */
function compareTracks({ video, stages }: Known, owners: readonly OwnerReport[]): readonly Finding[] {
  const report = owners.find(({ owner }) => owner === 'captions');
  const status = stages.find(({ stage }) => stage === 'captions');
  if (!report || !status || isOpen(status) || !hasEnded(status) || status.state === 'closed') return [];
  const row = rowOf(status, owners);
  const hasResult = row?.state === 'completed' || row?.state === 'failed';
  if (!hasResult || row.revision !== status.revision) return []; // Compared as a stage.
  const [theirs, ours] = [report.stateRevision, video.captionsRevision];
  const detail = `tracks: revision ${theirs}, catalog has ${ours}`;
  if (theirs > ours)
    return [
      {
        kind: 'newer_result',
        owner: 'captions',
        detail,
        repair: { type: 'request', stage: 'captions', revision: row.revision },
      },
    ];
  if (theirs < ours)
    return [{ kind: 'older_result', owner: 'captions', detail, repair: rerunOf('captions', stages, owners) }];
  return [];
}

function compareIndex({ video, now }: Known, index: IndexReport | undefined): readonly Finding[] {
  if (!index) return [];
  const isLive = video.state === 'ready';
  const version = Math.max(index.version, video.version);
  const finding = (kind: FindingKind, detail: string): Finding[] => [
    { kind, owner: 'indexer', detail, repair: { type: 'raise-version', version } },
  ];
  if (index.version > video.version)
    return finding('index_ahead', `version ${index.version}, catalog has ${video.version}`);
  // Searches find a change a moment after it.
  if (index.live !== isLive && after(video.updatedAt, LOST_AFTER_MS) < now)
    return finding('index_behind', isLive ? 'a live video is not found' : 'it is still found');
  return [];
}

/** Decides on a repair of a video that catalog knows; a purge does not change its state. */
export function decideRepair(
  snapshot: Snapshot,
  repair: Exclude<Repair, { type: 'purge' }>,
  context: DecisionContext,
): Plan | NoOp | Rejection {
  const { video, stages } = snapshot;
  if (repair.type === 'delete') return decideCommand(snapshot, { type: 'remove' }, context);
  if (repair.type === 'reprocess') return reprocess(snapshot, repair.stage, context);
  if (repair.type === 'raise-version') return raiseVersion(snapshot, repair.version);
  const status = stages.find(({ stage }) => stage === repair.stage);
  const works = video.state !== 'failed' && video.state !== 'deleted' && situationOf(video) !== 'deleting';
  if (!status || !works) return { kind: 'no-op' };
  if (repair.type === 'end')
    return advance(video, {}, replaced(stages, { ...status, state: 'failed', finishedAt: context.now }), context);
  if (repair.type === 'request' && isOpen(status) && status.revision === repair.revision) return { kind: 'no-op' };
  const { revision } = repair;
  const request = { stage: repair.stage, revision, inputsRevision: status.inputsRevision };
  const open = replaced(stages, reopened(status, request, context.now));
  // Tracks that start again at their owner have lower numbers than those that catalog has seen.
  const isAnew = repair.type === 'rerun' && repair.stage === 'captions';
  const changes: Changes = isAnew ? { captionsRevision: 0 } : {};
  return advance(video, changes, open, context, repair.type === 'rerun' ? { requests: [request] } : {});
}

/** The end of this attempt and the start of the next in one plan: between two, a crash would leave a failed video. */
function reprocess(snapshot: Snapshot, stage: string, context: DecisionContext): Plan | NoOp | Rejection {
  const failure = { code: 'internal_error', stage, details: {} };
  const lost = decideCommand(snapshot, { type: 'lose', failure }, context);
  if (lost.kind !== 'plan') return lost;
  const next = decideCommand(lost, { type: 'retry' }, context);
  if (next.kind !== 'plan') return next;
  return {
    ...next,
    before: snapshot.video,
    stages: [...lost.stages, ...next.stages],
    // The purges of the retry replace those of the failure.
    effects: [...lost.effects.filter(({ type }) => type !== 'purge'), ...next.effects],
  };
}

/** Nothing changes but the version, which every reader then takes for new. */
function raiseVersion({ video, stages }: Snapshot, version: number): Plan {
  const raised = { ...video, version: Math.max(version, video.version) + 1 };
  return { kind: 'plan', before: video, video: raised, stages, requests: [], effects: [] };
}
