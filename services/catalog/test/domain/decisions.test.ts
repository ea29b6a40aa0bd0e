/** Complete decisions of the lifecycle: every changed field, and every effect in the same transaction. */
import { expect } from 'chai';
import type { Command } from '../../src/domain/commands.ts';
import { transition } from '../../src/domain/transition.ts';
import { noCaptions, type Video } from '../../src/domain/video.ts';
import { purgeOwners, outputOwners, stageOwners } from './stages.ts';
import { contextAt, later, newVideo, captionsAt } from './fixtures.ts';

const now = later(60_000);
const context = contextAt(now);
function decide(changes: Partial<Video>, command: Command) {
  return transition(newVideo(changes), command, context);
}
function change(changes: Partial<Video>, effects: readonly object[] = [], reply?: object) {
  return {
    kind: 'change',
    changes,
    effects,
    reply,
  };
}
function purge(scope: string, keepAttempt: number, owners: readonly string[], at = now) {
  return {
    type: 'purge',
    purge: { scope, keepAttempt, owners, at },
  };
}
const completion: Command = {
  type: 'completion',
  playbackId: 'minted',
  durationMs: 25_000,
  ladderKey: 'ladder',
  thumbnailKey: 'thumbnail',
};
const live = { state: 'ready', intent: 'none', held: false, gateClosesAt: null } as const;
/** When a gate was to close, and when it closes if it must close now. */
const gates = [
  [later(59_999), later(59_999)],
  [later(60_001), now],
  [null, now],
] as const;

describe('changes by a partner’s command', () => {
  it('an archive keeps playback open for its grace and withdraws the clip at once', () => {
    expect(decide({ state: 'ready' }, { type: 'archive' })).to.deep.equal(
      change({ state: 'archived', gateClosesAt: later(60_000 + context.gateGraceMs) }, [{ type: 'withdraw-clip' }], {
        status: 'archived',
        queued: false,
      }),
    );
  });

  it('a republish opens the gate, publishes the clip and keeps the time at which the video first went live', () => {
    const publishedAt = later(1);
    expect(decide({ state: 'archived', gateClosesAt: now, publishedAt }, { type: 'republish' })).to.deep.equal(
      change({ ...live, publishedAt }, [{ type: 'publish-clip' }], { status: 'public', queued: false }),
    );
  });

  it('a delete while processing cancels the stages, stops republishing and sets the end of the wait', () => {
    const { reply, ...decision } = decide({}, { type: 'delete' }) as { reply: object };
    expect(reply).to.include({ status: 'processing', queued: true });
    expect({ ...decision, reply: undefined }).to.deep.equal(
      change({ intent: 'delete', dueAt: later(60_000 + context.deleteGraceMs) }, [
        { type: 'cancel' },
        { type: 'stop-republishing' },
      ]),
    );
  });

  const forgotten = {
    state: 'deleted',
    intent: 'none',
    deletedAt: now,
    dueAt: null,
    gateClosesAt: now,
    sourceUrl: '',
    summary: null,
    tags: [],
    thumbnailUrl: null,
    durationMs: null,
    ladderKey: null,
    thumbnailKey: null,
    warnings: [],
    ...noCaptions,
  } as const;
  const emptied = [{ type: 'close-stages' }, { type: 'drop-purges' }, purge('VIDEO', 0, purgeOwners)];
  const deleted = { status: 'deleted', queued: false };

  it('a delete wipes the partner’s input and purges every owner’s stores', () => {
    const given = {
      ...captionsAt(3),
      warnings: [{ code: 'w', message: 'big' }],
      durationMs: 5,
      intent: 'archive',
    } as const;
    expect(decide({ ...given, state: 'archived' }, { type: 'delete' })).to.deep.equal(
      change(forgotten, emptied, deleted),
    );
    expect(decide({ ...given, state: 'ready' }, { type: 'delete' })).to.deep.equal(
      change(forgotten, [{ type: 'withdraw-clip' }, ...emptied], deleted),
    );
  });

  it('a delete keeps the time of a gate that has closed and closes any other now', () => {
    for (const [closes, then] of gates)
      expect(decide({ state: 'archived', gateClosesAt: closes }, { type: 'delete' })).to.have.deep.nested.property(
        'changes.gateClosesAt',
        then,
      );
  });
});

