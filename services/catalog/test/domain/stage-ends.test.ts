/** A stage and its video after a milestone, a completion, a failure, a cancellation or a new request. */
import { expect } from 'chai';
import { decideStageEvent, type StageEvent } from '../../src/domain/stage-events.ts';
import { decideCommand, type Plan, type Snapshot } from '../../src/domain/plan.ts';
import { reopened, type StageStatus } from '../../src/domain/stages.ts';
import type { Video } from '../../src/domain/video.ts';
import { contextAtNamed, later, newVideo, status, captionsAt } from './fixtures.ts';

const at = contextAtNamed(later(9));
const of = { videoId: newVideo().id, attempt: 1, revision: 0 };
function done(stage: string, more: Partial<StageStatus> = {}): StageStatus {
  return status(stage, { state: 'completed', finishedAt: later(0), progress: 100, ...more });
}
const ladder = [done('fetch'), done('inspect'), done('encode', { reached: ['audio'] })];
function completed(stage: string, more: object = {}): StageEvent {
  return {
    ...of,
    stage,
    type: 'completed',
    outputs: {},
    ...more,
  };
}
function reached(milestone: string): StageEvent {
  return {
    ...of,
    stage: 'encode',
    type: 'reached',
    milestone,
    outputs: { hasAudio: true },
  };
}
function of1(stages: readonly StageStatus[], video: Partial<Video> = {}): Snapshot {
  return {
    video: newVideo(video),
    stages,
  };
}
function plan(decision: { readonly kind: string }): Plan {
  expect(decision.kind).to.equal('plan');
  return decision as Plan;
}

describe('a completed stage', () => {
  const begun = status('encode', {
    state: 'started',
    progress: 40,
    startedAt: later(1),
    reached: ['audio'],
    outputs: { hasAudio: true, durationMs: 1 },
  });

  it('a completed stage is at 100 % and keeps its milestones and outputs', () => {
    const event = completed('encode', { outputs: { durationMs: 2, ladderKey: 'l' } });
    const { stages } = plan(decideStageEvent(of1([done('fetch'), done('inspect'), begun]), event, at));
    expect(stages.at(-1)).to.deep.equal({
      ...begun,
      state: 'completed',
      progress: 100,
      finishedAt: later(9),
      reached: ['audio'],
      outputs: { hasAudio: true, durationMs: 2, ladderKey: 'l' },
    });
  });

  it('a completed stage sets the video’s duration and warnings, if it has any', () => {
    const warnings = [{ code: 'w', message: 'big' }];
    const known = { durationMs: 7, warnings: [{ code: 'old', message: '' }] };
    const after = (more: object): Video =>
      plan(decideStageEvent(of1([done('fetch'), status('inspect')], known), completed('inspect', more), at)).video;
    expect(after({ outputs: { durationMs: 5 }, warnings })).to.deep.include({ durationMs: 5, warnings });
    expect(after({})).to.deep.include(known);
  });

  it('the last awaited stage completes the video with the outputs of all stages', () => {
    const stages = [
      done('fetch'),
      done('inspect', { outputs: { durationMs: 4 } }),
      begun,
      done('captions'),
      done('metadata'),
    ];
    const outputs = { ladderKey: 'l', thumbnailKey: 't', durationMs: 5 };
    const { video, effects } = plan(decideStageEvent(of1(stages), completed('encode', { outputs }), at));
    expect(video).to.deep.include({ state: 'ready', endedAt: later(9), dueAt: null, playbackId: 'minted', ...outputs });
    expect(effects.map(({ type }) => type)).to.deep.equal(['publish-clip', 'purge', 'purge']);
    const bare = plan(decideStageEvent(of1(stages), completed('encode'), at)).video;
    expect(bare).to.include({ ladderKey: '', thumbnailKey: '', durationMs: 1 });
  });

  it('a video waits for stages that do not block, no longer than for the nearest', () => {
    const stages = [done('fetch'), done('inspect'), begun, status('captions', { state: 'started' })];
    const { video } = plan(decideStageEvent(of1(stages), completed('encode'), at));
    expect(video).to.deep.include({ state: 'processing', dueAt: later(9 + 0.75 * at.minAwaitMs) });
  });
});

