/** Tracks that become known in any order and at any time, and asking for a stage once more. */
import { expect } from 'chai';
import { decideStageEvent, decideTime, type StageEvent } from '../src/domain/stage-events.ts';
import type { Plan, Snapshot } from '../src/domain/plan.ts';
import { decideRerun } from '../src/domain/rerun-stage.ts';
import type { StageStatus } from '../src/domain/stage-status.ts';
import type { Captions, Video } from '../src/domain/video.ts';
import { aroundNamed, later, newVideo, status, told, track } from './support.ts';

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
const now = aroundNamed(later(1_000));

describe('tracks', () => {
  it('are shown the moment they settle, with a version and a time that moved', () => {
    const { before, video } = plan(decideStageEvent(finished(), tracks(told(1)), now));
    expect(video).to.deep.include({ ...told(1), state: 'ready', version: before.version + 1, updatedAt: later(1_000) });
  });

  it('move the version alone where the partner sees no difference', () => {
    const captions = told(2, { transcriptRevision: 0, captions: told(1).captions.map((t) => ({ ...t, name: 'New' })) });
    const { before, video } = plan(decideStageEvent(finished(told(1)), tracks(captions), now));
    expect([video.version, video.updatedAt]).to.deep.equal([before.version + 1, before.updatedAt]);
    const processing: Snapshot = { video: newVideo(), stages: ladder };
    expect(plan(decideStageEvent(processing, tracks(told(1)), now)).video.updatedAt).to.deep.equal(later(0));
  });

  it('are taken after the stage has failed by its deadline, and where it was never asked for', () => {
    for (const stages of [[...ladder, status('captions', { state: 'failed' })], ladder])
      expect(plan(decideStageEvent({ ...finished(), stages }, tracks(told(1)), now)).video.captionsRevision).to.equal(
        1,
      );
  });

  it('of an earlier revision, or of another attempt, change nothing', () => {
    for (const fact of [tracks(told(2)), tracks(told(3)), tracks(told(9), 2), tracks(told(9), 0)])
      expect(decideStageEvent(finished(told(3)), fact, now).kind).to.equal('nothing');
  });

  it('of a failed or deleted video change nothing', () => {
    for (const state of ['failed', 'deleted'] as const)
      expect(decideStageEvent(finished({ state }), tracks(told(1)), now).kind).to.equal('nothing');
  });

  it('come with the last word of their stage too, and its asking for metadata names the transcript', () => {
    const snapshot: Snapshot = { video: newVideo(), stages: [...ladder, status('captions', { state: 'started' })] };
    const fact: StageEvent = { ...of, stage: 'captions', type: 'completed', outputs: {}, captions: told(2) };
    const { video, requests } = plan(decideStageEvent(snapshot, fact, now));
    expect(video).to.include({ transcriptKey: 'transcript-2', transcriptRevision: 1 });
    expect(requests).to.deep.equal([{ stage: 'metadata', revision: 0, inputsRevision: 1 }]);
  });

  it('are taken from a last word that comes too late to end its stage', () => {
    const snapshot = finished({}, {});
    const fact: StageEvent = {
      ...of,
      revision: 7,
      stage: 'captions',
      type: 'completed',
      outputs: {},
      captions: told(1),
    };
    const { video, stages } = plan(decideStageEvent(snapshot, fact, now));
    expect(video.captionsRevision).to.equal(1);
    expect(stages).to.deep.equal(snapshot.stages);
  });
});

describe('captions', () => {
  it('are asked for by the ladder’s own word where the audio rendition’s was lost', () => {
    const encoding = [done('fetch'), done('inspect'), status('encode', { state: 'started' })];
    const outputs = { ladderKey: 'l', hasAudio: true, audioPlaylistKey: 'a.m3u8' };
    const fact: StageEvent = { ...of, stage: 'encode', type: 'completed', outputs, reached: ['audio'] };
    const ended = plan(decideStageEvent({ video: newVideo(), stages: encoding }, fact, now));
    expect(ended.requests).to.deep.equal([{ stage: 'captions', revision: 0, inputsRevision: 0 }]);
    const again = { ...of, stage: 'encode', type: 'reached', milestone: 'audio', outputs: {} } as const;
    expect(decideStageEvent({ video: ended.video, stages: ended.stages }, again, now).kind).to.equal('nothing');
  });
});

