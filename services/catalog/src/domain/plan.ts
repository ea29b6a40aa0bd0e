/** What is to be written, all of it or nothing, and how a command or a change of stages becomes that. */
import { situationOf, type Command, type Decision } from './commands.ts';
import { scheduleStages } from './schedule-stages.ts';
import type { Stage } from './stage.ts';
import { isOpen, outputsOf, reopened, replaced, type StageRequest, type StageStatus } from './stage-status.ts';
import { transition } from './transition.ts';
import { amend, type Changes, type Context, type Effect, type Reply, type Video } from './video.ts';

/** What a decision sees: the row, the stages of its current attempt, and everything from outside. */
export type Snapshot = { readonly video: Video; readonly stages: readonly StageStatus[] };

export type DecisionContext = Context & {
  /** Random; becomes the video's own if this is its first completion. */
  readonly newPlaybackId: string;
  readonly list?: readonly Stage[];
};

export type Plan = {
  readonly kind: 'plan';
  readonly before: Video;
  readonly video: Video;
  /** Stages as they will be. */
  readonly stages: readonly StageStatus[];
  /** Stages to ask for; those with a revision above 0 are open again in `stages`, the others are not in it yet. */
  readonly requests: readonly StageRequest[];
  readonly effects: readonly Effect[];
  readonly reply?: Reply | undefined;
};
export type Refusal = Extract<Decision, { kind: 'refuse' }>;
export type NoOp = { readonly kind: 'nothing'; readonly reply?: Reply | undefined };

/** What comes of a command by the partner, the operator, or a stage's failure. */
export function decideCommand(
  { video, stages }: Snapshot,
  command: Command,
  around: DecisionContext,
): Plan | NoOp | Refusal {
  const decision = transition(video, command, around);
  if (decision.kind === 'refuse') return decision;
  if (decision.kind === 'same') return { kind: 'nothing', reply: decision.reply };
  const { changes, effects, reply } = decision;
  const nextAttempt = changes.attempt !== undefined && changes.attempt !== video.attempt;
  const then = withStages(nextAttempt ? [] : stages, effects, around.now);
  return advance(video, changes, then, around, { effects, reply });
}

function withStages(stages: readonly StageStatus[], effects: readonly Effect[], now: Date): readonly StageStatus[] {
  const closes = effects.some((effect) => effect.type === 'close-stages');
  const hushes = effects.some((effect) => effect.type === 'hush-stages');
  return stages.map((status) => {
    if (closes && isOpen(status)) return { ...status, state: 'closed', finishedAt: now, dueAt: null };
    if (hushes && status.state === 'requested') return { ...status, state: 'closed', finishedAt: now, dueAt: null };
    return hushes && isOpen(status) ? { ...status, dueAt: null } : status;
  });
}

/**
 * Follows the stages: asks for what can begin, completes the video when it is whole, and lets a queued delete wait no
 * longer when the last running stage has stopped.
 */
export function advance(
  before: Video,
  changes: Changes,
  stages: readonly StageStatus[],
  around: DecisionContext,
  given: { effects?: readonly Effect[]; reply?: Reply | undefined; requests?: readonly StageRequest[] } = {},
): Plan {
  let video: Video = { ...before, ...changes };
  let effects = given.effects ?? [];
  let requests = given.requests ?? [];
  const situation = situationOf(video);
  if (situation === 'deleting') {
    // By the clock's next round, not here: the partner's 202 stays true, and there is one way to the end.
    if (!stages.some(isOpen)) video = { ...video, dueAt: around.now };
  } else if (situation !== 'failed' && situation !== 'deleted') {
    const score = scheduleStages(stages, video, around);
    requests = [...requests, ...score.requests];
    video = { ...video, dueAt: video.state === 'processing' ? score.awaitedUntil : null };
    if (video.state === 'processing' && score.whole)
      ({ video, effects } = join(video, transition(video, completionOf(stages, around), around), effects));
  }
  const { version: _version, updatedAt: _updatedAt, ...rest } = video;
  return {
    kind: 'plan',
    before,
    video: amend(before, rest, around.now),
    stages: withStages(withRepeats(stages, requests, around.now), effects, around.now),
    requests,
    effects,
    reply: given.reply,
  };
}

/** Joins what was decided so far with one more decision on the video as it then is. */
function join(
  video: Video,
  decision: Decision,
  effects: readonly Effect[],
): { video: Video; effects: readonly Effect[] } {
  return decision.kind === 'change'
    ? { video: { ...video, ...decision.changes }, effects: [...effects, ...decision.effects] }
    : { video, effects };
}

function completionOf(stages: readonly StageStatus[], { newPlaybackId, list }: DecisionContext): Command {
  const made = outputsOf(stages, list);
  return {
    type: 'completion',
    playbackId: newPlaybackId,
    durationMs: made.durationMs ?? null,
    ladderKey: made.ladderKey ?? '',
    thumbnailKey: made.thumbnailKey ?? '',
  };
}

/** Ended stages that are asked for once more are open again. */
function withRepeats(
  stages: readonly StageStatus[],
  requests: readonly StageRequest[],
  now: Date,
): readonly StageStatus[] {
  return requests.reduce((so, asking) => {
    const status = so.find(({ stage }) => stage === asking.stage);
    return status && status.revision < asking.revision ? replaced(so, reopened(status, asking, now)) : so;
  }, stages);
}
