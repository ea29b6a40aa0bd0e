/** Every time that a decision sets or waits for, to the millisecond. */
import { expect } from 'chai';
import { decideStageEvent, decideTime } from '../../src/domain/stage-events.ts';
import { overallProgress } from '../../src/domain/stages.ts';
import type { Snapshot } from '../../src/domain/plan.ts';
import type { StageStatus } from '../../src/domain/stages.ts';
import { amend, type Video } from '../../src/domain/video.ts';
import { named } from './stages.ts';
import { contextAt, contextAtNamed, later, newVideo, status } from './fixtures.ts';

const of = { videoId: newVideo().id, attempt: 1, revision: 0 };
const onlyFetch = named.filter(({ name }) => name === 'fetch');
function done({ name }: { readonly name: string }): StageStatus {
  return status(name, { state: 'completed', finishedAt: later(0) });
}
function due(video: Partial<Video>, stages: readonly StageStatus[] = []) {
  return (ms: number) => decideTime({ video: newVideo(video), stages }, contextAtNamed(later(ms))).kind;
}

describe('a time that was set', () => {
  it('a time is due at its millisecond, not before', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    expect([9, 10].map(due({ state: 'failed', failure, dueAt: later(10) }))).to.deep.equal(['no-op', 'plan']);
    expect([9, 10].map(due({ intent: 'delete', dueAt: later(10) }))).to.deep.equal(['no-op', 'plan']);
    const awaiting = [...named.filter(({ blocksReady }) => blocksReady).map(done), status('captions')];
    expect([9, 10].map(due({ dueAt: later(10) }, awaiting))).to.deep.equal(['no-op', 'plan']);
  });

  it('a time that is due deletes a failed video and one with a queued delete', () => {
    for (const video of [{ state: 'failed' }, { intent: 'delete' }] as const) {
      const plan = decideTime({ video: newVideo({ ...video, dueAt: later(1) }), stages: [] }, contextAt(later(1)));
      expect(plan).to.have.nested.property('video.state', 'deleted');
    }
  });
});

describe('`updatedAt`', () => {
  it('`updatedAt` moves with the partner’s view, and never back', () => {
    const video = newVideo({ updatedAt: later(10) });
    expect(amend(video, { durationMs: 5 }, later(11))).to.deep.include({ updatedAt: later(11), version: 2 });
    expect(amend(video, { durationMs: 5 }, later(9))).to.deep.include({ updatedAt: later(10), version: 2 });
    expect(amend(video, { playbackId: 'p' }, later(11))).to.deep.include({ updatedAt: later(10), version: 2 });
  });

  it('`updatedAt` moves with each change of state, duration, failure, warnings and tracks', () => {
    const video = newVideo({ state: 'ready' });
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    for (const changes of [{ state: 'archived' }, { failure }, { warnings: [{ code: 'w', message: '' }] }] as const)
      expect(amend(video, changes, later(11)).updatedAt).to.deep.equal(later(11));
  });
});

describe('an open stage', () => {
  const snapshot = (stage: Partial<StageStatus>, video: Partial<Video> = {}): Snapshot => ({
    video: newVideo(video),
    stages: [status('fetch', stage)],
  });
  const progressed = (percent: number, stage: Partial<StageStatus>) =>
    decideStageEvent(snapshot(stage), { ...of, stage: 'fetch', type: 'progressed', percent }, contextAtNamed(later(3)));

  it('a stage starts with its first event, be it progress', () => {
    expect(progressed(0, {})).to.have.deep.nested.property('status.startedAt', later(3));
    expect(progressed(0, {})).to.have.nested.property('status.state', 'started');
    const again = decideStageEvent(
      snapshot({ state: 'started' }),
      { ...of, stage: 'fetch', type: 'started' },
      contextAt(later(3)),
    );
    expect(again.kind).to.equal('no-op');
  });

  it('progress of a stage moves forward only, to 100 at most', () => {
    const begun = { state: 'started', progress: 40 } as const;
    expect([39, 40].map((percent) => progressed(percent, begun).kind)).to.deep.equal(['no-op', 'no-op']);
    expect(progressed(41, begun)).to.have.nested.property('status.progress', 41);
    expect(progressed(1_000, begun)).to.have.nested.property('status.progress', 100);
    expect(progressed(41, begun)).to.have.deep.nested.property('before', status('fetch', begun));
  });
});

describe('overall progress', () => {
  it('progress of a stage counts to 99 until it has completed, and never below 0', () => {
    const percent = (progress: number) => overallProgress([status('fetch', { progress })], onlyFetch);
    expect([-5, 0, 98, 99, 100, 250].map(percent)).to.deep.equal([0, 0, 98, 99, 99, 99]);
  });

  it('progress is 0 without stages', () => {
    expect(overallProgress([], [])).to.equal(0);
  });
});
