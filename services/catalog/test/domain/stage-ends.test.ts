/** What a stage is and what the video gets of it when something is reached, completed, failed, cancelled or begun anew. */
import { expect } from 'chai';
import { decideStageEvent, decideTime, type StageEvent } from '../../src/domain/stage-events.ts';
import { decideCommand, type Plan, type Snapshot } from '../../src/domain/plan.ts';
import { reopened, type StageStatus } from '../../src/domain/stage-status.ts';
import type { Video } from '../../src/domain/video.ts';
import { aroundNamed, later, newVideo, status, told } from '../support.ts';

const at = aroundNamed(later(9));
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

describe('a stage that completes', () => {
  const begun = status('encode', {
    state: 'started',
    progress: 40,
    startedAt: later(1),
    dueAt: later(99),
    reached: ['audio'],
    outputs: { hasAudio: true, durationMs: 1 },
  });

  it('is whole, keeps what it told on the way, and has no deadline any more', () => {
    const fact = completed('encode', { reached: ['audio', 'first'], outputs: { durationMs: 2, ladderKey: 'l' } });
    const { stages } = plan(decideStageEvent(of1([done('fetch'), done('inspect'), begun]), fact, at));
    expect(stages.at(-1)).to.deep.equal({
      ...begun,
      state: 'completed',
      progress: 100,
      finishedAt: later(9),
      dueAt: null,
      reached: ['audio', 'first'],
      outputs: { hasAudio: true, durationMs: 2, ladderKey: 'l' },
    });
  });

  it('tells the video its duration and warnings, where it knows any', () => {
    const warnings = [{ code: 'w', message: 'big' }];
    const known = { durationMs: 7, warnings: [{ code: 'old', message: '' }] };
    const after = (more: object): Video =>
      plan(decideStageEvent(of1([done('fetch'), status('inspect')], known), completed('inspect', more), at)).video;
    expect(after({ outputs: { durationMs: 5 }, warnings })).to.deep.include({ durationMs: 5, warnings });
    expect(after({})).to.deep.include(known);
  });

  it('completes the video as the last one that is waited for, with what all have made', () => {
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

  it('lets the video wait for the stages that it can do without, and no longer than for the nearest', () => {
    const stages = [done('fetch'), done('inspect'), begun, status('captions', { state: 'started' })];
    const { video } = plan(decideStageEvent(of1(stages), completed('encode'), at));
    expect(video).to.deep.include({ state: 'processing', dueAt: later(9 + 0.75 * at.awaitLeastMs) });
  });
});

describe('something reached on the way', () => {
  it('begins the stage, and is kept once with what it made', () => {
    const { stages } = plan(
      decideStageEvent(of1([done('fetch'), done('inspect'), status('encode')]), reached('audio'), at),
    );
    expect(stages.at(-1)).to.deep.include({
      state: 'started',
      startedAt: later(9),
      reached: ['audio'],
      outputs: { hasAudio: true },
    });
    expect(decideStageEvent(of1(stages), reached('audio'), at)).to.deep.equal({ kind: 'nothing' });
  });

  it('is kept beside what was reached and made before', () => {
    const before = status('encode', { state: 'started', reached: ['first'], outputs: { digest: 'd' } });
    const { stages } = plan(decideStageEvent(of1([before]), reached('audio'), at));
    expect(stages[0]).to.deep.include({ reached: ['first', 'audio'], outputs: { digest: 'd', hasAudio: true } });
  });

  it('is true of a completed stage, and nothing of one that failed or was closed', () => {
    const kind = (state: StageStatus['state']) =>
      decideStageEvent(of1([status('encode', { state })]), reached('audio'), at).kind;
    expect((['completed', 'failed', 'closed'] as const).map(kind)).to.deep.equal(['plan', 'nothing', 'nothing']);
  });
});

describe('a stage that fails', () => {
  const fails = (stage: string): StageEvent => ({
    ...of,
    stage,
    type: 'failed',
    code: 'source_empty',
    details: { bytes: '0' },
  });

  it('takes the video along where it cannot do without, and everything that is open is closed', () => {
    const stages = [done('fetch'), status('inspect', { state: 'started', dueAt: later(99) }), status('captions')];
    const after = plan(decideStageEvent(of1(stages), fails('inspect'), at));
    expect(after.video).to.deep.include({
      state: 'failed',
      failure: { code: 'source_empty', stage: 'inspect', details: { bytes: '0' } },
    });
    expect(after.stages).to.deep.equal([
      stages[0],
      { ...stages[1], state: 'failed', finishedAt: later(9), dueAt: null },
      { ...stages[2], state: 'closed', finishedAt: later(9) },
    ]);
  });

  it('just ends where the video can do without', () => {
    const stages = [...ladder, status('captions', { state: 'started', dueAt: later(99) })];
    const after = plan(decideStageEvent(of1(stages), fails('captions'), at));
    expect(after.video).to.include({ state: 'processing', failure: null });
    expect(after.stages.at(-1)).to.deep.include({ state: 'failed', finishedAt: later(9), dueAt: null });
    expect(after.requests.map(({ stage }) => stage)).to.deep.equal(['metadata']);
  });

  it('by its deadline leaves no details', () => {
    const late = status('fetch', { state: 'started', dueAt: later(9) });
    const { video } = plan(decideTime(of1([late]), at));
    expect(video.failure).to.deep.equal({ code: 'internal_error', stage: 'fetch', details: {} });
  });
});

describe('the stages of a video', () => {
  it('whose delete is queued: those that nobody has begun are closed, begun ones have no deadline any more', () => {
    const stages = [done('fetch'), status('inspect'), status('captions', { state: 'started', dueAt: later(99) })];
    const after = plan(decideCommand(of1(stages), { type: 'delete' }, at));
    expect(after.stages).to.deep.equal([
      stages[0],
      { ...stages[1], state: 'closed', finishedAt: later(9) },
      { ...stages[2], dueAt: null },
    ]);
    expect(after.video.dueAt).to.deep.equal(later(9 + at.deleteGraceMs));
  });

  it('whose delete is queued: the wait ends with the last that is open', () => {
    const open = of1([status('fetch', { state: 'started' })], { intent: 'delete', dueAt: later(99) });
    expect(plan(decideStageEvent(open, completed('fetch'), at)).video.dueAt).to.deep.equal(later(9));
    const both = { ...open, stages: [...open.stages, status('inspect', { state: 'started' })] };
    expect(plan(decideStageEvent(both, completed('fetch'), at)).video.dueAt).to.deep.equal(later(99));
  });

  it('that is tried again: none of the former attempt’s are left, and the first is asked for', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    const after = plan(decideCommand(of1([done('fetch')], { state: 'failed', failure }), { type: 'retry' }, at));
    expect(after.stages).to.deep.equal([]);
    expect(after.requests).to.deep.equal([{ stage: 'fetch', revision: 0, inputsRevision: 0 }]);
  });

  it('that are asked for once more: what they told stays, when and how far they were does not', () => {
    const ended = done('metadata', { startedAt: later(1), dueAt: later(2), outputs: { digest: 'd' }, reached: ['x'] });
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

  it('that is live: no time is waited for, whatever comes later', () => {
    const live = of1([...ladder, status('captions')], { state: 'ready', dueAt: later(0) });
    const tracks: StageEvent = { ...of, stage: 'captions', type: 'tracks', captions: told(1) };
    expect(plan(decideStageEvent(live, tracks, at)).video.dueAt).to.equal(null);
  });
});