describe('a milestone', () => {
  it('a milestone starts its stage and is kept once with its outputs', () => {
    const { stages } = plan(
      decideStageEvent(of1([done('fetch'), done('inspect'), status('encode')]), reached('audio'), at),
    );
    expect(stages.at(-1)).to.deep.include({
      state: 'started',
      startedAt: later(9),
      reached: ['audio'],
      outputs: { hasAudio: true },
    });
    expect(decideStageEvent(of1(stages), reached('audio'), at)).to.deep.equal({ kind: 'no-op' });
  });

  it('a milestone is kept beside earlier milestones and outputs', () => {
    const before = status('encode', { state: 'started', reached: ['first'], outputs: { digest: 'd' } });
    const { stages } = plan(decideStageEvent(of1([before]), reached('audio'), at));
    expect(stages[0]).to.deep.include({ reached: ['first', 'audio'], outputs: { digest: 'd', hasAudio: true } });
  });

  it('a milestone that is reached again with other outputs replaces them: a source that is fetched anew', () => {
    const before = status('fetch', {
      state: 'started',
      reached: ['head'],
      outputs: { sourceKey: 'a', sourceBytes: 1 },
    });
    const head = { ...reached('head'), stage: 'fetch', outputs: { sourceKey: 'b', sourceBytes: 1 } } as StageEvent;
    const { stages } = plan(decideStageEvent(of1([before, status('encode')]), head, at));
    expect(stages[0]).to.deep.include({ reached: ['head'], outputs: { sourceKey: 'b', sourceBytes: 1 } });
    expect(decideStageEvent(of1(stages), head, at)).to.deep.equal({ kind: 'no-op' });
  });

  it('a milestone of a stage that has ended changes nothing', () => {
    const kind = (state: StageStatus['state']) =>
      decideStageEvent(of1([status('encode', { state })]), reached('audio'), at).kind;
    expect((['completed', 'failed', 'closed'] as const).map(kind)).to.deep.equal(['no-op', 'no-op', 'no-op']);
  });
});

describe('a failed stage', () => {
  const fails = (stage: string): StageEvent => ({
    ...of,
    stage,
    type: 'failed',
    code: 'source_empty',
    details: { bytes: '0' },
  });

  it('a failed blocking stage fails the video and closes every open stage', () => {
    const stages = [done('fetch'), status('inspect', { state: 'started' }), status('captions')];
    const after = plan(decideStageEvent(of1(stages), fails('inspect'), at));
    expect(after.video).to.deep.include({
      state: 'failed',
      failure: { code: 'source_empty', stage: 'inspect', details: { bytes: '0' } },
    });
    expect(after.stages).to.deep.equal([
      stages[0],
      { ...stages[1], state: 'failed', finishedAt: later(9) },
      { ...stages[2], state: 'closed', finishedAt: later(9) },
    ]);
  });

  it('a failed stage that does not block just ends', () => {
    const stages = [...ladder, status('captions', { state: 'started' })];
    const after = plan(decideStageEvent(of1(stages), fails('captions'), at));
    expect(after.video).to.include({ state: 'processing', failure: null });
    expect(after.stages.at(-1)).to.deep.include({ state: 'failed', finishedAt: later(9) });
    expect(after.requests.map(({ stage }) => stage)).to.deep.equal(['metadata']);
  });
});

describe('stages after a command', () => {
  it('a queued delete closes stages that have not started and leaves started ones to stop', () => {
    const stages = [done('fetch'), status('inspect'), status('captions', { state: 'started' })];
    const after = plan(decideCommand(of1(stages), { type: 'delete' }, at));
    expect(after.stages).to.deep.equal([stages[0], { ...stages[1], state: 'closed', finishedAt: later(9) }, stages[2]]);
    expect(after.video.dueAt).to.deep.equal(later(9 + at.deleteGraceMs));
  });

  it('a queued delete ends its wait when the last open stage has ended', () => {
    const open = of1([status('fetch', { state: 'started' })], { intent: 'delete', dueAt: later(99) });
    expect(plan(decideStageEvent(open, completed('fetch'), at)).video.dueAt).to.deep.equal(later(9));
    const both = { ...open, stages: [...open.stages, status('inspect', { state: 'started' })] };
    expect(plan(decideStageEvent(both, completed('fetch'), at)).video.dueAt).to.deep.equal(later(99));
  });

  it('a retry drops the stages of the former attempt and requests the first', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    const after = plan(decideCommand(of1([done('fetch')], { state: 'failed', failure }), { type: 'retry' }, at));
    expect(after.stages).to.deep.equal([]);
    expect(after.requests).to.deep.equal([{ stage: 'fetch', revision: 0, inputsRevision: 0 }]);
  });

  it('a stage that is requested again keeps its milestones and outputs and loses its times and progress', () => {
    const ended = done('metadata', { startedAt: later(1), outputs: { digest: 'd' }, reached: ['x'] });
    expect(reopened(ended, { stage: 'metadata', revision: 3, inputsRevision: 2 }, later(9))).to.deep.equal(
      status('metadata', {
        revision: 3,
        inputsRevision: 2,
        requestedAt: later(9),
        outputs: { digest: 'd' },
        reached: ['x'],
      }),
    );
  });

  it('a live video has no `dueAt`, whatever comes later', () => {
    const live = of1([...ladder, status('captions')], { state: 'ready', dueAt: later(0) });
    const tracks: StageEvent = { ...of, stage: 'captions', type: 'tracks', captions: captionsAt(1) };
    expect(plan(decideStageEvent(live, tracks, at)).video.dueAt).to.equal(null);
  });
});
