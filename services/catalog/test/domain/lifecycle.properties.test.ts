/** Properties of every sequence of commands, events and waits. */
import { expect } from 'chai';
import fc from 'fast-check';
import { decideStageEvent, decideTime, type StageEvent } from '../../src/domain/stage-events.ts';
import { isOpen } from '../../src/domain/stages.ts';
import { stages as list } from '../../src/domain/stages.ts';
import type { Effect } from '../../src/domain/commands.ts';
import { visibleTracks, type Video } from '../../src/domain/video.ts';
import { applied, play, sequence, type Moment } from './play.ts';
import { contextAt, later, newVideo, status } from './fixtures.ts';
import { runs } from '@vds/testkit/counts';

function holds(check: (moments: Moment[]) => void): void {
  return fc.assert(
    fc.property(sequence({ maxLength: 40 }), (steps) => check(play(steps))),
    { numRuns: runs(3_000) },
  );
}
function each(check: (moment: Moment) => void): void {
  return holds((moments) => moments.forEach(check));
}
function has(effects: readonly Effect[], type: Effect['type']): boolean {
  return effects.some((effect) => effect.type === type);
}
function changed({ before, after }: Moment): boolean {
  return before.video !== after.video;
}

const blocking = list.filter(({ blocksReady }) => blocksReady).map(({ name }) => name);

