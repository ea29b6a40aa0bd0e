/**
 * THE lifecycle: one table of every command in every situation (spec §3; including a failed outcome and the operator's hold,
 * which the spec leaves open). Pure: no clock, no randomness, no I/O.
 */
import {
  reject,
  situationOf,
  type Change,
  type Command,
  type CommandType,
  type Decision,
  type DecisionContext,
  type Effect,
  type NoOp,
  type Reply,
  type Rejection,
  type Situation,
} from './commands.ts';
import { purgeFailed, purgeLosers, purgeOldSources, purgeSource, purgeVideo, type Purge } from './purges.ts';
import { replies } from './replies.ts';
import { after, noCaptions, type Changes, type Intent, type Video } from './video.ts';

/** One entry of the table: makes one decision, independent of the situation and command that select it. */
type Action<C extends Command = Command> = (video: Video, command: C, context: DecisionContext) => Decision;
type Row<T extends CommandType> = Readonly<Record<Situation, Action<Extract<Command, { type: T }>>>>;
type Table = { readonly [T in CommandType]: Row<T> };

const table: Table = {
  archive: {
    processing: queue('archive', replies.archiveQueued),
    processingHeld: queue('archive', replies.archiveQueuedHeld),
    deleting: notFound,
    ready: archiveNow,
    archived: unchanged(replies.archived),
    held: queue('archive', replies.archived),
    failed: rejectFailed('archived'),
    deleted: notFound,
  },
  republish: {
    processing: queue('none', replies.goesLive),
    processingHeld: rejectHeld,
    deleting: notFound,
    ready: unchanged(replies.public),
    archived: republish,
    held: rejectHeld,
    failed: rejectFailed('republished'),
    deleted: notFound,
  },
  delete: {
    processing: queueDelete,
    processingHeld: queueDelete,
    deleting: unchanged(replies.deleteQueued),
    ready: deleteNow,
    archived: deleteNow,
    held: deleteNow,
    failed: deleteNow,
    deleted: unchanged(replies.deleted),
  },
  completion: {
    processing: complete,
    processingHeld: complete,
    deleting: deleteNow,
    ready: ignore,
    archived: ignore,
    held: ignore,
    failed: ignore,
    deleted: ignore,
  },
  failure: {
    processing: fail,
    processingHeld: fail,
    deleting: deleteNow,
    ready: ignore,
    archived: ignore,
    held: ignore,
    failed: ignore,
    deleted: ignore,
  },
  lose: {
    processing: fail,
    processingHeld: fail,
    deleting: ignore,
    ready: loseMedia,
    archived: loseMedia,
    held: loseMedia,
    failed: ignore,
    deleted: ignore,
  },
  retry: {
    processing: rejectBecause('is still processing'),
    processingHeld: rejectBecause('is still processing'),
    deleting: rejectBecause('is being deleted'),
    ready: rejectBecause('has not failed'),
    archived: rejectBecause('has not failed'),
    held: rejectBecause('has not failed'),
    failed: retry,
    deleted: rejectBecause('is deleted'),
  },
  hold: {
    processing: hold,
    processingHeld: ignore,
    deleting: rejectBecause('is being deleted'),
    ready: hold,
    archived: hold,
    held: ignore,
    failed: hold,
    deleted: rejectBecause('is deleted'),
  },
  release: {
    processing: ignore,
    processingHeld: release,
    deleting: rejectBecause('is being deleted'),
    ready: ignore,
    archived: ignore,
    held: reopen,
    failed: release,
    deleted: rejectBecause('is deleted'),
  },
  remove: {
    processing: queueDelete,
    processingHeld: queueDelete,
    deleting: ignore,
    ready: deleteNow,
    archived: deleteNow,
    held: deleteNow,
    failed: deleteNow,
    deleted: ignore,
  },
  expire: {
    processing: ignore,
    processingHeld: ignore,
    deleting: deleteNow,
    ready: ignore,
    archived: ignore,
    held: ignore,
    failed: deleteNow,
    deleted: ignore,
  },
};

