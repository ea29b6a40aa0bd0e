/** Edge cases: commands that are queued or repeated, other lists of stages, events that come too late. */
import { expect } from 'chai';
import { scheduleStages } from '../../src/domain/schedule-stages.ts';
import { decideStageEvent, type StageEvent } from '../../src/domain/stage-events.ts';
import { decideCommand, type Snapshot } from '../../src/domain/plan.ts';
import type { Stage } from '../../src/domain/stages.ts';
import type { StageStatus } from '../../src/domain/stages.ts';
import { stages as list } from '../../src/domain/stages.ts';
import { transition } from '../../src/domain/transition.ts';
import type { Video } from '../../src/domain/video.ts';
import { describeState } from '../../src/domain/video.ts';
import { contextAt, contextAtNamed, later, newVideo, status, captionsAt } from './fixtures.ts';

const at = contextAtNamed(later(9));
const of = { videoId: newVideo().id, attempt: 1, revision: 0 };
function done(stage: string, more: Partial<StageStatus> = {}): StageStatus {
  return status(stage, { state: 'completed', finishedAt: later(0), progress: 100, ...more });
}
const ladder = [done('fetch'), done('inspect'), done('encode', { reached: ['audio'] })];
function ordered(type: 'archive' | 'republish', video: Partial<Video>) {
  return transition(newVideo(video), { type }, contextAt(later(1)));
}

describe('a queued command', () => {
  it('a queued archive changes the intent and nothing else, once', () => {
    expect(ordered('archive', {})).to.deep.include({ kind: 'change', changes: { intent: 'archive' }, effects: [] });
    expect(ordered('archive', { intent: 'archive' })).to.have.property('kind', 'no-op');
    expect(ordered('republish', { intent: 'archive' })).to.deep.include({ changes: { intent: 'none' }, effects: [] });
    const held = { state: 'archived', held: true } as const;
    expect(ordered('archive', held)).to.deep.include({ kind: 'change', changes: { intent: 'archive' }, effects: [] });
    expect(ordered('archive', { ...held, intent: 'archive' })).to.deep.equal({
      kind: 'no-op',
      reply: { status: 'archived', queued: false },
    });
  });

  it('a repeated queued archive has the same reply', () => {
    const snapshot: Snapshot = { video: newVideo({ intent: 'archive' }), stages: [] };
    const again = decideCommand(snapshot, { type: 'archive' }, at);
    expect(again.kind).to.equal('no-op');
    expect(again).to.have.nested.property('reply.status', 'archive_queued');
  });

  it('a queued archive is cleared by the completion that carries it out', () => {
    const command = { type: 'completion', playbackId: 'p', durationMs: 1, ladderKey: 'l', thumbnailKey: 't' } as const;
    expect(transition(newVideo({ intent: 'archive' }), command, at)).to.have.nested.property('changes.intent', 'none');
  });

  it('rejections do not depend on whether something is queued', () => {
    expect(ordered('archive', { state: 'failed' })).to.have.property('code', 'FAILED_PRECONDITION');
  });
});

describe('a command without effect on stages', () => {
  it('an archive leaves requested stages as they are', () => {
    const requested = status('metadata');
    const snapshot: Snapshot = {
      video: newVideo({ state: 'ready' }),
      stages: [...ladder, done('captions'), requested],
    };
    expect(decideCommand(snapshot, { type: 'archive' }, at)).to.have.deep.nested.property('stages[4]', requested);
  });
});

describe('schedules of other lists of stages', () => {
  const stage = (name: string, more: Partial<Stage> = {}): Stage => ({
    name,
    owner: name,
    needs: [],
    blocksReady: false,
    weight: 1,
    ...more,
  });
  const score = (stages: readonly Stage[], ...statuses: readonly StageStatus[]) =>
    scheduleStages(statuses, { durationMs: null, transcriptRevision: 0 }, { ...at, list: stages });
  const picture = stage('picture', { blocksReady: true });
  const started = (name: string) => status(name, { state: 'started' });

  it('a stage without an awaited time is not waited for', () => {
    expect(score([picture, stage('extra')], done('picture'), started('extra')).complete).to.equal(true);
  });

  it('a schedule is not complete while a blocking stage has not completed, whatever else has ended', () => {
    expect(score([picture, stage('extra')], started('picture'), done('extra')).complete).to.equal(false);
  });

  it('the nearest end of awaiting counts, whichever stage comes first', () => {
    const [far, near] = [stage('far', { awaitedMs: () => 500 }), stage('near', { awaitedMs: () => 200 })];
    for (const stages of [
      [picture, far, near],
      [picture, near, far],
    ])
      expect(score(stages, done('picture'), started('far'), started('near')).awaitedUntil).to.deep.equal(later(200));
  });

  it('a stage is settled when it has ended or is not in the list, not while it runs', () => {
    const next = stage('next', { needs: [{ stage: 'picture', reached: 'settled' }] });
    const requests = (stages: readonly Stage[], ...statuses: readonly StageStatus[]) =>
      score(stages, ...statuses).requests.map((request) => request.stage);
    expect(requests([picture, next], started('picture'))).to.deep.equal([]);
    expect(requests([picture, next], done('picture'))).to.deep.equal(['next']);
    expect(requests([next])).to.deep.equal(['next']);
  });

  it('every stage of the list has an owner', () => {
    const owners = Object.fromEntries(list.map(({ name, owner }) => [name, owner]));
    const outputOwners = { fetch: 'ingest', inspect: 'transcode', encode: 'transcode' };
    expect(owners).to.include({ ...outputOwners, captions: 'captions', metadata: 'metadata' });
  });
});

describe('an event of a stage', () => {
  it('of a stage that has failed only its completed event counts', () => {
    const stages = [...ladder, status('captions', { state: 'failed' })];
    const list: readonly StageEvent[] = [
      { ...of, stage: 'captions', type: 'started' },
      { ...of, stage: 'captions', type: 'progressed', percent: 50 },
      { ...of, stage: 'captions', type: 'failed', code: 'internal_error', details: {} },
    ];
    for (const event of list)
      expect(decideStageEvent({ video: newVideo(), stages }, event, at), event.type).to.deep.equal({ kind: 'no-op' });
  });

  it('a progressed event updates only its stage', () => {
    const event: StageEvent = { ...of, stage: 'fetch', type: 'progressed', percent: 50 };
    expect(decideStageEvent({ video: newVideo(), stages: [status('fetch')] }, event, at).kind).to.equal('stage-update');
  });

  it('a stage that is requested again keeps its outputs', () => {
    const stages = [...ladder, done('captions'), done('metadata', { outputs: { digest: 'its own' } })];
    const event: StageEvent = { ...of, stage: 'captions', type: 'tracks', captions: captionsAt(2) };
    const plan = decideStageEvent({ video: newVideo({ state: 'ready' }), stages }, event, at);
    expect(plan).to.have.deep.nested.property('stages[4].outputs', { digest: 'its own' });
  });
});

describe('describeState', () => {
  it('the description of a deleted video has no attempt', () => {
    expect(describeState(newVideo({ state: 'deleted', attempt: 2 }))).to.equal('deleted');
    expect(describeState(newVideo({ intent: 'archive', held: true, attempt: 2 }))).to.equal(
      'processing, archive queued, held, attempt 2',
    );
  });
});
