/** The lifecycle's table, cell by cell, against spec §3 and the house's own rules for what the spec leaves open. */
import { expect } from 'chai';
import { situationOf, type Command, type CommandType, type Situation } from '../src/domain/commands.ts';
import { transition } from '../src/domain/transition.ts';
import type { Video } from '../src/domain/video.ts';
import { around, later, newVideo, told } from './support.ts';
import { keepers, makers } from './stages.ts';

const now = later(60_000);
const media: Partial<Video> = { playbackId: 'p1', ladderKey: 'l', thumbnailKey: 't', durationMs: 25_000 };
const inSituation: Record<Situation, Video> = {
  processing: newVideo(),
  processingHeld: newVideo({ held: true }),
  deleting: newVideo({ intent: 'delete' }),
  ready: newVideo({ ...media, state: 'ready', publishedAt: later(1) }),
  archived: newVideo({ ...media, state: 'archived', gateClosesAt: later(2) }),
  held: newVideo({ ...media, state: 'archived', held: true, gateClosesAt: later(2) }),
  failed: newVideo({ state: 'failed', failure: { code: 'source_empty', stage: 'inspect', details: {} } }),
  deleted: newVideo({ state: 'deleted' }),
};
function commandOf(type: CommandType): Command {
  if (type === 'completion')
    return { type, playbackId: 'minted', durationMs: 25_000, ladderKey: 'ladder', thumbnailKey: 'thumbnail' };
  if (type === 'failure') return { type, failure: { code: 'source_not_found', stage: 'fetch', details: {} } };
  return { type };
}

/** One line a cell: what is answered, then where the video is. */
function outcome(type: CommandType, situation: Situation): string {
  const video = inSituation[situation];
  const decision = transition(video, commandOf(type), around(now));
  if (decision.kind === 'refuse') return decision.code === 'NOT_FOUND' ? '404' : '400';
  const reply = decision.reply ? `${decision.reply.queued ? 202 : 200} ${decision.reply.status} ` : '';
  if (decision.kind === 'same') return `${reply}same`;
  return `${reply}→ ${situationOf({ ...video, ...decision.changes })}`;
}

const order: readonly Situation[] = [
  'processing',
  'processingHeld',
  'deleting',
  'ready',
  'archived',
  'held',
  'failed',
  'deleted',
];
const expected: Record<CommandType, readonly string[]> = {
  archive: [
    '202 archive_queued → processing',
    '202 archive_queued → processingHeld',
    '404',
    '200 archived → archived',
    '200 archived same',
    '200 archived → held',
    '400',
    '404',
  ],
  republish: ['202 processing same', '400', '404', '200 public same', '200 public → ready', '400', '400', '404'],
  delete: [
    '202 processing → deleting',
    '202 processing → deleting',
    '202 processing same',
    '200 deleted → deleted',
    '200 deleted → deleted',
    '200 deleted → deleted',
    '200 deleted → deleted',
    '200 deleted same',
  ],
  completion: ['→ ready', '→ held', '→ deleted', 'same', 'same', 'same', 'same', 'same'],
  failure: ['→ failed', '→ failed', '→ deleted', 'same', 'same', 'same', 'same', 'same'],
  retry: ['400', '400', '400', '400', '400', '400', '→ processing', '400'],
  hold: ['→ processingHeld', 'same', '400', '→ held', '→ held', 'same', '→ failed', '400'],
  release: ['same', '→ processing', '400', 'same', 'same', '→ ready', 'same', '400'],
  remove: ['→ deleting', '→ deleting', 'same', '→ deleted', '→ deleted', '→ deleted', '→ deleted', 'same'],
  expire: ['same', 'same', '→ deleted', 'same', 'same', 'same', '→ deleted', 'same'],
};

