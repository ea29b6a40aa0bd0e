/** Every time that a decision sets or waits for, to the millisecond. */
import { expect } from 'chai';
import { decideStageEvent, decideTime } from '../../src/domain/stage-events.ts';
import { overallProgress } from '../../src/domain/progress.ts';
import type { Snapshot } from '../../src/domain/plan.ts';
import type { StageStatus } from '../../src/domain/stage-status.ts';
import { amend, type Video } from '../../src/domain/video.ts';
import { named } from '../stages.ts';
import { around, aroundNamed, later, newVideo, status } from '../support.ts';

const of = { videoId: newVideo().id, attempt: 1, revision: 0 };
const onlyFetch = named.filter(({ name }) => name === 'fetch');
function due(video: Partial<Video>, stages: readonly StageStatus[] = []) {
  return (ms: number) => decideTime({ video: newVideo(video), stages }, aroundNamed(later(ms))).kind;
}

describe('a time that was set', () => {
  it('comes at its millisecond, not before', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    expect([9, 10].map(due({ state: 'failed', failure, dueAt: later(10) }))).to.deep.equal(['nothing', 'plan']);
    expect([9, 10].map(due({ intent: 'delete', dueAt: later(10) }))).to.deep.equal(['nothing', 'plan']);
    const started = status('fetch', { state: 'started', dueAt: later(10) });
    expect([9, 10].map(due({}, [started]))).to.deep.equal(['nothing', 'plan']);
  });

  it('means nothing once its stage has ended', () => {
    for (const state of ['completed', 'failed', 'closed'] as const)
      expect(due({}, [status('fetch', { state, dueAt: later(10) })])(11)).to.equal('nothing');
  });

  it('deletes a failed video and one whose delete is queued', () => {
    for (const video of [{ state: 'failed' }, { intent: 'delete' }] as const) {
      const plan = decideTime({ video: newVideo({ ...video, dueAt: later(1) }), stages: [] }, around(later(1)));
      expect(plan).to.have.nested.property('video.state', 'deleted');
    }
  });
});

describe('the time of a change', () => {
  it('moves with what the partner can see, and never back', () => {
    const video = newVideo({ updatedAt: later(10) });
    expect(amend(video, { durationMs: 5 }, later(11))).to.deep.include({ updatedAt: later(11), version: 2 });
    expect(amend(video, { durationMs: 5 }, later(9))).to.deep.include({ updatedAt: later(10), version: 2 });
    expect(amend(video, { playbackId: 'p' }, later(11))).to.deep.include({ updatedAt: later(10), version: 2 });
  });

  it('is that of each change of state, duration, failure, warnings and tracks', () => {
    const video = newVideo({ state: 'ready' });
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    for (const changes of [{ state: 'archived' }, { failure }, { warnings: [{ code: 'w', message: '' }] }] as const)
      expect(amend(video, changes, later(11)).updatedAt).to.deep.equal(later(11));
  });
});

describe('a stage that has not ended', () => {
  const snapshot = (stage: Partial<StageStatus>, video: Partial<Video> = {}): Snapshot => ({
    video: newVideo(video),
    stages: [status('fetch', stage)],
  });
  const progressed = (percent: number, stage: Partial<StageStatus>) =>
    decideStageEvent(snapshot(stage), { ...of, stage: 'fetch', type: 'progressed', percent }, aroundNamed(later(3)));

  it('has begun with the first that is heard of it, be it progress', () => {
    expect(progressed(0, {})).to.have.deep.nested.property('status.startedAt', later(3));
    expect(progressed(0, {})).to.have.nested.property('status.state', 'started');
    const again = decideStageEvent(
      snapshot({ state: 'started' }),
      { ...of, stage: 'fetch', type: 'started' },
      around(later(3)),
    );
    expect(again.kind).to.equal('nothing');
  });

  it('goes forward only, and to 100 at most', () => {
    const begun = { state: 'started', progress: 40 } as const;
    expect([39, 40].map((percent) => progressed(percent, begun).kind)).to.deep.equal(['nothing', 'nothing']);
    expect(progressed(41, begun)).to.have.nested.property('status.progress', 41);
    expect(progressed(1_000, begun)).to.have.nested.property('status.progress', 100);
    expect(progressed(41, begun)).to.have.deep.nested.property('before', status('fetch', begun));
  });

  it('has no deadline while a delete is queued', () => {
    const fact = { ...of, stage: 'fetch', type: 'started' } as const;
    const mark = decideStageEvent(snapshot({}, { intent: 'delete' }), fact, aroundNamed(later(3)));
    expect(mark).to.have.nested.property('status.dueAt', null);
  });
});

describe('progress', () => {
  it('of a stage counts to 99 until it has completed, and never below 0', () => {
    const percent = (progress: number) => overallProgress([status('fetch', { progress })], onlyFetch);
    expect([-5, 0, 98, 99, 100, 250].map(percent)).to.deep.equal([0, 0, 98, 99, 99, 99]);
  });

  it('is 0 where there are no stages', () => {
    expect(overallProgress([], [])).to.equal(0);
  });
});