describe('any sequence of commands and events', () => {
  it('a deleted video stays deleted and publishes nothing more', () =>
    each(({ before, after, effects }) => {
      if (before.video.state !== 'deleted') return;
      expect(after.video).to.equal(before.video);
      expect(effects).to.deep.equal([]);
    }));

  it('a video is never ready again after an accepted delete', () =>
    holds((moments) => {
      const accepted = moments.findIndex(
        ({ step, reply }) =>
          step.do === 'command' && step.type === 'delete' && (reply === 'processing' || reply === 'deleted'),
      );
      if (accepted === -1) return;
      for (const { after, effects } of moments.slice(accepted)) {
        expect(after.video.state).to.be.oneOf(['processing', 'deleted']);
        expect(has(effects, 'publish-clip')).to.equal(false);
      }
    }));

  it('after an accepted delete archive and republish are 404, and delete has its reply again', () =>
    each(({ step, before, reply }) => {
      const { state, intent } = before.video;
      if (step.do !== 'command' || (state !== 'deleted' && intent !== 'delete')) return;
      if (step.type === 'archive' || step.type === 'republish') expect(reply).to.equal('NOT_FOUND');
      if (step.type === 'delete') expect(reply).to.equal(state);
    }));

  it('the version grows by one with every change', () =>
    each((moment) => {
      if (changed(moment)) expect(moment.after.video.version).to.equal(moment.before.video.version + 1);
    }));

  it('updated_at never goes back and moves only when the partner can see a difference', () =>
    each(({ before, after }) => {
      const seen = (video: Video) => {
        const { state, durationMs, failure, warnings } = video;
        return JSON.stringify({ state, durationMs, failure, warnings, tracks: visibleTracks(video) });
      };
      expect(after.video.updatedAt.getTime()).to.be.at.least(before.video.updatedAt.getTime());
      if (seen(before.video) === seen(after.video)) expect(after.video.updatedAt).to.equal(before.video.updatedAt);
    }));

  it('a video with a queued archive is never live for an instant', () =>
    each(({ before, after, effects }) => {
      if (before.video.state !== 'processing' || before.video.intent !== 'archive') return;
      if (after.video.intent === 'none' && after.video.state === 'processing') return; // the partner cancelled it
      expect(after.video.state).not.to.equal('ready');
      expect(has(effects, 'publish-clip')).to.equal(false);
    }));

  it('a held video is never live', () =>
    each(({ after }) => {
      if (after.video.held) expect(after.video.state).not.to.equal('ready');
    }));

  it('intent and hold survive failure and retry', () =>
    each(({ step, before, after }) => {
      const entersFailed = before.video.state === 'processing' && after.video.state === 'failed';
      const retried = step.do === 'command' && step.type === 'retry' && after.video.attempt > before.video.attempt;
      if (!entersFailed && !retried) return;
      expect(after.video).to.include({ intent: before.video.intent, held: before.video.held });
    }));

  it('the owner, the id and the title never change, nor the playback id once it exists', () =>
    each(({ before, after }) => {
      const { id, publisherId, title, createdAt } = before.video;
      expect(after.video).to.include({ id, publisherId, title, createdAt });
      if (before.video.playbackId !== null) expect(after.video.playbackId).to.equal(before.video.playbackId);
    }));

  it('a clip appears exactly when a video goes live and is withdrawn exactly when it no longer is', () =>
    each(({ before, after, effects }) => {
      const [was, is] = [before.video.state === 'ready', after.video.state === 'ready'];
      expect(has(effects, 'publish-clip')).to.equal(!was && is);
      expect(has(effects, 'withdraw-clip')).to.equal(was && !is);
    }));

  it('the gate is open while ready, has a closing time while archived, and is closed at once by deletion', () =>
    each((moment) => {
      const { video } = moment.after;
      if (video.state === 'ready') expect(video.gateClosesAt).to.equal(null);
      if (video.state === 'archived') expect(video.gateClosesAt).to.be.instanceOf(Date);
      if (video.state === 'deleted' && changed(moment))
        expect(video.gateClosesAt?.getTime()).to.be.at.most(moment.now.getTime());
    }));

  it('no stage is requested while a delete is queued or when there is no video, and only stages that do not block for a finished one', () =>
    each(({ after: { video }, requests }) => {
      if (video.state === 'processing' && video.intent !== 'delete') return;
      const requested = requests.map(({ stage }) => stage);
      if (video.state === 'ready' || video.state === 'archived') expect(requested).not.to.include.members(blocking);
      else expect(requested).to.deep.equal([]);
    }));

  it('a failed or deleted video has no open stage, a finished one only stages that do not block, and a processing one something to wait for', () =>
    each(({ after: { video, stages } }) => {
      const open = stages.filter(isOpen).map(({ stage }) => stage);
      if (video.state === 'processing') expect(open.length > 0 || video.dueAt !== null).to.equal(true);
      else if (video.state === 'ready' || video.state === 'archived')
        expect(blocking.filter((s) => open.includes(s))).to.deep.equal([]); // prettier-ignore
      else expect(open).to.deep.equal([]);
    }));

  it('`dueAt` is set only where time can change something', () =>
    each(({ after: { video, stages } }) => {
      if (video.state === 'failed') expect(video.dueAt).to.be.instanceOf(Date);
      else if (video.state !== 'processing') expect(video.dueAt).to.equal(null);
      else if (video.intent !== 'delete' && stages.some((s) => blocking.includes(s.stage) && isOpen(s)))
        expect(video.dueAt).to.equal(null);
    }));

  it('an attempt grows only by the operator’s retry, and events of other attempts change nothing', () =>
    each(({ step, before, after }) => {
      if ((step.do === 'event' || step.do === 'tracks') && step.old) expect(after).to.equal(before);
      if (step.do !== 'command' || step.type !== 'retry') expect(after.video.attempt).to.equal(before.video.attempt);
    }));

  it('every video ends: after enough time it is ready, archived, failed or deleted', () =>
    holds((moments) => {
      let snapshot = moments.at(-1)?.after ?? { video: newVideo(), stages: [status('fetch')] };
      let ms = 10 * 86_400_000;
      for (let round = 0; round < 10; round++) {
        // Owners end what they have started, if only by failing.
        for (const { stage, attempt, revision } of snapshot.stages.filter(isOpen)) {
          const of = { videoId: snapshot.video.id, attempt, revision, stage };
          const event: StageEvent = { ...of, type: 'failed', code: 'internal_error', details: {} };
          const ended = decideStageEvent(snapshot, event, contextAt(later(ms)));
          if (ended.kind === 'plan') snapshot = applied(snapshot, ended, later(ms));
        }
        ms += 10 * 86_400_000;
        const plan = decideTime(snapshot, contextAt(later(ms)));
        if (plan.kind === 'plan') snapshot = applied(snapshot, plan, later(ms));
      }
      expect(snapshot.video.state).to.be.oneOf(['ready', 'archived', 'deleted']);
    }));
});
