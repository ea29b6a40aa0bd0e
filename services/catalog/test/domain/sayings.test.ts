/** Every sentence that a partner or the operator reads of the lifecycle. */
import { expect } from 'chai';
import type { CommandType } from '../../src/domain/commands.ts';
import { transition } from '../../src/domain/transition.ts';
import type { Video } from '../../src/domain/video.ts';
import { around, later, newVideo } from '../support.ts';

type Bare = Exclude<CommandType, 'completion' | 'failure'>;
function said(type: Bare, changes: Partial<Video> = {}): string | undefined {
  const decision = transition(newVideo(changes), { type }, around(later(1)));
  return decision.kind === 'refuse' ? decision.message : decision.reply?.message;
}

describe('what is said of an order', () => {
  it('that is queued: that it is, what follows, and how to cancel it', () => {
    const queued =
      'The video is still processing. It will be archived the moment processing completes and will not appear in feeds, search or recommendations. Republish it to cancel this.';
    expect([said('archive'), said('archive', { intent: 'archive' })]).to.deep.equal([queued, queued]);
    const live = 'The video is still processing. It will go live when processing completes; no archive is queued.';
    expect([said('republish'), said('republish', { intent: 'archive' })]).to.deep.equal([live, live]);
    const ends =
      'The video is still processing. Processing is being stopped, and the video will be deleted within a minute. This cannot be undone.';
    expect([said('delete'), said('delete', { intent: 'delete' })]).to.deep.equal([ends, ends]);
  });

  it('that is done: nothing beside its status', () => {
    for (const type of ['archive', 'republish', 'delete'] as const)
      for (const state of ['ready', 'archived'] as const) expect(said(type, { state })).to.equal(undefined);
  });

  it('to a video that is held or has failed: why not, and what can be done', () => {
    const held = 'This video is held by the operator and cannot be republished. Contact the operator about it.';
    expect(said('republish', { held: true })).to.equal(held);
    expect(said('republish', { state: 'archived', held: true })).to.equal(held);
    const failed = (verb: string) =>
      `This video failed to process, so it cannot be ${verb}. Delete it, or submit the source again.`;
    expect(said('archive', { state: 'failed' })).to.equal(failed('archived'));
    expect(said('republish', { state: 'failed' })).to.equal(failed('republished'));
  });

  it('to a video that is deleted or about to be: that there is none', () => {
    for (const changes of [{ state: 'deleted' }, { intent: 'delete' }] as const)
      for (const type of ['archive', 'republish'] as const)
        expect(said(type, changes)).to.equal('The video does not exist.');
  });

  it('by the operator, where it cannot be: where the video stands', () => {
    for (const held of [false, true]) expect(said('retry', { held })).to.equal('This video is still processing.');
    for (const changes of [{ state: 'ready' }, { state: 'archived' }, { state: 'archived', held: true }] as const)
      expect(said('retry', changes)).to.equal('This video has not failed.');
    for (const type of ['retry', 'hold', 'release'] as const) {
      expect(said(type, { intent: 'delete' })).to.equal('This video is being deleted.');
      expect(said(type, { state: 'deleted' })).to.equal('This video is deleted.');
    }
  });
});
