/** Any sequence of commands, facts and waits, played on a new video with the whole conducting under it. */
import fc from 'fast-check';
import { decideStageEvent, decideTime, type StageEvent } from '../src/domain/stage-events.ts';
import { advance, decideCommand, type Plan, type Snapshot, type DecisionContext } from '../src/domain/plan.ts';
import { decideRerun } from '../src/domain/rerun-stage.ts';
import { isOpen, type StageRequest, type StageStatus } from '../src/domain/stage-status.ts';
import { stages as list } from '../src/domain/stages.ts';
import type { Effect } from '../src/domain/video.ts';
import { around, later, newVideo, status, told } from './support.ts';

export type Step =
  | {
      readonly do: 'command';
      readonly type: 'archive' | 'republish' | 'delete' | 'retry' | 'hold' | 'release' | 'remove';
    }
  | {
      readonly do: 'fact';
      readonly type: Exclude<StageEvent['type'], 'tracks'>;
      readonly stage: string;
      /** Of another attempt, or of another asking than the stage's own. */
      readonly old: boolean;
      readonly stale: boolean;
    }
  /** A state of the tracks, in any order; its transcript changes with every second revision. */
  | { readonly do: 'tracks'; readonly revision: number; readonly old: boolean }
  | { readonly do: 'repeat'; readonly stage: string }
  | { readonly do: 'wait'; readonly ms: number };

const stageNames = list.map((stage) => stage.name);
const step: fc.Arbitrary<Step> = fc.oneof(
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
      do: fc.constant('fact' as const),
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
  fc.record({ do: fc.constant('repeat' as const), stage: fc.constantFrom('captions', 'metadata', ...stageNames) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(-50, 0, 10, 20_000, 3_600_000, 8 * 86_400_000) }),
);
const audio: Step = { do: 'fact', type: 'reached', stage: 'encode', old: false, stale: false };

export type Moment = {
  step: Step;
  before: Snapshot;
  after: Snapshot;
  requests: readonly StageRequest[];
  effects: readonly Effect[];
  reply: string;
  now: Date;
};

/** Any steps; every other sequence begins with a whole ladder, so that much is tried of what follows one. */
export function sequence(lengths: { readonly minLength?: number; readonly maxLength: number }) {
  return fc.oneof(
    fc.array(step, lengths),
    fc
      .array(step, lengths)
      .map((steps) => [completed('fetch'), completed('inspect'), audio, completed('encode'), ...steps]),
  );
}

function completed(stage: string): Step {
  return { do: 'fact', type: 'completed', stage, old: false, stale: false };
}

/** Runs steps from a new video; every answer and every state on the way. */
export function play(steps: readonly Step[]): Moment[] {
  let clock = 0;
  const first = advance(newVideo({ version: 0 }), {}, [], around(later(0)));
  let snapshot = applied({ video: newVideo(), stages: [] }, first, later(0));
  return steps.map((step) => {
    if (step.do === 'wait') clock += step.ms;
    const now = later(clock);
    const surroundings = around(now, { newPlaybackId: `minted-${clock}` });
    const decision = decide(step, snapshot, surroundings);
    const before = snapshot;
    if (decision.kind === 'plan') snapshot = applied(snapshot, decision, now);
    if (decision.kind === 'mark')
      snapshot = {
        ...snapshot,
        stages: snapshot.stages.map((s) => (s.stage === decision.status.stage ? decision.status : s)),
      };
    const reply = decision.kind === 'refuse' ? decision.code : ('reply' in decision && decision.reply?.status) || '';
    const { requests, effects } = decision.kind === 'plan' ? decision : { requests: [], effects: [] };
    return { step, before, after: snapshot, requests, effects, reply, now };
  });
}

/** Applies a plan as the store does. */
export function applied(before: Snapshot, plan: Plan, now: Date): Snapshot {
  const stages: readonly StageStatus[] = plan.video.attempt === before.video.attempt ? plan.stages : [];
  const asked = plan.requests
    .filter(({ revision }) => revision === 0)
    .map(({ stage, ...asking }) => status(stage, { ...asking, attempt: plan.video.attempt, requestedAt: now }));
  return { video: plan.video, stages: [...stages, ...asked] };
}

function decide(step: Step, snapshot: Snapshot, surroundings: DecisionContext) {
  if (step.do === 'wait') return decideTime(snapshot, surroundings);
  if (step.do === 'fact') return decideStageEvent(snapshot, factOf(step, snapshot), surroundings);
  if (step.do === 'repeat') return decideRerun(snapshot, step.stage, surroundings);
  if (step.do === 'command') return decideCommand(snapshot, { type: step.type }, surroundings);
  const { id, attempt } = snapshot.video;
  const of = { videoId: id, attempt: step.old ? attempt - 1 : attempt, revision: 0, stage: 'captions' };
  return decideStageEvent(snapshot, { ...of, type: 'tracks', captions: toldAt(step.revision) }, surroundings);
}

function factOf(step: Extract<Step, { do: 'fact' }>, { video, stages }: Snapshot): StageEvent {
  const stage = step.stage === 'the open one' ? (stages.find(isOpen)?.stage ?? 'fetch') : step.stage;
  const current = stages.find((status) => status.stage === stage)?.revision ?? 0;
  const revision = step.stale ? current - 1 : current;
  const of = { videoId: video.id, attempt: step.old ? video.attempt - 1 : video.attempt, revision, stage };
  if (step.type === 'progressed') return { ...of, type: 'progressed', percent: 40 };
  if (step.type === 'failed') return { ...of, type: 'failed', code: 'source_not_found', details: {} };
  if (step.type === 'reached') return { ...of, type: 'reached', milestone: 'audio', outputs: { hasAudio: true } };
  if (step.type === 'completed')
    return {
      ...of,
      type: 'completed',
      outputs: { durationMs: 25_000, ladderKey: 'l', thumbnailKey: 't' },
      warnings: [],
      ...(stage === 'captions' && { captions: toldAt(video.captionsRevision + 1) }),
    };
  return { ...of, type: 'started' };
}

function toldAt(revision: number) {
  return told(revision, { transcriptRevision: Math.floor(revision / 2) });
}