describe('metadata', () => {
  it('is asked for once more when a transcript comes late, of a ready and of an archived video', () => {
    for (const state of ['ready', 'archived'] as const) {
      const { requests, stages, video } = plan(decideStageEvent(finished({ state }), tracks(told(2)), now));
      expect(requests).to.deep.equal([{ stage: 'metadata', revision: 1, inputsRevision: 1 }]);
      expect(stages.at(-1)).to.deep.include({ state: 'requested', revision: 1, inputsRevision: 1, finishedAt: null });
      expect(video.state).to.equal(state);
    }
  });

  it('that has ended is not asked for again by tracks whose transcript is the same', () => {
    const again = finished({ ...told(2) }, { inputsRevision: 1 });
    expect(plan(decideStageEvent(again, tracks(told(3)), now)).requests).to.deep.equal([]);
  });

  it('that was running when the transcript came is asked for once more by its own last word', () => {
    const running = { ...finished(), stages: [...ladder, done('captions'), status('metadata', { state: 'started' })] };
    const waiting = plan(decideStageEvent(running, tracks(told(2)), now));
    expect(waiting.requests).to.deep.equal([]);
    const fact: StageEvent = { ...of, stage: 'metadata', type: 'completed', outputs: {} };
    const ended = plan(decideStageEvent({ video: waiting.video, stages: waiting.stages }, fact, now));
    expect(ended.requests).to.deep.equal([{ stage: 'metadata', revision: 1, inputsRevision: 1 }]);
  });

  it('that was asked for again is not ended by a repeat of its former last word', () => {
    const open = finished(told(2), { state: 'started', revision: 1, inputsRevision: 1, finishedAt: null });
    const last = (revision: number): StageEvent => ({
      ...of,
      revision,
      stage: 'metadata',
      type: 'completed',
      outputs: {},
    });
    expect(decideStageEvent(open, last(0), now).kind).to.equal('nothing');
    expect(decideStageEvent(open, { ...last(0), type: 'started' } as StageEvent, now).kind).to.equal('nothing');
    expect(plan(decideStageEvent(open, last(1), now)).stages.at(-1)).to.include({ state: 'completed', revision: 1 });
  });

  it('is never asked for of a video that is being deleted', () => {
    const deleting = finished({ state: 'processing', intent: 'delete' });
    expect(plan(decideStageEvent(deleting, tracks(told(2)), now)).requests).to.deep.equal([]);
  });

  it('that is there after its deadline is told of with a version all the same, once', () => {
    const late = finished({}, { state: 'failed' });
    const fact: StageEvent = { ...of, stage: 'metadata', type: 'completed', outputs: {} };
    const { before, video, stages } = plan(decideStageEvent(late, fact, now));
    expect(video).to.include({ state: 'ready', version: before.version + 1 });
    expect(stages.at(-1)).to.include({ state: 'completed', progress: 100 });
    expect(decideStageEvent({ video, stages }, fact, now).kind).to.equal('nothing');
    expect(decideStageEvent(finished({}, { state: 'closed' }), fact, now).kind).to.equal('nothing');
  });

  it('has a deadline in each asking', () => {
    const open = finished(told(2), { state: 'started', revision: 1, inputsRevision: 1, dueAt: later(500) });
    expect(plan(decideTime(open, now)).stages.at(-1)).to.include({ state: 'failed', revision: 1 });
  });
});

describe('asking for a stage once more by hand', () => {
  const refusal = (snapshot: Snapshot, stage: string): string => {
    const decision = decideRerun(snapshot, stage, now);
    if (decision.kind !== 'refuse') throw new Error(decision.kind);
    expect(decision.code).to.equal('FAILED_PRECONDITION');
    return decision.message;
  };

  it('opens it with the next revision and the inputs of now', () => {
    const snapshot = finished({ ...told(2), captions: [track('en')] }, { revision: 4, inputsRevision: 1 });
    const repeated = plan(decideRerun(snapshot, 'metadata', now));
    expect(repeated.requests).to.deep.equal([{ stage: 'metadata', revision: 5, inputsRevision: 1 }]);
    expect(repeated.stages.at(-1)).to.include({ state: 'requested', revision: 5, progress: 0 });
    expect(repeated.video).to.include({ state: 'ready', version: snapshot.video.version + 1 });
  });

  it('is refused, with what to do instead, where it cannot be', () => {
    for (const stage of ['fetch', 'encode', 'nonsense'])
      expect(refusal(finished(), stage)).to.include('Only captions and metadata').and.include('retrying the video');
    expect(refusal(finished({}, { state: 'started' }), 'metadata')).to.include('not ended yet');
    expect(refusal({ video: newVideo(), stages: ladder }, 'metadata')).to.include('not been asked for yet');
    expect(refusal(finished({ state: 'failed' }), 'metadata')).to.include('retry the video');
    expect(refusal(finished({ state: 'deleted' }), 'metadata')).to.include('deleted');
    expect(refusal(finished({ state: 'processing', intent: 'delete' }), 'captions')).to.include('deleted');
  });
});
