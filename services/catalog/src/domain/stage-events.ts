/**
 * What the owners of stages say, and what follows. Duplicates, stale attempts and facts out of order are all harmless:
 * a stage moves forward only, and only in its own attempt.
 */
import {
  advance,
  decideCommand,
  type NoOp,
  type Plan,
  type Refusal,
  type Snapshot,
  type DecisionContext,
} from './plan.ts';
import { isOpen, replaced, type Outputs, type StageStatus } from './stage-status.ts';
import { stages as allStages } from './stages.ts';
import { after, type Captions, type Changes, type Failure, type Video, type Warning } from './video.ts';

type Of = {
  readonly videoId: string;
  readonly attempt: number;
  /** Which asking of the stage it is about. */
  readonly revision: number;
  readonly stage: string;
};
export type StageEvent = Of &
  (
    | { readonly type: 'started' }
    | { readonly type: 'progressed'; readonly percent: number }
    /** Something on the way that other stages may wait for. */
    | { readonly type: 'reached'; readonly milestone: string; readonly outputs: Outputs }
    | {
        readonly type: 'completed';
        readonly outputs: Outputs;
        /** Milestones that it implies, should they have been lost. */
        readonly reached?: readonly string[];
        readonly warnings?: readonly Warning[];
        readonly captions?: Captions;
      }
    | { readonly type: 'failed'; readonly code: string; readonly details: Readonly<Record<string, string>> }
    /** The tracks as of one moment, also after the stage has ended; of no asking in particular. */
    | { readonly type: 'tracks'; readonly captions: Captions }
  );

/** A write to one stage alone: the video's version does not move for it. */
export type StageUpdate = { readonly kind: 'mark'; readonly before: StageStatus; readonly status: StageStatus };

const nothing: NoOp = { kind: 'nothing' };

/** What follows from a fact. Nothing follows from one that is stale, repeated, or of another attempt or asking. */
export function decideStageEvent(
  snapshot: Snapshot,
  fact: StageEvent,
  around: DecisionContext,
): Plan | StageUpdate | NoOp | Refusal {
  const { video, stages } = snapshot;
  if (video.state === 'failed' || video.state === 'deleted') return nothing;
  const status = stages.find((one) => one.stage === fact.stage && one.attempt === fact.attempt);
  if (status && fact.type !== 'tracks' && status.revision === fact.revision) {
    if (fact.type === 'reached') return reach(snapshot, status, fact, around);
    if (isOpen(status) || isLateWord(status, fact)) return follow(snapshot, status, fact, around);
  }
  const tracks = laterTracks(video, fact);
  return tracks ? advance(video, tracks, stages, around) : nothing;
}

/** Something that other stages may wait for. Its stage may be complete by now: facts overtake each other, and it stays true. */
function reach(
  { video, stages }: Snapshot,
  status: StageStatus,
  { milestone, outputs }: Extract<StageEvent, { type: 'reached' }>,
  around: DecisionContext,
): Plan | NoOp {
  const known = status.reached.includes(milestone) || status.state === 'failed' || status.state === 'closed';
  if (known) return nothing;
  const reached = [...status.reached, milestone];
  const next = { ...begun(status, video, around), reached, outputs: { ...status.outputs, ...outputs } };
  return advance(video, {}, replaced(stages, next), around);
}

/** The stage as begun, if it was not: its deadline runs from here. While a delete is queued no deadline counts. */
function begun(status: StageStatus, video: Video, around: DecisionContext): StageStatus {
  const { now, list = allStages } = around;
  const stage = list.find((candidate) => candidate.name === status.stage);
  if (status.state !== 'requested' || !stage) return status;
  const dueAt = video.intent === 'delete' ? null : after(now, stage.deadlineMs(video.durationMs, around));
  return { ...status, state: 'started', startedAt: now, dueAt };
}

/**
 * The last word of a stage whose deadline has passed: what it made is there all the same, and is to be found. The video is
 * not failed, so the stage is one that it can do without.
 */
function isLateWord(status: StageStatus, fact: StageEvent): boolean {
  return status.state === 'failed' && fact.type === 'completed';
}

/** What an owner says of a stage that is open. */
function follow(
  snapshot: Snapshot,
  status: StageStatus,
  fact: Exclude<StageEvent, { type: 'reached' | 'tracks' }>,
  around: DecisionContext,
): Plan | StageUpdate | NoOp | Refusal {
  const { video, stages } = snapshot;
  const started = begun(status, video, around);
  if (fact.type === 'started')
    return status.state === 'started' ? nothing : { kind: 'mark', before: status, status: started };
  if (fact.type === 'progressed') {
    const progress = Math.max(status.progress, Math.min(100, fact.percent));
    if (progress === status.progress && status.state === 'started') return nothing;
    return { kind: 'mark', before: status, status: { ...started, progress } };
  }
  if (fact.type === 'failed') {
    const { code, details, stage } = fact;
    return failed(snapshot, started, { code, stage, details }, around);
  }
  const done: StageStatus = {
    ...started,
    state: 'completed',
    progress: 100,
    finishedAt: around.now,
    dueAt: null,
    reached: [...new Set([...status.reached, ...(fact.reached ?? [])])],
    outputs: { ...status.outputs, ...fact.outputs },
  };
  return advance(video, { ...shown(fact), ...laterTracks(video, fact) }, replaced(stages, done), around);
}

/** A stage that the video cannot do without takes it along; any other just ends. */
function failed(
  snapshot: Snapshot,
  status: StageStatus,
  failure: Failure,
  around: DecisionContext,
): Plan | NoOp | Refusal {
  const ended: StageStatus = { ...status, state: 'failed', finishedAt: around.now, dueAt: null };
  const stages = replaced(snapshot.stages, ended);
  const blocks = (around.list ?? allStages).some((stage) => stage.name === status.stage && stage.blocksReady);
  if (!blocks) return advance(snapshot.video, {}, stages, around);
  return decideCommand({ video: snapshot.video, stages }, { type: 'failure', failure }, around);
}

/** What the partner can see at once of a completed stage. */
function shown(fact: Extract<StageEvent, { type: 'completed' }>): Changes {
  return {
    ...(fact.outputs.durationMs !== undefined && { durationMs: fact.outputs.durationMs }),
    ...(fact.warnings && { warnings: fact.warnings }),
  };
}

/** The tracks that a fact tells of, where they are later than what is known; the order of arrival does not matter. */
function laterTracks(video: Video, fact: StageEvent): Captions | undefined {
  const told = fact.type === 'tracks' || fact.type === 'completed' ? fact.captions : undefined;
  if (told === undefined || fact.attempt !== video.attempt) return undefined;
  return told.captionsRevision > video.captionsRevision ? told : undefined;
}

/** What follows from time alone: deadlines of stages, the end of awaiting, of a failed video, of a queued delete. */
export function decideTime(snapshot: Snapshot, around: DecisionContext): Plan | NoOp | Refusal {
  const { video, stages } = snapshot;
  const late = stages.find((status) => isOpen(status) && status.dueAt !== null && status.dueAt <= around.now);
  if (late) return failed(snapshot, late, { code: 'internal_error', stage: late.stage, details: {} }, around);
  if (video.dueAt === null || video.dueAt > around.now) return nothing;
  if (video.state === 'failed' || video.intent === 'delete') return decideCommand(snapshot, { type: 'expire' }, around);
  return advance(video, {}, stages, around);
}
