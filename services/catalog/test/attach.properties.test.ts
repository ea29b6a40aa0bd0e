/** What holds of tracks and of stages that are asked for once more, for every sequence of commands, facts and waits. */
import { expect } from 'chai';
import fc from 'fast-check';
import { isOpen } from '../src/domain/stage-status.ts';
import { stages as list } from '../src/domain/stages.ts';
import { play, sequence, type Moment } from './play.ts';
import { runs } from '@vds/testkit/counts';

function each(check: (moment: Moment) => void): void {
  return fc.assert(
    fc.property(sequence({ maxLength: 40 }), (steps) => play(steps).forEach(check)),
    { numRuns: runs(3_000) },
  );
}
const blocking = list.filter(({ blocksReady }) => blocksReady).map(({ name }) => name);

describe('whatever attaches in whatever order', () => {
  it('a stage is asked for once more only after it has ended, one asking at a time, and never for what blocks', () =>
    each(({ before, after, requests }) => {
      expect(new Set(requests.map(({ stage }) => stage)).size).to.equal(requests.length);
      expect(new Set(after.stages.map(({ stage }) => stage)).size).to.equal(after.stages.length);
      for (const { stage, revision } of requests.filter((asking) => asking.revision > 0)) {
        const was = before.stages.find((status) => status.stage === stage);
        expect(blocking).not.to.include(stage);
        expect(was?.revision).to.equal(revision - 1);
        // A stage that is open now may have ended by the very fact that has it asked for once more.
        const is = after.stages.find((status) => status.stage === stage);
        expect(is).to.include({ state: 'requested', revision, startedAt: null, dueAt: null });
      }
    }));

  it('a stage that is open is reopened only by its own last fact', () =>
    each(({ step, before, requests }) => {
      for (const { stage } of requests.filter((asking) => asking.revision > 0)) {
        const was = before.stages.find((status) => status.stage === stage);
        if (!was || !isOpen(was)) continue;
        const ends = step.do === 'fact' && (step.type === 'completed' || step.type === 'failed');
        expect(ends || step.do === 'wait', JSON.stringify(step)).to.equal(true);
      }
    }));

  it('once everything has ended, metadata has been asked with the newest transcript', () =>
    each(({ after: { video, stages } }) => {
      const metadata = stages.find(({ stage }) => stage === 'metadata');
      if (!metadata || isOpen(metadata) || metadata.state === 'closed' || video.state === 'failed') return;
      if (video.intent === 'delete' || video.state === 'deleted') return;
      expect(metadata.inputsRevision).to.equal(video.transcriptRevision);
    }));

  it('the tracks never go back within an attempt, begin anew with the next, and are gone with the video', () =>
    each(({ before, after }) => {
      if (after.video.state === 'deleted' || after.video.attempt > before.video.attempt)
        expect(after.video).to.deep.include({ captions: [], captionsRevision: 0, transcriptKey: null });
      else expect(after.video.captionsRevision).to.be.at.least(before.video.captionsRevision);
    }));

  it('tracks of the current attempt are known at once in every state but failed and deleted', () =>
    each(({ step, before, after }) => {
      if (step.do !== 'tracks' || step.old) return;
      const { state, captionsRevision } = before.video;
      const dead = state === 'failed' || state === 'deleted';
      const known = dead ? captionsRevision : Math.max(captionsRevision, step.revision);
      expect(after.video.captionsRevision).to.equal(known);
      if (!dead) expect(after.video.state).to.equal(state);
    }));

  it('a fact about another asking never ends a stage', () =>
    each(({ step, before, after }) => {
      if (step.do !== 'fact' || !step.stale) return;
      expect(after.stages.filter(isOpen).map(({ stage }) => stage)).to.include.members(
        before.stages.filter(isOpen).map(({ stage }) => stage),
      );
    }));
});