/**
 * Decides what `command` does to `video`.
 * @returns changes to the row and effects in the same transaction; or that nothing changes; or a rejection whose
 *   message is for the caller. Only a partner's commands have a reply.
 */
export function transition(video: Video, command: Command, context: DecisionContext): Decision {
  const action = table[command.type][situationOf(video)] as Action<Command>;
  return action(video, command, context);
}

function ignore(): NoOp {
  return { kind: 'no-op' };
}

/** To the partner a deleted video, or one that is being deleted, does not exist. */
function notFound(): Rejection {
  return { kind: 'reject', code: 'NOT_FOUND', message: 'The video does not exist.' };
}

/** A partner cannot lift the operator's hold. */
function rejectHeld(): Rejection {
  return reject('This video is held by the operator and cannot be republished. Contact the operator about it.');
}

function rejectFailed(verb: string): Action {
  return () => reject(`This video failed to process, so it cannot be ${verb}. Delete it, or submit the source again.`);
}

function rejectBecause(reason: string): Action {
  return () => reject(`This video ${reason}.`);
}

function unchanged(reply: Reply): Action {
  return () => ({ kind: 'no-op', reply });
}

/** Keeps the partner's intent until it is possible: when processing completes, or when the operator's hold ends. */
function queue(intent: Intent, reply: Reply): Action {
  return (video) => (video.intent === intent ? { kind: 'no-op', reply } : change({ intent }, [], reply));
}

function archiveNow(_video: Video, _command: Command, { now, gateGraceMs }: DecisionContext): Decision {
  const changes = { state: 'archived', gateClosesAt: after(now, gateGraceMs) } as const;
  return change(changes, [{ type: 'withdraw-clip' }], replies.archived);
}

function republish(video: Video, _command: Command, { now }: DecisionContext): Decision {
  return change(live(video, now), [{ type: 'publish-clip' }], replies.public);
}

/** No new stages and requests; the delete completes when the running stages have stopped, or when its grace ends. */
function queueDelete(_video: Video, command: Command, { now, deleteGraceMs }: DecisionContext): Decision {
  return change(
    { intent: 'delete', dueAt: after(now, deleteGraceMs) },
    [{ type: 'cancel' }, { type: 'stop-republishing' }],
    replyToPartner(command, replies.deleteQueued),
  );
}

/** Deletes the partner's input except the title; the ledger has every owner purge its stores. */
function deleteNow(video: Video, command: Command, { now }: DecisionContext): Decision {
  return change(
    {
      state: 'deleted',
      intent: 'none',
      deletedAt: now,
      dueAt: null,
      gateClosesAt: closedBy(video, now),
      sourceUrl: '',
      summary: null,
      tags: [],
      thumbnailUrl: null,
      durationMs: null,
      ladderKey: null,
      thumbnailKey: null,
      warnings: [],
      ...noCaptions,
    },
    [
      ...(video.state === 'ready' ? [{ type: 'withdraw-clip' } as const] : []),
      { type: 'close-stages' },
      { type: 'drop-purges' },
      ...purges(purgeVideo(now)),
    ],
    replyToPartner(command, replies.deleted),
  );
}

/** With a queued archive or a hold the video is archived before it was ever visible: its gate never opens. */
function complete(
  video: Video,
  command: Extract<Command, { type: 'completion' }>,
  { now, sourcesKeepMs }: DecisionContext,
): Decision {
  const goesLive = video.intent === 'none' && !video.held;
  const media: Changes = {
    endedAt: now,
    dueAt: null,
    playbackId: video.playbackId ?? command.playbackId,
    ladderKey: command.ladderKey,
    thumbnailKey: command.thumbnailKey,
    durationMs: command.durationMs ?? video.durationMs,
  };
  const hidden: Changes = { state: 'archived', intent: video.held ? video.intent : 'none', gateClosesAt: now };
  return change({ ...media, ...(goesLive ? live(video, now) : hidden) }, [
    ...(goesLive ? [{ type: 'publish-clip' } as const] : []),
    ...purges(purgeLosers(video.attempt, now), purgeSource(video.attempt, after(now, sourcesKeepMs))),
  ]);
}

