/** The lifecycle's table, cell by cell, against spec §3 and our rules for what the spec leaves open. */
import { expect } from 'chai';
import { situationOf, type Command, type CommandType, type Situation } from '../../src/domain/commands.ts';
import { transition } from '../../src/domain/transition.ts';
import type { Video } from '../../src/domain/video.ts';
import { contextAt, later, newVideo, captionsAt } from './fixtures.ts';
import { purgeOwners, outputOwners } from './stages.ts';

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
  if (type === 'failure' || type === 'lose')
    return { type, failure: { code: 'source_not_found', stage: 'fetch', details: {} } };
  return { type };
}

/** One line a cell: the reply, then the video's situation. */
function outcome(type: CommandType, situation: Situation): string {
  const video = inSituation[situation];
  const decision = transition(video, commandOf(type), contextAt(now));
  if (decision.kind === 'reject') return decision.code === 'NOT_FOUND' ? '404' : '400';
  const reply = decision.reply ? `${decision.reply.queued ? 202 : 200} ${decision.reply.status} ` : '';
  if (decision.kind === 'no-op') return `${reply}same`;
  return `${reply}→ ${situationOf({ ...video, ...decision.changes })}`;
}

const situations: readonly Situation[] = [
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
  lose: ['→ failed', '→ failed', 'same', '→ failed', '→ failed', '→ failed', 'same', 'same'],
  retry: ['400', '400', '400', '400', '400', '400', '→ processing', '400'],
  hold: ['→ processingHeld', 'same', '400', '→ held', '→ held', 'same', '→ failed', '400'],
  release: ['same', '→ processing', '400', 'same', 'same', '→ ready', 'same', '400'],
  remove: ['→ deleting', '→ deleting', 'same', '→ deleted', '→ deleted', '→ deleted', '→ deleted', 'same'],
  expire: ['same', 'same', '→ deleted', 'same', 'same', 'same', '→ deleted', 'same'],
};

describe('the lifecycle table', () => {
  for (const [type, cells] of Object.entries(expected) as [CommandType, readonly string[]][]) {
    it(`the lifecycle table decides ${type} in every situation`, () => {
      expect(situations.map((situation) => outcome(type, situation))).to.deep.equal(cells);
    });
  }

  it('every 202 has a message of what will happen, every 400 one of why not, and a 200 none', () => {
    const texts = (['archive', 'republish', 'delete'] as const).flatMap((type) =>
      situations.map((situation) => {
        const decision = transition(inSituation[situation], { type }, contextAt(now));
        const code = outcome(type, situation).slice(0, 3);
        return `${code} ${decision.kind === 'reject' ? decision.message : (decision.reply?.message ?? '')}`;
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

  it('the reply to an archive of a held video does not promise that a republish cancels it', () => {
    const decision = transition(inSituation.processingHeld, { type: 'archive' }, contextAt(now));
    expect(decision).to.have.nested.property('reply.message').that.does.not.include('Republish');
  });

  it('a republish cancels a queued archive and its reply confirms that', () => {
    const decision = transition(newVideo({ intent: 'archive' }), { type: 'republish' }, contextAt(now));
    expect(decision).to.deep.include({ kind: 'change', changes: { intent: 'none' } });
    expect(decision).to.have.nested.property('reply.message').that.includes('go live');
  });

  it('a completion with a queued archive makes no clip and closes the gate from the start', () => {
    const decision = transition(newVideo({ intent: 'archive' }), commandOf('completion'), contextAt(now));
    expect(decision).to.have.deep.nested.property('changes.gateClosesAt', now);
    expect(decision).to.have.nested.property('changes.state', 'archived');
    expect(JSON.stringify(decision)).not.to.include('publish-clip');
  });

  it('the rejection of a republish of a held video names the operator', () => {
    expect(transition(inSituation.held, { type: 'republish' }, contextAt(now)))
      .to.have.property('message')
      .that.includes('held by the operator');
  });

  it('a partner’s archive survives a hold and its release', () => {
    const held = { ...inSituation.archived, ...changesOf(inSituation.archived, 'hold') };
    expect(situationOf(held)).to.equal('held');
    expect(situationOf({ ...held, ...changesOf(held, 'release') })).to.equal('archived');
  });

  it('a failed video keeps its source and purges its outputs, never those of the next attempt', () => {
    const decision = transition(newVideo({ attempt: 3 }), commandOf('failure'), contextAt(now));
    const purges =
      decision.kind === 'change' ? decision.effects.flatMap((e) => (e.type === 'purge' ? [e.purge] : [])) : [];
    expect(purges.map(({ scope, keepAttempt, owners }) => ({ scope, keepAttempt, owners }))).to.deep.equal([
      { scope: 'OTHER_ATTEMPTS', keepAttempt: 4, owners: outputOwners },
      { scope: 'SOURCE', keepAttempt: 4, owners: ['ingest'] },
    ]);
    expect(outputOwners).to.include.members(['transcode', 'captions', 'metadata']);
    expect(purges[1]?.at).to.deep.equal(later(60_000 + 7 * 86_400_000));
  });

  it('a deleted video is purged by every owner, the index included', () => {
    const decision = transition(inSituation.ready, { type: 'delete' }, contextAt(now));
    const purges =
      decision.kind === 'change' ? decision.effects.flatMap((e) => (e.type === 'purge' ? [e.purge] : [])) : [];
    expect(purges).to.deep.equal([{ scope: 'VIDEO', keepAttempt: 0, owners: purgeOwners, at: now }]);
    expect(purgeOwners).to.include.members(['ingest', 'transcode', 'captions', 'metadata', 'indexer']);
  });

  it('a retry resets the captions', () => {
    const changes = changesOf({ ...inSituation.failed, ...captionsAt(3) }, 'retry');
    expect(changes).to.deep.include({ captions: [], captionsRevision: 0, transcriptKey: null, transcriptRevision: 0 });
  });

  it('a delete wipes the partner’s input but the title', () => {
    const changes = changesOf(inSituation.ready, 'delete');
    expect(changes).to.include({ sourceUrl: '', summary: null, thumbnailUrl: null, durationMs: null });
    expect(changes).to.deep.include({ captions: [], captionsRevision: 0, transcriptKey: null, transcriptRevision: 0 });
    expect(changes).not.to.have.property('title');
    expect(changes).not.to.have.property('playbackId');
  });
});

function changesOf(video: Video, type: CommandType): Partial<Video> {
  const decision = transition(video, commandOf(type), contextAt(now));
  return decision.kind === 'change' ? decision.changes : {};
}
