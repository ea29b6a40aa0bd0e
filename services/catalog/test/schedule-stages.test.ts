/** Conducting: which stages are asked for when, what the video waits for, and what time alone does. */
import { expect } from 'chai';
import { scheduleStages } from '../src/domain/schedule-stages.ts';
import { decideStageEvent, decideTime, type StageEvent } from '../src/domain/stage-events.ts';
import type { Plan, Snapshot } from '../src/domain/plan.ts';
import { overallProgress } from '../src/domain/progress.ts';
import type { Inputs } from '../src/domain/stage.ts';
import { outputsOf, type StageStatus } from '../src/domain/stage-status.ts';
import { aroundNamed, later, newVideo, status } from './support.ts';
import { named } from './stages.ts';

const minute = 60_000;
function inputs(durationMs: number | null = null, transcriptRevision = 0): Inputs {
  return {
    durationMs,
    transcriptRevision,
  };
}
/** What is asked for now, as `stage`, or `stage revision` from the second asking on. */
function asked(statuses: readonly StageStatus[], from: Inputs, now = later(0)): string[] {
  return scheduleStages(statuses, from, aroundNamed(now)).requests.map(
    ({ stage, revision }) => `${stage}${revision === 0 ? '' : ` ${revision}`}`,
  );
}

function done(stage: string, at = later(0), more: Partial<StageStatus> = {}): StageStatus {
  return status(stage, { state: 'completed', finishedAt: at, progress: 100, ...more });
}
function fact(stage: string, type: 'started' | 'completed', attempt = 1): StageEvent {
  return { videoId: newVideo().id, attempt, revision: 0, stage, type, outputs: {} } as StageEvent;
}
/** Everything that the video cannot do without. */
function ladder(): StageStatus[] {
  return [done('fetch'), done('inspect'), done('encode', later(0), { reached: ['audio'] })];
}
function plan(decision: { kind: string }): Plan {
  expect(decision.kind).to.equal('plan');
  return decision as Plan;
}

