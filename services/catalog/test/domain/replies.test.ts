/** Every sentence that a partner or the operator reads of the lifecycle. */
import { expect } from 'chai';
import type { CommandType } from '../../src/domain/commands.ts';
import { transition } from '../../src/domain/transition.ts';
import type { Video } from '../../src/domain/video.ts';
import { contextAt, later, newVideo } from './fixtures.ts';

type Bare = Exclude<CommandType, 'completion' | 'failure' | 'lose'>;
function messageOf(type: Bare, changes: Partial<Video> = {}): string | undefined {
  const decision = transition(newVideo(changes), { type }, contextAt(later(1)));
  return decision.kind === 'reject' ? decision.message : decision.reply?.message;
}

describe('replies to commands', () => {
  it('the reply to a queued command says what follows and how to cancel it', () => {
    const queued =
      'The video is still processing. It will be archived the moment processing completes and will not appear in feeds, search or recommendations. Republish it to cancel this.';
    expect([messageOf('archive'), messageOf('archive', { intent: 'archive' })]).to.deep.equal([queued, queued]);
    const live = 'The video is still processing. It will go live when processing completes; no archive is queued.';
    expect([messageOf('republish'), messageOf('republish', { intent: 'archive' })]).to.deep.equal([live, live]);
    const ends =
      'The video is still processing. Processing is being stopped, and the video will be deleted within a minute. This cannot be undone.';
    expect([messageOf('delete'), messageOf('delete', { intent: 'delete' })]).to.deep.equal([ends, ends]);
  });

  it('the reply to a completed command has only its status', () => {
    for (const type of ['archive', 'republish', 'delete'] as const)
      for (const state of ['ready', 'archived'] as const) expect(messageOf(type, { state })).to.equal(undefined);
  });

  it('a command on a held or failed video is rejected with the reason and what can be done', () => {
    const held = 'This video is held by the operator and cannot be republished. Contact the operator about it.';
    expect(messageOf('republish', { held: true })).to.equal(held);
    expect(messageOf('republish', { state: 'archived', held: true })).to.equal(held);
    const failed = (verb: string) =>
      `This video failed to process, so it cannot be ${verb}. Delete it, or submit the source again.`;
    expect(messageOf('archive', { state: 'failed' })).to.equal(failed('archived'));
    expect(messageOf('republish', { state: 'failed' })).to.equal(failed('republished'));
  });

  it('a command on a deleted video, or one about to be deleted, is not found', () => {
    for (const changes of [{ state: 'deleted' }, { intent: 'delete' }] as const)
      for (const type of ['archive', 'republish'] as const)
        expect(messageOf(type, changes)).to.equal('The video does not exist.');
  });

  it('an operator’s rejected command has the state of the video', () => {
    for (const held of [false, true]) expect(messageOf('retry', { held })).to.equal('This video is still processing.');
    for (const changes of [{ state: 'ready' }, { state: 'archived' }, { state: 'archived', held: true }] as const)
      expect(messageOf('retry', changes)).to.equal('This video has not failed.');
    for (const type of ['retry', 'hold', 'release'] as const) {
      expect(messageOf(type, { intent: 'delete' })).to.equal('This video is being deleted.');
      expect(messageOf(type, { state: 'deleted' })).to.equal('This video is deleted.');
    }
  });
});