describe('the lifecycle table', () => {
  for (const [type, cells] of Object.entries(expected) as [CommandType, readonly string[]][]) {
    it(`answers ${type} in every situation`, () => {
      expect(order.map((situation) => outcome(type, situation))).to.deep.equal(cells);
    });
  }

  it('says with every 202 what will happen, with every 400 why not, and nothing beside a 200', () => {
    const texts = (['archive', 'republish', 'delete'] as const).flatMap((type) =>
      order.map((situation) => {
        const decision = transition(inSituation[situation], { type }, around(now));
        const code = outcome(type, situation).slice(0, 3);
        return `${code} ${decision.kind === 'refuse' ? decision.message : (decision.reply?.message ?? '')}`;
      }),
    );
    expect([...new Set(texts)].toSorted()).to.deep.equal([
      '200 ',
      '202 The video is still processing. It will be archived the moment processing completes and will not appear in feeds, search or recommendations.',
      '202 The video is still processing. It will be archived the moment processing completes and will not appear in feeds, search or recommendations. Republish it to cancel this.',
      '202 The video is still processing. It will go live when processing completes; no archive is queued.',
      '202 The video is still processing. Processing is being stopped, and the video will be deleted within a minute. This cannot be undone.',
      '400 This video failed to process, so it cannot be archived. Delete it, or submit the source again.',
      '400 This video failed to process, so it cannot be republished. Delete it, or submit the source again.',
      '400 This video is held by the operator and cannot be republished. Contact the operator about it.',
      '404 The video does not exist.',
    ]);
  });

  it('does not promise that a republish cancels an archive of a video that the operator holds', () => {
    const decision = transition(inSituation.processingHeld, { type: 'archive' }, around(now));
    expect(decision).to.have.nested.property('reply.message').that.does.not.include('Republish');
  });

  it('cancels a queued archive by a republish, with a message that says so', () => {
    const decision = transition(newVideo({ intent: 'archive' }), { type: 'republish' }, around(now));
    expect(decision).to.deep.include({ kind: 'change', changes: { intent: 'none' } });
    expect(decision).to.have.nested.property('reply.message').that.includes('go live');
  });

  it('archives a queued video without a clip and with its gate shut from the start', () => {
    const decision = transition(newVideo({ intent: 'archive' }), commandOf('completion'), around(now));
    expect(decision).to.have.deep.nested.property('changes.gateClosesAt', now);
    expect(decision).to.have.nested.property('changes.state', 'archived');
    expect(JSON.stringify(decision)).not.to.include('publish-clip');
  });

  it('names the operator when a held video is republished', () => {
    expect(transition(inSituation.held, { type: 'republish' }, around(now)))
      .to.have.property('message')
      .that.includes('held by the operator');
  });

  it('keeps a partner’s own archive through a hold and its release', () => {
    const held = { ...inSituation.archived, ...changesOf(inSituation.archived, 'hold') };
    expect(situationOf(held)).to.equal('held');
    expect(situationOf({ ...held, ...changesOf(held, 'release') })).to.equal('archived');
  });

  it('keeps the source of a failed video and purges what was made of it, never the attempt that may follow', () => {
    const decision = transition(newVideo({ attempt: 3 }), commandOf('failure'), around(now));
    const purges =
      decision.kind === 'change' ? decision.effects.flatMap((e) => (e.type === 'purge' ? [e.purge] : [])) : [];
    expect(purges.map(({ scope, keepAttempt, owners }) => ({ scope, keepAttempt, owners }))).to.deep.equal([
      { scope: 'OTHER_ATTEMPTS', keepAttempt: 4, owners: makers },
      { scope: 'SOURCE', keepAttempt: 4, owners: ['ingest'] },
    ]);
    expect(makers).to.include.members(['transcode', 'captions', 'metadata']);
    expect(purges[1]?.at).to.deep.equal(later(60_000 + 7 * 86_400_000));
  });

  it('removes a deleted video from everywhere it is kept, the index included', () => {
    const decision = transition(inSituation.ready, { type: 'delete' }, around(now));
    const purges =
      decision.kind === 'change' ? decision.effects.flatMap((e) => (e.type === 'purge' ? [e.purge] : [])) : [];
    expect(purges).to.deep.equal([{ scope: 'VIDEO', keepAttempt: 0, owners: keepers, at: now }]);
    expect(keepers).to.include.members(['ingest', 'transcode', 'captions', 'metadata', 'indexer']);
  });

  it('begins the captions of a retry anew', () => {
    const changes = changesOf({ ...inSituation.failed, ...told(3) }, 'retry');
    expect(changes).to.deep.include({ captions: [], captionsRevision: 0, transcriptKey: null, transcriptRevision: 0 });
  });

  it('forgets what the partner gave, all but the title, when a video is deleted', () => {
    const changes = changesOf(inSituation.ready, 'delete');
    expect(changes).to.include({ sourceUrl: '', summary: null, thumbnailUrl: null, durationMs: null });
    expect(changes).to.deep.include({ captions: [], captionsRevision: 0, transcriptKey: null, transcriptRevision: 0 });
    expect(changes).not.to.have.property('title');
    expect(changes).not.to.have.property('playbackId');
  });
});

function changesOf(video: Video, type: CommandType): Partial<Video> {
  const decision = transition(video, commandOf(type), around(now));
  return decision.kind === 'change' ? decision.changes : {};
}
