/** What follows at the edges: orders that are queued or repeated, lists of other stages, facts that come too late. */
import { expect } from 'chai';
import { scheduleStages } from '../../src/domain/schedule-stages.ts';
import { decideStageEvent, type StageEvent } from '../../src/domain/stage-events.ts';
import { decideCommand, type Snapshot } from '../../src/domain/plan.ts';
import type { Stage } from '../../src/domain/stage.ts';
import type { StageStatus } from '../../src/domain/stage-status.ts';
import { stages as list } from '../../src/domain/stages.ts';
import { transition } from '../../src/domain/transition.ts';
import type { Video } from '../../src/domain/video.ts';
import { describeState } from '../../src/domain/describe-state.ts';
import { around, aroundNamed, later, newVideo, status, told } from '../support.ts';

const at = aroundNamed(later(9));
const of = { videoId: newVideo().id, attempt: 1, revision: 0 };
function done(stage: string, more: Partial<StageStatus> = {}): StageStatus {
  return status(stage, { state: 'completed', finishedAt: later(0), progress: 100, ...more });
}
const ladder = [done('fetch'), done('inspect'), done('encode', { reached: ['audio'] })];
function ordered(type: 'archive' | 'republish', video: Partial<Video>) {
  return transition(newVideo(video), { type }, around(later(1)));
}

describe('an order that is queued', () => {
  it('changes what the partner wants and nothing else, and once', () => {
    expect(ordered('archive', {})).to.deep.include({ kind: 'change', changes: { intent: 'archive' }, effects: [] });
    expect(ordered('archive', { intent: 'archive' })).to.have.property('kind', 'same');
    expect(ordered('republish', { intent: 'archive' })).to.deep.include({ changes: { intent: 'none' }, effects: [] });
    const held = { state: 'archived', held: true } as const;
    expect(ordered('archive', held)).to.deep.include({ kind: 'change', changes: { intent: 'archive' }, effects: [] });
    expect(ordered('archive', { ...held, intent: 'archive' })).to.deep.equal({
      kind: 'same',
      reply: { status: 'archived', queued: false },
    });
  });

  it('and repeated is answered as the first was', () => {
    const snapshot: Snapshot = { video: newVideo({ intent: 'archive' }), stages: [] };
    const again = decideCommand(snapshot, { type: 'archive' }, at);
    expect(again.kind).to.equal('nothing');
    expect(again).to.have.nested.property('reply.status', 'archive_queued');
  });

  it('is over when it is done: the next completion finds nothing queued', () => {
    const command = { type: 'completion', playbackId: 'p', durationMs: 1, ladderKey: 'l', thumbnailKey: 't' } as const;
    expect(transition(newVideo({ intent: 'archive' }), command, at)).to.have.nested.property('changes.intent', 'none');
  });

  it('is refused by what the video is, not for want of one', () => {
    expect(ordered('archive', { state: 'failed' })).to.have.property('code', 'FAILED_PRECONDITION');
  });
});

describe('an order that touches no stage', () => {
  it('leaves those that are asked for as they are', () => {
    const asked = status('metadata');
    const snapshot: Snapshot = { video: newVideo({ state: 'ready' }), stages: [...ladder, done('captions'), asked] };
    expect(decideCommand(snapshot, { type: 'archive' }, at)).to.have.deep.nested.property('stages[4]', asked);
  });
});

describe('other lists of stages', () => {
  const stage = (name: string, more: Partial<Stage> = {}): Stage => ({
    name,
    owner: name,
    needs: [],
    blocksReady: false,
    deadlineMs: () => 1_000,
    weight: 1,
    ...more,
  });
  const score = (stages: readonly Stage[], ...statuses: readonly StageStatus[]) =>
    scheduleStages(statuses, { durationMs: null, transcriptRevision: 0 }, { ...at, list: stages });
  const picture = stage('picture', { blocksReady: true });
  const started = (name: string) => status(name, { state: 'started' });

  it('a stage that names no time is not waited for', () => {
    expect(score([picture, stage('extra')], done('picture'), started('extra')).whole).to.equal(true);
  });

  it('a video is not whole while what it cannot do without is missing, whatever else has ended', () => {
    expect(score([picture, stage('extra')], started('picture'), done('extra')).whole).to.equal(false);
  });

  it('the nearest time counts, whichever stage comes first', () => {
    const [far, near] = [stage('far', { awaitedMs: () => 500 }), stage('near', { awaitedMs: () => 200 })];
    for (const stages of [
      [picture, far, near],
      [picture, near, far],
    ])
      expect(score(stages, done('picture'), started('far'), started('near')).awaitedUntil).to.deep.equal(later(200));
  });

  it('a stage is settled when it has ended or is none of the list, not while it runs', () => {
    const next = stage('next', { needs: [{ stage: 'picture', reached: 'settled' }] });
    const asked = (stages: readonly Stage[], ...statuses: readonly StageStatus[]) =>
      score(stages, ...statuses).requests.map((asking) => asking.stage);
    expect(asked([picture, next], started('picture'))).to.deep.equal([]);
    expect(asked([picture, next], done('picture'))).to.deep.equal(['next']);
    expect(asked([next])).to.deep.equal(['next']);
  });

  it('ours names who runs each', () => {
    const owners = Object.fromEntries(list.map(({ name, owner }) => [name, owner]));
    const makers = { fetch: 'ingest', inspect: 'transcode', encode: 'transcode' };
    expect(owners).to.include({ ...makers, captions: 'captions', metadata: 'metadata' });
  });
});

describe('a fact', () => {
  it('of a stage whose deadline has passed counts only as its last word', () => {
    const stages = [...ladder, status('captions', { state: 'failed' })];
    const facts: readonly StageEvent[] = [
      { ...of, stage: 'captions', type: 'started' },
      { ...of, stage: 'captions', type: 'progressed', percent: 50 },
      { ...of, stage: 'captions', type: 'failed', code: 'internal_error', details: {} },
    ];
    for (const fact of facts)
      expect(decideStageEvent({ video: newVideo(), stages }, fact, at), fact.type).to.deep.equal({ kind: 'nothing' });
  });

  it('of progress marks its stage alone', () => {
    const fact: StageEvent = { ...of, stage: 'fetch', type: 'progressed', percent: 50 };
    expect(decideStageEvent({ video: newVideo(), stages: [status('fetch')] }, fact, at).kind).to.equal('mark');
  });

  it('that a stage is complete invents no milestone', () => {
    const fact: StageEvent = { ...of, stage: 'fetch', type: 'completed', outputs: {} };
    const plan = decideStageEvent({ video: newVideo(), stages: [status('fetch')] }, fact, at);
    expect(plan).to.have.deep.nested.property('stages[0].reached', []);
  });

  it('that has a stage asked for once more keeps what that very stage has made', () => {
    const stages = [...ladder, done('captions'), done('metadata', { outputs: { digest: 'its own' } })];
    const fact: StageEvent = { ...of, stage: 'captions', type: 'tracks', captions: told(2) };
    const plan = decideStageEvent({ video: newVideo({ state: 'ready' }), stages }, fact, at);
    expect(plan).to.have.deep.nested.property('stages[4].outputs', { digest: 'its own' });
  });
});

describe('a video in the audit’s words', () => {
  it('that is deleted is of no attempt any more', () => {
    expect(describeState(newVideo({ state: 'deleted', attempt: 2 }))).to.equal('deleted');
    expect(describeState(newVideo({ intent: 'archive', held: true, attempt: 2 }))).to.equal(
      'processing, archive queued, held, attempt 2',
    );
  });
});