/** Intent and hold stay, so that they survive a retry. */
function fail(
  video: Video,
  { failure }: Extract<Command, { type: 'failure' | 'lose' }>,
  { now, failedKeepMs }: DecisionContext,
): Change {
  return change({ state: 'failed', failure, endedAt: now, dueAt: after(now, failedKeepMs) }, [
    { type: 'close-stages' },
    ...purges(purgeFailed(video.attempt, now), purgeSource(video.attempt, after(now, failedKeepMs))),
  ]);
}

/** A finished video cannot be played any more: it has failed until a retry, which ends as archived if it was archived. */
function loseMedia(video: Video, command: Extract<Command, { type: 'lose' }>, context: DecisionContext): Decision {
  const { changes, effects } = fail(video, command, context);
  const intent = video.state === 'archived' && !video.held ? 'archive' : video.intent;
  return change({ ...changes, intent, gateClosesAt: closedBy(video, context.now) }, [
    ...(video.state === 'ready' ? [{ type: 'withdraw-clip' } as const] : []),
    ...effects,
  ]);
}

/** The new attempt starts from the fetch; purges that could hit it are dropped first. */
function retry(video: Video, _command: Command, { now }: DecisionContext): Decision {
  return change(
    {
      state: 'processing',
      attempt: video.attempt + 1,
      failure: null,
      endedAt: null,
      dueAt: null,
      durationMs: null,
      warnings: [],
      ...noCaptions,
    },
    [{ type: 'drop-purges' }, ...purges(purgeOldSources(video.attempt + 1, now), purgeFailed(video.attempt, now))],
  );
}

/** A hold is for content that must not be seen: the gate closes at once, without the grace of an archive. */
function hold(video: Video, _command: Command, { now }: DecisionContext): Decision {
  if (video.state === 'processing' || video.state === 'failed') return change({ held: true });
  const wasLive = video.state === 'ready';
  return change(
    { state: 'archived', held: true, intent: wasLive ? 'none' : 'archive', gateClosesAt: closedBy(video, now) },
    wasLive ? [{ type: 'withdraw-clip' }] : [],
  );
}

/** While processing or failed: the partner's intent counts again. */
function release({ held }: Video): Decision {
  return held ? change({ held: false }) : { kind: 'no-op' };
}

/** The hold ends: live again, unless an archive is queued. */
function reopen(video: Video, _command: Command, { now }: DecisionContext): Decision {
  return video.intent === 'archive'
    ? change({ held: false, intent: 'none' })
    : change(live(video, now), [{ type: 'publish-clip' }]);
}

function change(changes: Changes, effects: readonly Effect[] = [], reply?: Reply): Change {
  return { kind: 'change', changes, effects, reply };
}

function purges(...list: readonly Purge[]): Effect[] {
  return list.map((purge) => ({ type: 'purge', purge }));
}

/** Only the partner's own `delete` has a reply: not a removal by the operator, nor the end of the wait. */
function replyToPartner(command: Command, reply: Reply): Reply | undefined {
  return command.type === 'delete' ? reply : undefined;
}

/** The latest closing time of the gate: a time in the past stays, any other becomes now. */
function closedBy({ gateClosesAt }: Video, now: Date): Date {
  return gateClosesAt !== null && gateClosesAt < now ? gateClosesAt : now;
}

function live(video: Video, now: Date): Changes {
  return {
    state: 'ready',
    intent: 'none',
    held: false,
    gateClosesAt: null,
    publishedAt: video.publishedAt ?? now,
  };
}
