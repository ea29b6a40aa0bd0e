/** A plan: everything that one decision writes, atomically; and how a command or a change of stages becomes one. */
import {
  situationOf,
  type Command,
  type DecisionContext,
  type Effect,
  type NoOp,
  type Rejection,
  type Reply,
} from './commands.ts';
import { scheduleStages } from './schedule-stages.ts';
import { isOpen, outputsOf, reopened, replaced, type StageRequest, type StageStatus } from './stages.ts';
import { transition } from './transition.ts';
import { amend, type Changes, type Video } from './video.ts';

/** Its outputs are stored while the video exists. */
const storingStage = 'encode';

/** Decided before anything is encoded, so that an encoding is never cut off. */
const quotaExceeded: Command = {
  type: 'failure',
  failure: { code: 'publisher_quota_exceeded', stage: storingStage, details: {} },
};

/** The row and the stages of its current attempt. */
export type Snapshot = { readonly video: Video; readonly stages: readonly StageStatus[] };

export type Plan = {
  readonly kind: 'plan';
  readonly before: Video;
  readonly video: Video;
  /** Stages after the decision. */
  readonly stages: readonly StageStatus[];
  /** Requests to publish; stages with a revision above 0 are open again in `stages`, the others are not in it yet. */
  readonly requests: readonly StageRequest[];
  readonly effects: readonly Effect[];
  readonly reply?: Reply | undefined;
};

/** Decides on a command by the partner, the operator, or a stage's failure. */
export function decideCommand(
  { video, stages }: Snapshot,
  command: Command,
  context: DecisionContext,
): Plan | NoOp | Rejection {
  const decision = transition(video, command, context);
  if (decision.kind !== 'change') return decision;
  const { changes, effects, reply } = decision;
  const nextAttempt = changes.attempt !== undefined && changes.attempt !== video.attempt;
  const remaining = closeStages(nextAttempt ? [] : stages, effects, context.now);
  return advance(video, changes, remaining, context, { effects, reply });
}

/**
 * Follows the stages: requests those that can start, completes the video when they are complete, and ends the wait of a
 * queued delete when the last running stage has stopped.
 */
export function advance(
  before: Video,
  changes: Changes,
  stages: readonly StageStatus[],
  context: DecisionContext,
  more: { effects?: readonly Effect[]; reply?: Reply | undefined; requests?: readonly StageRequest[] } = {},
): Plan {
  let video: Video = { ...before, ...changes };
  let { effects = [], requests = [] } = more;
  const situation = situationOf(video);
  if (situation === 'deleting') {
    // Deleted by the scheduler, not here: the partner's 202 stays true, and there is one path to the end.
    if (!stages.some(isOpen)) video = { ...video, dueAt: context.now };
  } else if (situation !== 'failed' && situation !== 'deleted') {
    const schedule = scheduleStages(stages, video, context);
    const refused = context.storageSpent && schedule.requests.some(({ stage }) => stage === storingStage);
    if (!refused) requests = [...requests, ...schedule.requests];
    video = { ...video, dueAt: video.state === 'processing' ? schedule.awaitedUntil : null };
    if (video.state === 'processing' && (refused || schedule.complete)) {
      const decision = transition(video, refused ? quotaExceeded : completionOf(stages, context), context);
      if (decision.kind === 'change') {
        video = { ...video, ...decision.changes };
        effects = [...effects, ...decision.effects];
      }
    }
  }
  const { version: _version, updatedAt: _updatedAt, ...rest } = video;
  return {
    kind: 'plan',
    before,
    video: amend(before, rest, context.now),
    stages: closeStages(reopenStages(stages, requests, context.now), effects, context.now),
    requests,
    effects,
    reply: more.reply,
  };
}

function closeStages(stages: readonly StageStatus[], effects: readonly Effect[], now: Date): readonly StageStatus[] {
  const all = effects.some((effect) => effect.type === 'close-stages');
  const requested = effects.some((effect) => effect.type === 'stop-republishing');
  return stages.map((status) => {
    const closes = (all && isOpen(status)) || (requested && status.state === 'requested');
    return closes ? { ...status, state: 'closed', finishedAt: now } : status;
  });
}

function completionOf(stages: readonly StageStatus[], { newPlaybackId, list }: DecisionContext): Command {
  const outputs = outputsOf(stages, list);
  return {
    type: 'completion',
    playbackId: newPlaybackId,
    durationMs: outputs.durationMs ?? null,
    ladderKey: outputs.ladderKey ?? '',
    thumbnailKey: outputs.thumbnailKey ?? '',
  };
}

/** Opens ended stages that are requested again. */
function reopenStages(
  stages: readonly StageStatus[],
  requests: readonly StageRequest[],
  now: Date,
): readonly StageStatus[] {
  return requests.reduce((list, request) => {
    const status = list.find(({ stage }) => stage === request.stage);
    return status && status.revision < request.revision ? replaced(list, reopened(status, request, now)) : list;
  }, stages);
}
