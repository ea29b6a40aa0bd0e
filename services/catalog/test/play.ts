/** Any sequence of commands, facts and waits, played on a new video with the whole conducting under it. */
import fc from 'fast-check';
import { decideFact, decideTime, type Fact } from '../src/domain/facts.ts';
import { advance, decideCommand, type Plan, type Snapshot } from '../src/domain/plan.ts';
import { isOpen, stages as list, type StageStatus } from '../src/domain/stages.ts';
import type { Effect } from '../src/domain/video.ts';
import { around, later, newVideo, status } from './support.ts';

export type Step =
  | {
      readonly do: 'command';
      readonly type: 'archive' | 'republish' | 'delete' | 'retry' | 'hold' | 'release' | 'remove';
    }
  | { readonly do: 'fact'; readonly type: Fact['type']; readonly stage: string; readonly old: boolean }
  | { readonly do: 'wait'; readonly ms: number };

const stageNames = list.map((stage) => stage.name);
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
      do: fc.constant('fact' as const),
      type: fc.constantFrom('started', 'progressed', 'reached', 'completed', 'completed', 'completed', 'failed'),
      stage: fc.constantFrom('the open one', 'the open one', ...stageNames),
      old: fc.constantFrom(false, false, false, true),
    }),
  },
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(-50, 0, 10, 20_000, 3_600_000, 8 * 86_400_000) }),
);

const factOf = (step: Extract<Step, { do: 'fact' }>, { video, stages }: Snapshot): Fact => {
  const stage = step.stage === 'the open one' ? (stages.find(isOpen)?.stage ?? 'fetch') : step.stage;
  const of = { videoId: video.id, attempt: step.old ? video.attempt - 1 : video.attempt, stage };
  if (step.type === 'progressed') return { ...of, type: 'progressed', percent: 40 };
  if (step.type === 'failed') return { ...of, type: 'failed', code: 'source_not_found', details: {} };
  if (step.type === 'reached') return { ...of, type: 'reached', milestone: 'audio', outputs: { hasAudio: true } };
  if (step.type === 'completed')
    return {
      ...of,
      type: 'completed',
      outputs: { durationMs: 25_000, ladderKey: 'l', thumbnailKey: 't' },
      warnings: [],
    };
  return { ...of, type: 'started' };
};

/** Applies a plan as the store does. */
export const applied = (before: Snapshot, plan: Plan, now: Date): Snapshot => {
  const stages: readonly StageStatus[] = plan.video.attempt === before.video.attempt ? plan.stages : [];
  const asked = plan.requests.map((stage) => status(stage, { attempt: plan.video.attempt, requestedAt: now }));
  return { video: plan.video, stages: [...stages, ...asked] };
};

export type Moment = {
  step: Step;
  before: Snapshot;
  after: Snapshot;
  effects: readonly Effect[];
  reply: string;
  now: Date;
};

/** Runs steps from a new video; every answer and every state on the way. */
export const play = (steps: readonly Step[]): Moment[] => {
  let clock = 0;
  const first = advance(newVideo({ version: 0 }), {}, [], around(later(0)));
  let snapshot = applied({ video: newVideo(), stages: [] }, first, later(0));
  return steps.map((step) => {
    if (step.do === 'wait') clock += step.ms;
    const now = later(clock);
    const surroundings = around(now, { newPlaybackId: `minted-${clock}` });
    const decide = () => {
      if (step.do === 'wait') return decideTime(snapshot, surroundings);
      if (step.do === 'fact') return decideFact(snapshot, factOf(step, snapshot), surroundings);
      return decideCommand(snapshot, { type: step.type }, surroundings);
    };
    const decision = decide();
    const before = snapshot;
    if (decision.kind === 'plan') snapshot = applied(snapshot, decision, now);
    if (decision.kind === 'mark')
      snapshot = {
        ...snapshot,
        stages: snapshot.stages.map((s) => (s.stage === decision.status.stage ? decision.status : s)),
      };
    const reply = decision.kind === 'refuse' ? decision.code : ('reply' in decision && decision.reply?.status) || '';
    return { step, before, after: snapshot, effects: decision.kind === 'plan' ? decision.effects : [], reply, now };
  });
};
