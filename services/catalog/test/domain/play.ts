/** Plays any sequence of commands, events and waits on a new video, with the scheduling of its stages. */
import fc from 'fast-check';
import { decideStageEvent, decideTime, type StageEvent } from '../../src/domain/stage-events.ts';
import type { DecisionContext } from '../../src/domain/commands.ts';
import { advance, decideCommand, type Plan, type Snapshot } from '../../src/domain/plan.ts';
import { decideRerun } from '../../src/domain/operator-actions.ts';
import { isOpen, type StageRequest, type StageStatus } from '../../src/domain/stages.ts';
import { stages as list } from '../../src/domain/stages.ts';
import type { Effect } from '../../src/domain/commands.ts';
import { contextAt, later, newVideo, status, captionsAt } from './fixtures.ts';

export type Step =
  | {
      readonly do: 'command';
      readonly type: 'archive' | 'republish' | 'delete' | 'retry' | 'hold' | 'release' | 'remove';
    }
  | {
      readonly do: 'event';
      readonly type: Exclude<StageEvent['type'], 'tracks'>;
      readonly stage: string;
      /** Of another attempt, or of another request than the stage's own. */
      readonly old: boolean;
      readonly stale: boolean;
    }
  /** A state of the tracks, in any order; its transcript changes with every second revision. */
  | { readonly do: 'tracks'; readonly revision: number; readonly old: boolean }
  | { readonly do: 'rerun'; readonly stage: string }
  | { readonly do: 'wait'; readonly ms: number };

const stageNames = list.map((stage) => stage.name);
/** What every stage that completes reports. */
export const amounts = { sourceBytes: 700, durationMs: 25_000, storedBytes: 900 };
export const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('command' as const),
    type: fc.constantFrom(
      'archive',
      'republish',
      'hold',
      'release',
      'retry',
      'archive',
      'republish',
      'hold',
      'release',
      'delete',
      'remove',
    ),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('event' as const),
      type: fc.constantFrom('started', 'progressed', 'reached', 'completed', 'completed', 'completed', 'failed'),
      stage: fc.constantFrom('the open one', 'the open one', ...stageNames),
      old: fc.constantFrom(false, false, false, true),
      stale: fc.constantFrom(false, false, false, true),
    }),
  },
  fc.record({
    do: fc.constant('tracks' as const),
    revision: fc.integer({ min: 1, max: 8 }),
    old: fc.constantFrom(false, false, false, true),
  }),
  fc.record({ do: fc.constant('rerun' as const), stage: fc.constantFrom('captions', 'metadata', ...stageNames) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(-50, 0, 10, 20_000, 3_600_000, 8 * 86_400_000) }),
);
const audio: Step = { do: 'event', type: 'reached', stage: 'encode', old: false, stale: false };

export type Moment = {
  step: Step;
  before: Snapshot;
  after: Snapshot;
  requests: readonly StageRequest[];
  effects: readonly Effect[];
  reply: string;
  now: Date;
};

/** Any steps; every other sequence starts with a complete ladder, so that many reach what follows one. */
export function sequence(lengths: { readonly minLength?: number; readonly maxLength: number }) {
  return fc.oneof(
    fc.array(step, lengths),
    fc.array(step, lengths).map((steps) => [...ladder(), ...steps]),
  );
}

/** The steps up to a complete ladder. */
export function ladder(): Step[] {
  return [completed('fetch'), completed('inspect'), audio, completed('encode')];
}

function completed(stage: string): Step {
  return { do: 'event', type: 'completed', stage, old: false, stale: false };
}

/**
 * Runs steps from a new video; every reply and every state on the way.
 * @param contextOf what differs in the context of a step, by its index
 */
export function play(
  steps: readonly Step[],
  contextOf: (index: number) => Partial<DecisionContext> = () => ({}),
): Moment[] {
  let clock = 0;
  const first = advance(newVideo({ version: 0 }), {}, [], contextAt(later(0)));
  let snapshot = applied({ video: newVideo(), stages: [] }, first, later(0));
  return steps.map((step, index) => {
    if (step.do === 'wait') clock += step.ms;
    const now = later(clock);
    const context = contextAt(now, { newPlaybackId: `minted-${clock}`, ...contextOf(index) });
    const decision = decide(step, snapshot, context);
    const before = snapshot;
    if (decision.kind === 'plan') snapshot = applied(snapshot, decision, now);
    if (decision.kind === 'stage-update')
      snapshot = {
        ...snapshot,
        stages: snapshot.stages.map((s) => (s.stage === decision.status.stage ? decision.status : s)),
      };
    const reply = decision.kind === 'reject' ? decision.code : ('reply' in decision && decision.reply?.status) || '';
    const { requests, effects } = decision.kind === 'plan' ? decision : { requests: [], effects: [] };
    return { step, before, after: snapshot, requests, effects, reply, now };
  });
}

/** Applies a plan as the store does. */
export function applied(before: Snapshot, plan: Plan, now: Date): Snapshot {
  const stages: readonly StageStatus[] = plan.video.attempt === before.video.attempt ? plan.stages : [];
  const requested = plan.requests
    .filter(({ revision }) => revision === 0)
    .map(({ stage, ...request }) => status(stage, { ...request, attempt: plan.video.attempt, requestedAt: now }));
  return { video: plan.video, stages: [...stages, ...requested] };
}

/** Decides on a step as it comes; a wait as the time that the context has. */
export function decide(step: Step, snapshot: Snapshot, context: DecisionContext) {
  if (step.do === 'wait') return decideTime(snapshot, context);
  if (step.do === 'event') return decideStageEvent(snapshot, eventFor(step, snapshot), context);
  if (step.do === 'rerun') return decideRerun(snapshot, step.stage, context);
  if (step.do === 'command') return decideCommand(snapshot, { type: step.type }, context);
  const { id, attempt } = snapshot.video;
  const of = { videoId: id, attempt: step.old ? attempt - 1 : attempt, revision: 0, stage: 'captions' };
  return decideStageEvent(snapshot, { ...of, type: 'tracks', captions: tracksAtRevision(step.revision) }, context);
}

function eventFor(step: Extract<Step, { do: 'event' }>, { video, stages }: Snapshot): StageEvent {
  // By the order of the pipeline: rows come in any order.
  const open = stageNames.find((name) => stages.some((status) => status.stage === name && isOpen(status)));
  const stage = step.stage === 'the open one' ? (open ?? 'fetch') : step.stage;
  const current = stages.find((status) => status.stage === stage)?.revision ?? 0;
  const revision = step.stale ? current - 1 : current;
  const of = { videoId: video.id, attempt: step.old ? video.attempt - 1 : video.attempt, revision, stage };
  if (step.type === 'progressed') return { ...of, type: 'progressed', percent: 40 };
  if (step.type === 'failed') return { ...of, type: 'failed', code: 'source_not_found', details: {} };
  if (step.type === 'reached')
    return { ...of, type: 'reached', milestone: stage === 'fetch' ? 'head' : 'audio', outputs: { hasAudio: true } };
  if (step.type === 'completed')
    return {
      ...of,
      type: 'completed',
      outputs: { ...amounts, ladderKey: 'l', thumbnailKey: 't' },
      warnings: [],
      ...(stage === 'captions' && { captions: tracksAtRevision(video.captionsRevision + 1) }),
    };
  return { ...of, type: 'started' };
}

function tracksAtRevision(revision: number) {
  return captionsAt(revision, { transcriptRevision: Math.floor(revision / 2) });
}