describe('conducting', () => {
  it('asks for one stage after the other, each once', () => {
    expect(asked([], inputs())).to.deep.equal(['fetch']);
    expect(asked([status('fetch', { state: 'started' })], inputs())).to.deep.equal([]);
    expect(asked([done('fetch')], inputs())).to.deep.equal(['inspect']);
    expect(asked([done('fetch'), done('inspect')], inputs())).to.deep.equal(['encode']);
    const all = [...ladder(), done('captions'), done('metadata')];
    expect(scheduleStages(all, inputs(), aroundNamed(later(0)))).to.deep.equal({
      requests: [],
      whole: true,
      awaitedUntil: null,
    });
  });

  it('lets captions begin with the audio rendition, while pictures are still being encoded', () => {
    const encoding = status('encode', { state: 'started', reached: ['audio'] });
    expect(asked([done('fetch'), done('inspect'), encoding], inputs(1))).to.deep.equal(['captions']);
  });

  it('awaits what does not block for its time after the ladder, and no longer', () => {
    const running = [...ladder(), status('captions', { state: 'started' })];
    const at = (ms: number) => scheduleStages(running, inputs(minute), aroundNamed(later(ms)));
    expect(at(minute)).to.deep.include({ requests: [], whole: false, awaitedUntil: later(1.5 * minute) });
    const late = at(1.5 * minute);
    expect(late.requests).to.deep.equal([{ stage: 'metadata', revision: 0, inputsRevision: 0 }]);
    expect(late).to.deep.include({ whole: false, awaitedUntil: later(2 * minute) });
    expect(at(2 * minute).whole).to.equal(true);
    const settled = [...ladder(), done('captions'), done('metadata')];
    expect(scheduleStages(settled, inputs(minute), aroundNamed(later(1))).whole).to.equal(true);
  });

  it('awaits a long title’s captions and metadata for a quarter of its duration', () => {
    const running = [...ladder(), status('captions', { state: 'started' })];
    const { awaitedUntil } = scheduleStages(running, inputs(80 * minute), aroundNamed(later(0)));
    expect(awaitedUntil).to.deep.equal(later(15 * minute));
    const both = [...ladder(), done('captions'), status('metadata', { state: 'started' })];
    expect(scheduleStages(both, inputs(80 * minute), aroundNamed(later(0))).awaitedUntil).to.deep.equal(
      later(20 * minute),
    );
  });

  it('asks for metadata once more when the transcript has a later edition than the one it was asked with', () => {
    const first = [...ladder(), done('captions'), done('metadata')];
    expect(asked(first, inputs(minute, 1))).to.deep.equal(['metadata 1']);
    const failed = [...ladder(), done('captions'), status('metadata', { state: 'failed', revision: 2 })];
    expect(asked(failed, inputs(minute, 3))).to.deep.equal(['metadata 3']);
    const known = [...ladder(), done('captions'), done('metadata', later(0), { inputsRevision: 1 })];
    expect(asked(known, inputs(minute, 1))).to.deep.equal([]);
  });

  it('waits with the second asking until the first has ended, and never asks again for what was closed', () => {
    for (const state of ['requested', 'started', 'closed'] as const)
      expect(asked([...ladder(), done('captions'), status('metadata', { state })], inputs(minute, 1))).to.deep.equal(
        [],
      );
  });

  it('does not await what has ended once and was asked for again', () => {
    const again = [
      ...ladder(),
      done('captions'),
      status('metadata', { state: 'started', revision: 1, inputsRevision: 1 }),
    ];
    expect(scheduleStages(again, inputs(minute, 1), aroundNamed(later(0))).whole).to.equal(true);
  });

  it('completes the video when the awaited time is over, and attaches what comes later without a new state', () => {
    const stagesNow = [
      done('fetch'),
      done('inspect'),
      done('encode', later(0), { reached: ['audio'], outputs: { ladderKey: 'l', thumbnailKey: 't', durationMs: 5 } }),
      status('captions', { state: 'started', dueAt: later(60 * minute) }),
      status('metadata', { state: 'started', dueAt: later(60 * minute) }),
    ];
    const snapshot: Snapshot = { video: newVideo({ dueAt: later(2 * minute) }), stages: stagesNow };
    const ready = plan(decideTime(snapshot, aroundNamed(later(2 * minute))));
    expect(ready.video.state).to.equal('ready');
    const after: Snapshot = { video: ready.video, stages: ready.stages };
    const attached = plan(decideStageEvent(after, fact('captions', 'completed'), aroundNamed(later(3 * minute))));
    expect(attached.video).to.include({ state: 'ready', version: ready.video.version + 1 });
    expect(attached.video.updatedAt).to.deep.equal(ready.video.updatedAt);
    const failed: StageEvent = { ...fact('metadata', 'started'), type: 'failed', code: 'internal_error', details: {} };
    expect(plan(decideStageEvent(after, failed, aroundNamed(later(4 * minute)))).video.state).to.equal('ready');
  });

  it('takes a completed fact before its started one, and ignores the late one', () => {
    const first: Snapshot = { video: newVideo(), stages: [status('fetch')] };
    const completed = plan(decideStageEvent(first, fact('fetch', 'completed'), aroundNamed(later(5))));
    expect(completed.requests).to.deep.equal([{ stage: 'inspect', revision: 0, inputsRevision: 0 }]);
    expect(completed.stages[0]).to.deep.include({ state: 'completed', startedAt: later(5), dueAt: null });
    const after: Snapshot = { video: completed.video, stages: completed.stages };
    expect(decideStageEvent(after, fact('fetch', 'started'), aroundNamed(later(6))).kind).to.equal('nothing');
    expect(decideStageEvent(after, fact('fetch', 'completed'), aroundNamed(later(7))).kind).to.equal('nothing');
  });

  it('ignores facts of an older attempt', () => {
    const snapshot: Snapshot = { video: newVideo({ attempt: 2 }), stages: [status('fetch', { attempt: 2 })] };
    expect(decideStageEvent(snapshot, fact('fetch', 'completed', 1), aroundNamed(later(5))).kind).to.equal('nothing');
  });

  for (const [stage, durationMs, ms] of [
    ['fetch', null, 120 * minute],
    ['inspect', null, 15 * minute],
    ['encode', minute, 75 * minute],
    ['encode', 60 * minute, 495 * minute],
  ] as const) {
    it(`gives ${stage} of ${durationMs ?? 'an unknown'} ms ${ms / minute} minutes from its start`, () => {
      const snapshot: Snapshot = { video: newVideo({ durationMs }), stages: [status(stage)] };
      const mark = decideStageEvent(snapshot, fact(stage, 'started'), aroundNamed(later(1_000)));
      if (mark.kind !== 'mark') throw new Error(mark.kind);
      expect(mark.status.dueAt).to.deep.equal(later(1_000 + ms));
      const started: Snapshot = { ...snapshot, stages: [mark.status] };
      expect(decideTime(started, aroundNamed(later(999 + ms))).kind).to.equal('nothing');
      const late = plan(decideTime(started, aroundNamed(later(1_000 + ms))));
      expect(late.video).to.deep.include({ state: 'failed', failure: { code: 'internal_error', stage, details: {} } });
    });
  }

  it('never fails a stage that nobody has begun: unclaimed work is the operator’s backlog', () => {
    const snapshot: Snapshot = { video: newVideo(), stages: [status('fetch')] };
    expect(decideTime(snapshot, aroundNamed(later(365 * 86_400_000))).kind).to.equal('nothing');
  });

  it('believes the encoder’s duration, in whatever order the stages were read', () => {
    const made = [
      done('encode', later(2), { outputs: { durationMs: 2 } }),
      done('inspect', later(1), { outputs: { durationMs: 1 } }),
    ];
    expect(outputsOf(made).durationMs).to.equal(2);
    expect(outputsOf(made.toReversed()).durationMs).to.equal(2);
  });

  for (const [stage, durationMs, ms] of [
    ['captions', minute, 30 * minute],
    ['captions', 60 * minute, 240 * minute],
    ['metadata', minute, 30 * minute],
    ['metadata', 60 * minute, 120 * minute],
  ] as const) {
    it(`ends ${stage} of ${durationMs} ms ${ms / minute} minutes from its start, and the video goes on`, () => {
      const stages = [...ladder(), status(stage, { state: 'requested' })];
      const snapshot: Snapshot = { video: newVideo({ state: 'ready', durationMs }), stages };
      const mark = decideStageEvent(snapshot, fact(stage, 'started'), aroundNamed(later(1_000)));
      if (mark.kind !== 'mark') throw new Error(mark.kind);
      expect(mark.status.dueAt).to.deep.equal(later(1_000 + ms));
      const ended = plan(
        decideTime({ ...snapshot, stages: [...ladder(), mark.status] }, aroundNamed(later(1_000 + ms))),
      );
      expect(ended.video.state).to.equal('ready');
      expect(ended.stages.at(-1)).to.include({ stage, state: 'failed' });
    });
  }

  it('counts progress from 0 to 99 while the video is processing; the last step is the video’s own', () => {
    expect(overallProgress([], named)).to.equal(0);
    expect(overallProgress([status('fetch', { state: 'started', progress: 50 })], named)).to.equal(7);
    expect(overallProgress([done('fetch'), done('inspect'), status('encode', { progress: 100 })], named)).to.equal(79);
    expect(overallProgress(ladder(), named)).to.equal(80);
    expect(overallProgress([...ladder(), status('captions', { state: 'started', progress: 50 })], named)).to.equal(86);
    expect(overallProgress([...ladder(), done('captions'), done('metadata')], named)).to.equal(99);
  });

  it('counts what the video can do without as whole once it has ended, however it ended', () => {
    const failed = [...ladder(), status('captions', { state: 'failed', progress: 10 })];
    expect(overallProgress(failed, named)).to.equal(92);
    const again = [...failed, status('metadata', { state: 'started', progress: 10, revision: 1 })];
    expect(overallProgress(again, named)).to.equal(99);
  });
});
