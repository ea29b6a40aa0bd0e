/** Tracks that arrive in any order and at any time, and repeated requests of a stage. */
import { expect } from 'chai';
import { decideStageEvent, type StageEvent } from '../../src/domain/stage-events.ts';
import type { Plan, Snapshot } from '../../src/domain/plan.ts';
import { decideRerun } from '../../src/domain/operator-actions.ts';
import type { StageStatus } from '../../src/domain/stages.ts';
import type { Captions, Video } from '../../src/domain/video.ts';
import { contextAtNamed, later, newVideo, status, captionsAt, track } from './fixtures.ts';

function done(stage: string, more: Partial<StageStatus> = {}): StageStatus {
  return status(stage, { state: 'completed', finishedAt: later(0), progress: 100, ...more });
}
const ladder = [done('fetch'), done('inspect'), done('encode', { reached: ['audio'] })];
function finished(changes: Partial<Video> = {}, metadata: Partial<StageStatus> = {}): Snapshot {
  return {
    video: newVideo({ state: 'ready', playbackId: 'p', ladderKey: 'l', durationMs: 1_000, ...changes }),
    stages: [...ladder, done('captions'), done('metadata', metadata)],
  };
}
const of = { videoId: newVideo().id, attempt: 1, revision: 0 };
function tracks(captions: Captions, attempt = 1): StageEvent {
  return {
    ...of,
    attempt,
    stage: 'captions',
    type: 'tracks',
    captions,
  };
}
function plan(decision: { readonly kind: string }): Plan {
  expect(decision.kind).to.equal('plan');
  return decision as Plan;
}
const now = contextAtNamed(later(1_000));

describe('events of tracks', () => {
  it('tracks are shown as soon as they settle, with a new version and `updatedAt`', () => {
    const { before, video } = plan(decideStageEvent(finished(), tracks(captionsAt(1)), now));
    expect(video).to.deep.include({
      ...captionsAt(1),
      state: 'ready',
      version: before.version + 1,
      updatedAt: later(1_000),
    });
  });

  it('tracks without a visible difference move only the version', () => {
    const captions = captionsAt(2, {
      transcriptRevision: 0,
      captions: captionsAt(1).captions.map((t) => ({ ...t, name: 'New' })),
    });
    const { before, video } = plan(decideStageEvent(finished(captionsAt(1)), tracks(captions), now));
    expect([video.version, video.updatedAt]).to.deep.equal([before.version + 1, before.updatedAt]);
    const processing: Snapshot = { video: newVideo(), stages: ladder };
    expect(plan(decideStageEvent(processing, tracks(captionsAt(1)), now)).video.updatedAt).to.deep.equal(later(0));
  });

  it('tracks are stored after the stage has failed by its deadline, and if it was never requested', () => {
    for (const stages of [[...ladder, status('captions', { state: 'failed' })], ladder])
      expect(
        plan(decideStageEvent({ ...finished(), stages }, tracks(captionsAt(1)), now)).video.captionsRevision,
      ).to.equal(1);
  });

  it('tracks of an earlier revision or of another attempt change nothing', () => {
    for (const event of [
      tracks(captionsAt(2)),
      tracks(captionsAt(3)),
      tracks(captionsAt(9), 2),
      tracks(captionsAt(9), 0),
    ])
      expect(decideStageEvent(finished(captionsAt(3)), event, now).kind).to.equal('no-op');
  });

  it('tracks of a failed or deleted video change nothing', () => {
    for (const state of ['failed', 'deleted'] as const)
      expect(decideStageEvent(finished({ state }), tracks(captionsAt(1)), now).kind).to.equal('no-op');
  });

  it('the terminal event of captions brings tracks too, and the request of metadata names the transcript', () => {
    const snapshot: Snapshot = { video: newVideo(), stages: [...ladder, status('captions', { state: 'started' })] };
    const event: StageEvent = { ...of, stage: 'captions', type: 'completed', outputs: {}, captions: captionsAt(2) };
    const { video, requests } = plan(decideStageEvent(snapshot, event, now));
    expect(video).to.include({ transcriptKey: 'transcript-2', transcriptRevision: 1 });
    expect(requests).to.deep.equal([{ stage: 'metadata', revision: 0, inputsRevision: 1 }]);
  });

  it('tracks are stored from a terminal event that comes too late to end its stage', () => {
    const snapshot = finished({}, {});
    const event: StageEvent = {
      ...of,
      revision: 7,
      stage: 'captions',
      type: 'completed',
      outputs: {},
      captions: captionsAt(1),
    };
    const { video, stages } = plan(decideStageEvent(snapshot, event, now));
    expect(video.captionsRevision).to.equal(1);
    expect(stages).to.deep.equal(snapshot.stages);
  });
});

describe('the request of captions', () => {
  it('captions are requested by the completed event of encode when the audio milestone was lost', () => {
    const encoding = [done('fetch'), done('inspect'), status('encode', { state: 'started' })];
    const outputs = { ladderKey: 'l', hasAudio: true, audioPlaylistKey: 'a.m3u8' };
    const event: StageEvent = { ...of, stage: 'encode', type: 'completed', outputs };
    const ended = plan(decideStageEvent({ video: newVideo(), stages: encoding }, event, now));
    expect(ended.requests).to.deep.equal([{ stage: 'captions', revision: 0, inputsRevision: 0 }]);
    const again = { ...of, stage: 'encode', type: 'reached', milestone: 'audio', outputs: {} } as const;
    expect(decideStageEvent({ video: ended.video, stages: ended.stages }, again, now).kind).to.equal('no-op');
  });
});

