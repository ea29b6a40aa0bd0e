/**
 * Decides on events of the stages' owners, and on time. Duplicates, events of stale attempts and out-of-order events
 * are harmless: a stage only moves forward, and only in its own attempt. Only its owner fails a stage: it alone knows
 * whether the stage waits or stalls.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DecisionContext, NoOp, Rejection } from './commands.ts';
import { advance, decideCommand, type Plan, type Snapshot } from './plan.ts';
import { isOpen, replaced, stages as allStages, type Outputs, type StageStatus } from './stages.ts';
import type { Captions, Changes, Failure, Video, Warning } from './video.ts';

export type StageEvent = {
  readonly videoId: string;
  readonly attempt: number;
  /** Number of the request that it refers to. */
  readonly revision: number;
  readonly stage: string;
} & (
  | { readonly type: 'started' }
  | { readonly type: 'progressed'; readonly percent: number; readonly waiting?: string | null }
  /** A milestone that other stages may wait for. */
  | { readonly type: 'reached'; readonly milestone: string; readonly outputs: Outputs }
  | {
      readonly type: 'completed';
      readonly outputs: Outputs;
      readonly warnings?: readonly Warning[];
      readonly captions?: Captions;
    }
  | { readonly type: 'failed'; readonly code: string; readonly details: Readonly<Record<string, string>> }
  /** The tracks as of one moment, also after the stage has ended; of no request in particular. */
  | { readonly type: 'tracks'; readonly captions: Captions }
);

/** A write to only one stage, which does not raise the video's version. */
export type StageUpdate = { readonly kind: 'stage-update'; readonly before: StageStatus; readonly status: StageStatus };

type Outcome = Plan | StageUpdate | NoOp | Rejection;

const noOp: NoOp = { kind: 'no-op' };

/** Decides on an event. One that is stale, repeated, or of another attempt or request changes nothing. */
export function decideStageEvent(snapshot: Snapshot, event: StageEvent, context: DecisionContext): Outcome {
  const { video, stages } = snapshot;
  if (video.state === 'failed' || video.state === 'deleted') return noOp;
  const status = stages.find((one) => one.stage === event.stage && one.attempt === event.attempt);
  if (status && event.type !== 'tracks' && status.revision === event.revision) {
    if (event.type === 'reached') return reachMilestone(snapshot, status, event, context);
    if (isOpen(status) || isLateCompletion(status, event)) return moveStage(snapshot, status, event, context);
  }
  const tracks = newerTracks(video, event);
  return tracks ? advance(video, tracks, stages, context) : noOp;
}

/** Decides on time only: the end of awaiting, of a failed video, of a queued delete. */
export function decideTime(snapshot: Snapshot, context: DecisionContext): Plan | NoOp | Rejection {
  const { video, stages } = snapshot;
  if (video.dueAt === null || video.dueAt > context.now) return noOp;
  if (video.state === 'failed' || video.intent === 'delete')
    return decideCommand(snapshot, { type: 'expire' }, context);
  return advance(video, {}, stages, context);
}

/**
 * A milestone may be reached again with other outputs: a source that is fetched anew. One that arrives after its stage
 * has ended tells nothing new: completion implies it, with its outputs.
 */
function reachMilestone(
  { video, stages }: Snapshot,
  status: StageStatus,
  { milestone, outputs }: Extract<StageEvent, { type: 'reached' }>,
  context: DecisionContext,
): Plan | NoOp {
  const isKnown =
    status.reached.includes(milestone) && isDeepStrictEqual({ ...status.outputs, ...outputs }, status.outputs);
  if (isKnown || !isOpen(status)) return noOp;
  const reached = [...new Set([...status.reached, milestone])];
  const next = { ...started(status, context), reached, outputs: { ...status.outputs, ...outputs } };
  return advance(video, {}, replaced(stages, next), context);
}

/** The stage as started, if it was not. */
function started(status: StageStatus, { now }: DecisionContext): StageStatus {
  return status.state === 'requested' ? { ...status, state: 'started', startedAt: now } : status;
}

/**
 * A stage may complete after it failed: its owner was restored to a time before the failure. Its outputs are used: the
 * stage does not block, so the video has not failed.
 */
function isLateCompletion(status: StageStatus, event: StageEvent): boolean {
  return status.state === 'failed' && event.type === 'completed';
}

/** An event of a stage that is open. */
function moveStage(
  snapshot: Snapshot,
  status: StageStatus,
  event: Exclude<StageEvent, { type: 'reached' | 'tracks' }>,
  context: DecisionContext,
): Outcome {
  const { video, stages } = snapshot;
  const open = started(status, context);
  if (event.type === 'started')
    return status.state === 'started' ? noOp : { kind: 'stage-update', before: status, status: open };
  if (event.type === 'progressed') {
    const progress = Math.max(status.progress, Math.min(100, event.percent));
    const waiting = event.waiting ?? null;
    const isSame = progress === status.progress && waiting === (status.waiting ?? null);
    if (isSame && status.state === 'started') return noOp;
    return { kind: 'stage-update', before: status, status: { ...open, progress, waiting } };
  }
  if (event.type === 'failed') {
    const { code, details, stage } = event;
    return failStage(snapshot, open, { code, stage, details }, context);
  }
  const completed: StageStatus = {
    ...open,
    state: 'completed',
    progress: 100,
    finishedAt: context.now,
    outputs: { ...status.outputs, ...event.outputs },
  };
  const changes: Changes = {
    ...(event.outputs.durationMs !== undefined && { durationMs: event.outputs.durationMs }),
    ...(event.warnings && { warnings: event.warnings }),
    ...newerTracks(video, event),
  };
  return advance(video, changes, replaced(stages, completed), context);
}

/** A blocking stage fails its video; any other just ends. */
function failStage(
  { video, stages }: Snapshot,
  status: StageStatus,
  failure: Failure,
  context: DecisionContext,
): Plan | NoOp | Rejection {
  const ended = replaced(stages, { ...status, state: 'failed', finishedAt: context.now });
  const blocks = (context.list ?? allStages).some((stage) => stage.name === status.stage && stage.blocksReady);
  return blocks
    ? decideCommand({ video, stages: ended }, { type: 'failure', failure }, context)
    : advance(video, {}, ended, context);
}

/** The tracks of an event, if they are newer than the known ones; the order of arrival does not matter. */
function newerTracks(video: Video, event: StageEvent): Captions | undefined {
  const tracks = event.type === 'tracks' || event.type === 'completed' ? event.captions : undefined;
  if (tracks === undefined || event.attempt !== video.attempt) return undefined;
  return tracks.captionsRevision > video.captionsRevision ? tracks : undefined;
}
