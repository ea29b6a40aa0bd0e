/** Which stages are requested when, what the video waits for, and what happens only by time. */
import { expect } from 'chai';
import { scheduleStages } from '../../src/domain/schedule-stages.ts';
import { decideStageEvent, decideTime, type StageEvent } from '../../src/domain/stage-events.ts';
import type { Plan, Snapshot } from '../../src/domain/plan.ts';
import { overallProgress } from '../../src/domain/stages.ts';
import type { Inputs } from '../../src/domain/stages.ts';
import { outputsOf, type StageStatus } from '../../src/domain/stages.ts';
import { contextAtNamed, later, newVideo, status } from './fixtures.ts';
import { named } from './stages.ts';

const MINUTE = 60_000;
function inputs(durationMs: number | null = null, transcriptRevision = 0): Inputs {
  return {
    durationMs,
    transcriptRevision,
  };
}
/** The requests that are due now, as `stage`, or `stage revision` from the second request on. */
function requests(statuses: readonly StageStatus[], from: Inputs, now = later(0)): string[] {
  return scheduleStages(statuses, from, contextAtNamed(now)).requests.map(
    ({ stage, revision }) => `${stage}${revision === 0 ? '' : ` ${revision}`}`,
  );
}

function done(stage: string, at = later(0), more: Partial<StageStatus> = {}): StageStatus {
  return status(stage, { state: 'completed', finishedAt: at, progress: 100, ...more });
}
function event(stage: string, type: 'started' | 'completed', attempt = 1): StageEvent {
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

describe('scheduling of stages', () => {
  it('stages are requested one after the other, each once', () => {
    expect(requests([], inputs())).to.deep.equal(['fetch']);
    expect(requests([status('fetch', { state: 'started' })], inputs())).to.deep.equal([]);
    const begun = status('fetch', { state: 'started', reached: ['head'] });
    expect(requests([begun], inputs())).to.deep.equal(['encode']);
    expect(requests([done('fetch'), status('encode')], inputs())).to.deep.equal(['inspect']);
    expect(requests([done('fetch')], inputs())).to.deep.equal(['inspect', 'encode']);
    const all = [...ladder(), done('captions'), done('metadata')];
    expect(scheduleStages(all, inputs(), contextAtNamed(later(0)))).to.deep.equal({
      requests: [],
      complete: true,
      awaitedUntil: null,
    });
  });

  it('captions are requested with the audio rendition, while pictures are still being encoded', () => {
    const encoding = status('encode', { state: 'started', reached: ['audio'] });
    expect(requests([done('fetch'), done('inspect'), encoding], inputs(1))).to.deep.equal(['captions']);
  });

  it('stages that do not block are awaited for their time after the ladder, and no longer', () => {
    const running = [...ladder(), status('captions', { state: 'started' })];
    const at = (ms: number) => scheduleStages(running, inputs(MINUTE), contextAtNamed(later(ms)));
    expect(at(MINUTE)).to.deep.include({ requests: [], complete: false, awaitedUntil: later(1.5 * MINUTE) });
    const late = at(1.5 * MINUTE);
    expect(late.requests).to.deep.equal([{ stage: 'metadata', revision: 0, inputsRevision: 0 }]);
    expect(late).to.deep.include({ complete: false, awaitedUntil: later(2 * MINUTE) });
    expect(at(2 * MINUTE).complete).to.equal(true);
    const settled = [...ladder(), done('captions'), done('metadata')];
    expect(scheduleStages(settled, inputs(MINUTE), contextAtNamed(later(1))).complete).to.equal(true);
  });

  it('captions and metadata of a long video are awaited for a quarter of its duration', () => {
    const running = [...ladder(), status('captions', { state: 'started' })];
    const { awaitedUntil } = scheduleStages(running, inputs(80 * MINUTE), contextAtNamed(later(0)));
    expect(awaitedUntil).to.deep.equal(later(15 * MINUTE));
    const both = [...ladder(), done('captions'), status('metadata', { state: 'started' })];
    expect(scheduleStages(both, inputs(80 * MINUTE), contextAtNamed(later(0))).awaitedUntil).to.deep.equal(
      later(20 * MINUTE),
    );
  });

  it('metadata is requested again when the transcript has a later revision than that of its request', () => {
    const first = [...ladder(), done('captions'), done('metadata')];
    expect(requests(first, inputs(MINUTE, 1))).to.deep.equal(['metadata 1']);
    const failed = [...ladder(), done('captions'), status('metadata', { state: 'failed', revision: 2 })];
    expect(requests(failed, inputs(MINUTE, 3))).to.deep.equal(['metadata 3']);
    const known = [...ladder(), done('captions'), done('metadata', later(0), { inputsRevision: 1 })];
    expect(requests(known, inputs(MINUTE, 1))).to.deep.equal([]);
  });

  it('a second request waits until the first has ended, and a closed stage is never requested again', () => {
    for (const state of ['requested', 'started', 'closed'] as const)
      expect(requests([...ladder(), done('captions'), status('metadata', { state })], inputs(MINUTE, 1))).to.deep.equal(
        [],
      );
  });

  it('a stage that has ended once and was requested again is not awaited', () => {
    const again = [
      ...ladder(),
      done('captions'),
      status('metadata', { state: 'started', revision: 1, inputsRevision: 1 }),
    ];
    expect(scheduleStages(again, inputs(MINUTE, 1), contextAtNamed(later(0))).complete).to.equal(true);
  });

  it('a video completes when the awaited time is over, and later captions attach without a new state', () => {
    const stagesNow = [
      done('fetch'),
      done('inspect'),
      done('encode', later(0), { reached: ['audio'], outputs: { ladderKey: 'l', thumbnailKey: 't', durationMs: 5 } }),
      status('captions', { state: 'started' }),
      status('metadata', { state: 'started' }),
    ];
    const snapshot: Snapshot = { video: newVideo({ dueAt: later(2 * MINUTE) }), stages: stagesNow };
    const ready = plan(decideTime(snapshot, contextAtNamed(later(2 * MINUTE))));
    expect(ready.video.state).to.equal('ready');
    const after: Snapshot = { video: ready.video, stages: ready.stages };
    const attached = plan(decideStageEvent(after, event('captions', 'completed'), contextAtNamed(later(3 * MINUTE))));
    expect(attached.video).to.include({ state: 'ready', version: ready.video.version + 1 });
    expect(attached.video.updatedAt).to.deep.equal(ready.video.updatedAt);
    const failed: StageEvent = { ...event('metadata', 'started'), type: 'failed', code: 'internal_error', details: {} };
    expect(plan(decideStageEvent(after, failed, contextAtNamed(later(4 * MINUTE)))).video.state).to.equal('ready');
  });

  it('a completed event may arrive before its started event, which is then ignored', () => {
    const first: Snapshot = { video: newVideo(), stages: [status('fetch')] };
    const completed = plan(decideStageEvent(first, event('fetch', 'completed'), contextAtNamed(later(5))));
    expect(completed.requests.map(({ stage }) => stage)).to.deep.equal(['inspect', 'encode']);
    expect(completed.stages[0]).to.deep.include({ state: 'completed', startedAt: later(5) });
    const after: Snapshot = { video: completed.video, stages: completed.stages };
    expect(decideStageEvent(after, event('fetch', 'started'), contextAtNamed(later(6))).kind).to.equal('no-op');
    expect(decideStageEvent(after, event('fetch', 'completed'), contextAtNamed(later(7))).kind).to.equal('no-op');
  });

  it('events of an older attempt are ignored', () => {
    const snapshot: Snapshot = { video: newVideo({ attempt: 2 }), stages: [status('fetch', { attempt: 2 })] };
    expect(decideStageEvent(snapshot, event('fetch', 'completed', 1), contextAtNamed(later(5))).kind).to.equal('no-op');
  });

  it('a stage never fails only by time, started or not: its owner decides', () => {
    for (const { name } of named)
      for (const state of ['requested', 'started'] as const) {
        const snapshot: Snapshot = { video: newVideo(), stages: [status(name, { state, startedAt: later(0) })] };
        expect(decideTime(snapshot, contextAtNamed(later(365 * 86_400_000))).kind).to.equal('no-op');
      }
  });

  it('the encoder’s duration wins, whatever the order of the stages', () => {
    const made = [
      done('encode', later(2), { outputs: { durationMs: 2 } }),
      done('inspect', later(1), { outputs: { durationMs: 1 } }),
    ];
    expect(outputsOf(made).durationMs).to.equal(2);
    expect(outputsOf(made.toReversed()).durationMs).to.equal(2);
  });

  it('progress counts from 0 to 99 while the video is processing', () => {
    expect(overallProgress([], named)).to.equal(0);
    expect(overallProgress([status('fetch', { state: 'started', progress: 50 })], named)).to.equal(7);
    expect(overallProgress([done('fetch'), done('inspect'), status('encode', { progress: 100 })], named)).to.equal(79);
    expect(overallProgress(ladder(), named)).to.equal(80);
    expect(overallProgress([...ladder(), status('captions', { state: 'started', progress: 50 })], named)).to.equal(86);
    expect(overallProgress([...ladder(), done('captions'), done('metadata')], named)).to.equal(99);
  });

  it('progress counts a stage that does not block as complete once it has ended, however it ended', () => {
    const failed = [...ladder(), status('captions', { state: 'failed', progress: 10 })];
    expect(overallProgress(failed, named)).to.equal(92);
    const again = [...failed, status('metadata', { state: 'started', progress: 10, revision: 1 })];
    expect(overallProgress(again, named)).to.equal(99);
  });
});