describe('requests of metadata', () => {
  it('metadata of a ready or archived video is requested again when a transcript comes late', () => {
    for (const state of ['ready', 'archived'] as const) {
      const { requests, stages, video } = plan(decideStageEvent(finished({ state }), tracks(captionsAt(2)), now));
      expect(requests).to.deep.equal([{ stage: 'metadata', revision: 1, inputsRevision: 1 }]);
      expect(stages.at(-1)).to.deep.include({ state: 'requested', revision: 1, inputsRevision: 1, finishedAt: null });
      expect(video.state).to.equal(state);
    }
  });

  it('metadata that has ended is not requested again by tracks with the same transcript', () => {
    const again = finished({ ...captionsAt(2) }, { inputsRevision: 1 });
    expect(plan(decideStageEvent(again, tracks(captionsAt(3)), now)).requests).to.deep.equal([]);
  });

  it('metadata that was running when the transcript came is requested again by its own terminal event', () => {
    const running = { ...finished(), stages: [...ladder, done('captions'), status('metadata', { state: 'started' })] };
    const waiting = plan(decideStageEvent(running, tracks(captionsAt(2)), now));
    expect(waiting.requests).to.deep.equal([]);
    const event: StageEvent = { ...of, stage: 'metadata', type: 'completed', outputs: {} };
    const ended = plan(decideStageEvent({ video: waiting.video, stages: waiting.stages }, event, now));
    expect(ended.requests).to.deep.equal([{ stage: 'metadata', revision: 1, inputsRevision: 1 }]);
  });

  it('metadata that was requested again is not ended by a repeat of its former terminal event', () => {
    const open = finished(captionsAt(2), { state: 'started', revision: 1, inputsRevision: 1, finishedAt: null });
    const last = (revision: number): StageEvent => ({
      ...of,
      revision,
      stage: 'metadata',
      type: 'completed',
      outputs: {},
    });
    expect(decideStageEvent(open, last(0), now).kind).to.equal('no-op');
    expect(decideStageEvent(open, { ...last(0), type: 'started' } as StageEvent, now).kind).to.equal('no-op');
    expect(plan(decideStageEvent(open, last(1), now)).stages.at(-1)).to.include({ state: 'completed', revision: 1 });
  });

  it('metadata of a video that is being deleted is never requested', () => {
    const deleting = finished({ state: 'processing', intent: 'delete' });
    expect(plan(decideStageEvent(deleting, tracks(captionsAt(2)), now)).requests).to.deep.equal([]);
  });

  it('metadata that completes after it failed moves the version once', () => {
    const late = finished({}, { state: 'failed' });
    const event: StageEvent = { ...of, stage: 'metadata', type: 'completed', outputs: {} };
    const { before, video, stages } = plan(decideStageEvent(late, event, now));
    expect(video).to.include({ state: 'ready', version: before.version + 1 });
    expect(stages.at(-1)).to.include({ state: 'completed', progress: 100 });
    expect(decideStageEvent({ video, stages }, event, now).kind).to.equal('no-op');
    expect(decideStageEvent(finished({}, { state: 'closed' }), event, now).kind).to.equal('no-op');
  });
});

describe('the operator’s rerun of a stage', () => {
  const rejection = (snapshot: Snapshot, stage: string): string => {
    const decision = decideRerun(snapshot, stage, now);
    if (decision.kind !== 'reject') throw new Error(decision.kind);
    expect(decision.code).to.equal('FAILED_PRECONDITION');
    return decision.message;
  };

  it('a rerun opens the stage with the next revision and the current inputs', () => {
    const snapshot = finished({ ...captionsAt(2), captions: [track('en')] }, { revision: 4, inputsRevision: 1 });
    const repeated = plan(decideRerun(snapshot, 'metadata', now));
    expect(repeated.requests).to.deep.equal([{ stage: 'metadata', revision: 5, inputsRevision: 1 }]);
    expect(repeated.stages.at(-1)).to.include({ state: 'requested', revision: 5, progress: 0 });
    expect(repeated.video).to.include({ state: 'ready', version: snapshot.video.version + 1 });
  });

  it('a rerun that is not possible is rejected with what to do instead', () => {
    for (const stage of ['fetch', 'encode', 'nonsense'])
      expect(rejection(finished(), stage))
        .to.include('Only captions and metadata')
        .and.include('failed video is retried');
    expect(rejection(finished({}, { state: 'started' }), 'metadata')).to.include('not ended yet');
    expect(rejection({ video: newVideo(), stages: ladder }, 'metadata')).to.include('not been requested yet');
    expect(rejection(finished({ state: 'failed' }), 'metadata')).to.include('retry it');
    expect(rejection(finished({ state: 'deleted' }), 'metadata')).to.include('deleted');
    expect(rejection(finished({ state: 'processing', intent: 'delete' }), 'captions')).to.include('deleted');
  });
});