describe('changes by the operator’s command', () => {
  it('a removal is a delete without a reply', () => {
    for (const state of ['processing', 'ready', 'failed'] as const) {
      const { reply: _reply, ...byPartner } = decide({ state }, { type: 'delete' }) as { reply: object };
      expect(decide({ state }, { type: 'remove' })).to.deep.equal({ ...byPartner, reply: undefined });
    }
  });

  it('a hold of a live video closes the gate at once and withdraws the clip', () => {
    expect(decide({ state: 'ready' }, { type: 'hold' })).to.deep.equal(
      change({ state: 'archived', held: true, intent: 'none', gateClosesAt: now }, [{ type: 'withdraw-clip' }]),
    );
  });

  it('a hold of an archived video ends the grace of the archive and remembers the archive', () => {
    for (const [closes, then] of gates)
      expect(decide({ state: 'archived', gateClosesAt: closes }, { type: 'hold' })).to.deep.equal(
        change({ state: 'archived', held: true, intent: 'archive', gateClosesAt: then }),
      );
  });

  it('a hold or release of a video without media changes nothing but the hold', () => {
    for (const state of ['processing', 'failed'] as const) {
      expect(decide({ state }, { type: 'hold' })).to.deep.equal(change({ held: true }));
      expect(decide({ state, held: true }, { type: 'release' })).to.deep.equal(change({ held: false }));
    }
    expect(decide({ state: 'failed' }, { type: 'release' })).to.deep.equal({ kind: 'no-op' });
  });

  it('a release makes a held video live again, unless the partner wants it archived', () => {
    const held = { state: 'archived', held: true, gateClosesAt: now } as const;
    expect(decide(held, { type: 'release' })).to.deep.equal(
      change({ ...live, publishedAt: now }, [{ type: 'publish-clip' }]),
    );
    expect(decide({ ...held, intent: 'archive' }, { type: 'release' })).to.deep.equal(
      change({ held: false, intent: 'none' }),
    );
  });

  it('a retry resets the video for the next attempt and drops or replaces purges that could hit it', () => {
    const failed = { ...captionsAt(2), state: 'failed', attempt: 2, durationMs: 5, dueAt: now, endedAt: now } as const;
    expect(decide(failed, { type: 'retry' })).to.deep.equal(
      change(
        {
          state: 'processing',
          attempt: 3,
          failure: null,
          endedAt: null,
          dueAt: null,
          durationMs: null,
          warnings: [],
          ...noCaptions,
        },
        [{ type: 'drop-purges' }, purge('OTHER_ATTEMPTS', 3, ['ingest']), purge('OTHER_ATTEMPTS', 3, outputOwners)],
      ),
    );
  });
});

describe('changes by the end of the stages', () => {
  const media = { endedAt: now, dueAt: null, playbackId: 'minted', ladderKey: 'ladder', thumbnailKey: 'thumbnail' };
  const removed = [
    purge('OTHER_ATTEMPTS', 1, stageOwners),
    purge('SOURCE', 2, ['ingest'], later(60_000 + context.sourcesKeepMs)),
  ];

  it('a completion makes the video live and keeps its source for a while', () => {
    expect(decide({}, completion)).to.deep.equal(
      change({ ...media, durationMs: 25_000, ...live, publishedAt: now }, [{ type: 'publish-clip' }, ...removed]),
    );
  });

  it('a completion keeps an existing playback id, and the duration if it brings none', () => {
    expect(decide({ playbackId: 'first', durationMs: 7 }, { ...completion, durationMs: null }))
      .to.have.property('changes')
      .that.includes({ playbackId: 'first', durationMs: 7 });
  });

  it('a completion of a held video leaves it hidden with the partner’s intent', () => {
    for (const intent of ['none', 'archive'] as const)
      expect(decide({ held: true, intent }, completion)).to.deep.equal(
        change({ ...media, durationMs: 25_000, state: 'archived', intent, gateClosesAt: now }, removed),
      );
  });

  it('a failure keeps the video and its source for their times and purges the outputs', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    expect(decide({ attempt: 2 }, { type: 'failure', failure })).to.deep.equal(
      change({ state: 'failed', failure, endedAt: now, dueAt: later(60_000 + context.failedKeepMs) }, [
        { type: 'close-stages' },
        purge('OTHER_ATTEMPTS', 3, outputOwners),
        purge('SOURCE', 3, ['ingest'], later(60_000 + context.failedKeepMs)),
      ]),
    );
  });
});
