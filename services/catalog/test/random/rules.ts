/** What holds of a video at every moment and between every two, whatever was asked in between. */
import { expect } from 'chai';
import type { Snapshot } from '../../src/domain/plan.ts';
import { isOpen } from '../../src/domain/stage-status.ts';
import type { Action, Books } from './preview.ts';
import type { Hall } from './cluster.ts';

/** Of one video: what its partner was promised so far. */
export type Promised = { deleted: boolean; hidden: boolean };

/** Notes what the answers promise. An archive and a republish at once: whichever was last. */
export function note(promised: Promised, actions: readonly Action[], answers: readonly string[]): void {
  actions.forEach(({ by, foreign }, at) => {
    const accepted = foreign !== true && /^(200|202|done)/.test(answers[at] ?? '');
    if (accepted && (by.action === 'delete' || by.action === 'remove')) promised.deleted = true;
    if (answers[at]?.startsWith('202 archive_queued')) promised.hidden = true;
  });
  if (actions.some(({ by }) => by.action === 'republish')) promised.hidden = false;
}

export function expectLawful(was: Snapshot['video'], { video, stages }: Snapshot, promised: Promised): void {
  expect(video.publisherId, 'owner never changes').to.equal(was.publisherId);
  expect(video.version, 'version never goes back').to.be.at.least(was.version);
  expect(video.updatedAt.getTime(), 'updated_at never goes back').to.be.at.least(was.updatedAt.getTime());
  if (was.playbackId !== null) expect(video.playbackId, 'a playback id is for ever').to.equal(was.playbackId);
  if (was.state === 'deleted') expect(video.state, 'deleted absorbs').to.equal('deleted');
  if (promised.deleted) expect(video.state, 'an accepted delete').to.be.oneOf(['processing', 'deleted']);
  if (promised.hidden) expect(video.state, 'a queued archive').not.to.equal('ready');
  if (video.state === 'failed' || video.state === 'deleted') expect(stages.filter(isOpen)).to.deep.equal([]);
  if (video.state === 'processing')
    expect(stages.some(isOpen) || video.dueAt !== null, 'something to wait for').to.equal(true);
}

/** The rows beside the video's own: as one of the ways says, and a clip exactly while it is ready. */
export async function expectKept(hall: Hall, { video }: Snapshot, ways: readonly Books[]): Promise<void> {
  const { ledger, audit, clips, open } = await hall.books(video.id);
  expect(clips).to.deep.equal(video.state === 'ready' ? [`${video.publisherId} ${video.playbackId}`] : []);
  expect(open, 'open stages of earlier attempts').to.equal(0);
  const kept = JSON.stringify([ledger.toSorted(), audit.toSorted()]);
  const foretold = ways.map((books) => JSON.stringify([books.ledger.toSorted(), books.audit.toSorted()]));
  expect(foretold, `ledger and audit are ${kept}`).to.include(kept);
}
