/** Properties of tracks and of re-requested stages, for every sequence of commands, events and waits. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isOpen } from '../../src/domain/stages.ts';
import { stages as list } from '../../src/domain/stages.ts';
import { play, sequence, type Moment } from './play.ts';
import { runs } from '@vds/testkit/counts';

function each(check: (moment: Moment) => void): void {
  return fc.assert(
    fc.property(sequence({ maxLength: 40 }), (steps) => play(steps).forEach(check)),
    { numRuns: runs(3_000) },
  );
}
const blocking = list.filter(({ blocksReady }) => blocksReady).map(({ name }) => name);

describe('captions and metadata in any order', () => {
  it('a stage is requested again only after it has ended, one request at a time, and never a blocking one', () =>
    each(({ before, after, requests }) => {
      expect(new Set(requests.map(({ stage }) => stage)).size).to.equal(requests.length);
      expect(new Set(after.stages.map(({ stage }) => stage)).size).to.equal(after.stages.length);
      for (const { stage, revision } of requests.filter((request) => request.revision > 0)) {
        const was = before.stages.find((status) => status.stage === stage);
        expect(blocking).not.to.include(stage);
        expect(was?.revision).to.equal(revision - 1);
        // A stage that is open now may have ended by the very event that requests it again.
        const is = after.stages.find((status) => status.stage === stage);
        expect(is).to.include({ state: 'requested', revision, startedAt: null });
      }
    }));

  it('an open stage is requested again only by its own terminal event', () =>
    each(({ step, before, requests }) => {
      for (const { stage } of requests.filter((request) => request.revision > 0)) {
        const was = before.stages.find((status) => status.stage === stage);
        if (!was || !isOpen(was)) continue;
        const ends = step.do === 'event' && (step.type === 'completed' || step.type === 'failed');
        expect(ends || step.do === 'wait', JSON.stringify(step)).to.equal(true);
      }
    }));

  it('once everything has ended, metadata has been requested with the newest transcript', () =>
    each(({ after: { video, stages } }) => {
      const metadata = stages.find(({ stage }) => stage === 'metadata');
      if (!metadata || isOpen(metadata) || metadata.state === 'closed' || video.state === 'failed') return;
      if (video.intent === 'delete' || video.state === 'deleted') return;
      expect(metadata.inputsRevision).to.equal(video.transcriptRevision);
    }));

  it('tracks never go back within an attempt, are reset by the next, and are wiped with the video', () =>
    each(({ before, after }) => {
      if (after.video.state === 'deleted' || after.video.attempt > before.video.attempt)
        expect(after.video).to.deep.include({ captions: [], captionsRevision: 0, transcriptKey: null });
      else expect(after.video.captionsRevision).to.be.at.least(before.video.captionsRevision);
    }));

  it('tracks of the current attempt are stored at once in every state but failed and deleted', () =>
    each(({ step, before, after }) => {
      if (step.do !== 'tracks' || step.old) return;
      const { state, captionsRevision } = before.video;
      const dead = state === 'failed' || state === 'deleted';
      const known = dead ? captionsRevision : Math.max(captionsRevision, step.revision);
      expect(after.video.captionsRevision).to.equal(known);
      if (!dead) expect(after.video.state).to.equal(state);
    }));

  it('an event of another request never ends a stage', () =>
    each(({ step, before, after }) => {
      if (step.do !== 'event' || !step.stale) return;
      expect(after.stages.filter(isOpen).map(({ stage }) => stage)).to.include.members(
        before.stages.filter(isOpen).map(({ stage }) => stage),
      );
    }));
});
