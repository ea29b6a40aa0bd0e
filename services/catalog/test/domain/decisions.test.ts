/** Whole decisions of the lifecycle: every field that changes, and every effect that goes with it in one transaction. */
import { expect } from 'chai';
import type { Command } from '../../src/domain/commands.ts';
import { transition } from '../../src/domain/transition.ts';
import { noCaptions, type Video } from '../../src/domain/video.ts';
import { keepers, makers, runners } from '../stages.ts';
import { around, later, newVideo, told } from '../support.ts';

const now = later(60_000);
const context = around(now);
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
/** When a gate was to close, and when it closes where it must be shut now. */
const gates = [
  [later(59_999), later(59_999)],
  [later(60_001), now],
  [null, now],
] as const;

describe('what a partner’s order changes', () => {
  it('archive: playback goes on for its grace, the clip is withdrawn at once', () => {
    expect(decide({ state: 'ready' }, { type: 'archive' })).to.deep.equal(
      change({ state: 'archived', gateClosesAt: later(60_000 + context.gateGraceMs) }, [{ type: 'withdraw-clip' }], {
        status: 'archived',
        queued: false,
      }),
    );
  });

  it('republish: the gate opens, the clip is there again, and the day it first went live stays', () => {
    const publishedAt = later(1);
    expect(decide({ state: 'archived', gateClosesAt: now, publishedAt }, { type: 'republish' })).to.deep.equal(
      change({ ...live, publishedAt }, [{ type: 'publish-clip' }], { status: 'public', queued: false }),
    );
  });

  it('delete while processing: owners stop, stages fall silent, and the clock ends the wait', () => {
    const { reply, ...decision } = decide({}, { type: 'delete' }) as { reply: object };
    expect(reply).to.include({ status: 'processing', queued: true });
    expect({ ...decision, reply: undefined }).to.deep.equal(
      change({ intent: 'delete', dueAt: later(60_000 + context.deleteGraceMs) }, [
        { type: 'cancel' },
        { type: 'hush-stages' },
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
  const emptied = [{ type: 'close-stages' }, { type: 'drop-purges' }, purge('VIDEO', 0, keepers)];
  const deleted = { status: 'deleted', queued: false };

  it('delete: what the partner gave is forgotten, and every keeper empties its stores', () => {
    const given = { ...told(3), warnings: [{ code: 'w', message: 'big' }], durationMs: 5, intent: 'archive' } as const;
    expect(decide({ ...given, state: 'archived' }, { type: 'delete' })).to.deep.equal(
      change(forgotten, emptied, deleted),
    );
    expect(decide({ ...given, state: 'ready' }, { type: 'delete' })).to.deep.equal(
      change(forgotten, [{ type: 'withdraw-clip' }, ...emptied], deleted),
    );
  });

  it('delete: a gate that has closed before keeps its hour, one that would close later closes now', () => {
    for (const [closes, then] of gates)
      expect(decide({ state: 'archived', gateClosesAt: closes }, { type: 'delete' })).to.have.deep.nested.property(
        'changes.gateClosesAt',
        then,
      );
  });
});

describe('what the operator’s order changes', () => {
  it('remove: as a delete, but nobody is answered', () => {
    for (const state of ['processing', 'ready', 'failed'] as const) {
      const { reply: _reply, ...byPartner } = decide({ state }, { type: 'delete' }) as { reply: object };
      expect(decide({ state }, { type: 'remove' })).to.deep.equal({ ...byPartner, reply: undefined });
    }
  });

  it('hold: of a live video the gate closes at once and the clip is withdrawn', () => {
    expect(decide({ state: 'ready' }, { type: 'hold' })).to.deep.equal(
      change({ state: 'archived', held: true, intent: 'none', gateClosesAt: now }, [{ type: 'withdraw-clip' }]),
    );
  });

  it('hold: of an archived video the grace of the archive ends, and the archive is remembered', () => {
    for (const [closes, then] of gates)
      expect(decide({ state: 'archived', gateClosesAt: closes }, { type: 'hold' })).to.deep.equal(
        change({ state: 'archived', held: true, intent: 'archive', gateClosesAt: then }),
      );
  });

  it('hold and release: of a video without media nothing changes but the hold', () => {
    for (const state of ['processing', 'failed'] as const) {
      expect(decide({ state }, { type: 'hold' })).to.deep.equal(change({ held: true }));
      expect(decide({ state, held: true }, { type: 'release' })).to.deep.equal(change({ held: false }));
    }
    expect(decide({ state: 'failed' }, { type: 'release' })).to.deep.equal({ kind: 'same' });
  });

  it('release: of a held video it is live again, unless the partner wants it archived', () => {
    const held = { state: 'archived', held: true, gateClosesAt: now } as const;
    expect(decide(held, { type: 'release' })).to.deep.equal(
      change({ ...live, publishedAt: now }, [{ type: 'publish-clip' }]),
    );
    expect(decide({ ...held, intent: 'archive' }, { type: 'release' })).to.deep.equal(
      change({ held: false, intent: 'none' }),
    );
  });

  it('retry: the next attempt begins with nothing, and what could meet it is removed or withdrawn', () => {
    const failed = { ...told(2), state: 'failed', attempt: 2, durationMs: 5, dueAt: now, endedAt: now } as const;
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
        [{ type: 'drop-purges' }, purge('OTHER_ATTEMPTS', 3, ['ingest']), purge('OTHER_ATTEMPTS', 3, makers)],
      ),
    );
  });
});

describe('what the stages’ end changes', () => {
  const media = { endedAt: now, dueAt: null, playbackId: 'minted', ladderKey: 'ladder', thumbnailKey: 'thumbnail' };
  const removed = [
    purge('OTHER_ATTEMPTS', 1, runners),
    purge('SOURCE', 2, ['ingest'], later(60_000 + context.sourceKeepReadyMs)),
  ];

  it('completion: the video is live from now on, and its source is kept for a while', () => {
    expect(decide({}, completion)).to.deep.equal(
      change({ ...media, durationMs: 25_000, ...live, publishedAt: now }, [{ type: 'publish-clip' }, ...removed]),
    );
  });

  it('completion: a playback id that is there already stays, and so does a duration where none is told', () => {
    expect(decide({ playbackId: 'first', durationMs: 7 }, { ...completion, durationMs: null }))
      .to.have.property('changes')
      .that.includes({ playbackId: 'first', durationMs: 7 });
  });

  it('completion: a held video is hidden and keeps what the partner wants', () => {
    for (const intent of ['none', 'archive'] as const)
      expect(decide({ held: true, intent }, completion)).to.deep.equal(
        change({ ...media, durationMs: 25_000, state: 'archived', intent, gateClosesAt: now }, removed),
      );
  });

  it('failure: the video is kept for its time, its source too, and what was made of it goes', () => {
    const failure = { code: 'source_empty', stage: 'inspect', details: {} };
    expect(decide({ attempt: 2 }, { type: 'failure', failure })).to.deep.equal(
      change({ state: 'failed', failure, endedAt: now, dueAt: later(60_000 + context.failedKeepMs) }, [
        { type: 'close-stages' },
        purge('OTHER_ATTEMPTS', 3, makers),
        purge('SOURCE', 3, ['ingest'], later(60_000 + context.sourceKeepFailedMs)),
      ]),
    );
  });
});
