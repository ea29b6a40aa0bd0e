/** The cells of the lifecycle's table: each decides one thing and knows neither state nor command by name. */
import type { Command, Decision } from './commands.ts';
import { purgeFailed, purgeLosers, purgeOldSources, purgeSource, purgeVideo, type Purge } from './purges.ts';
import { after, noCaptions, type Changes, type Context, type Effect, type Reply, type Video } from './video.ts';

export type Action<C extends Command = Command> = (video: Video, command: C, context: Context) => Decision;
type Completion = Extract<Command, { type: 'completion' }>;
type FailureCommand = Extract<Command, { type: 'failure' }>;

/** Every reply that a partner can get. */
export const says = {
  archived: { status: 'archived', queued: false },
  archiveQueued: {
    status: 'archive_queued',
    message:
      'The video is still processing. It will be archived the moment processing completes and will not appear in feeds, search or recommendations. Republish it to cancel this.',
    queued: true,
  },
  /** A republish cannot cancel it while the operator holds the video. */
  archiveQueuedHeld: {
    status: 'archive_queued',
    message:
      'The video is still processing. It will be archived the moment processing completes and will not appear in feeds, search or recommendations.',
    queued: true,
  },
  public: { status: 'public', queued: false },
  goesLive: {
    status: 'processing',
    message: 'The video is still processing. It will go live when processing completes; no archive is queued.',
    queued: true,
  },
  deleteQueued: {
    status: 'processing',
    message:
      'The video is still processing. Processing is being stopped, and the video will be deleted within a minute. This cannot be undone.',
    queued: true,
  },
  deleted: { status: 'deleted', queued: false },
} as const satisfies Record<string, Reply>;
export const ignore: Action = () => ({ kind: 'same' });
/** To the partner a deleted video, or one that is being deleted, takes no other order. */
export const gone: Action = () => ({ kind: 'refuse', code: 'NOT_FOUND', message: 'The video does not exist.' });

export const queueArchive: Action = ({ intent, held }) => {
  const reply = held ? says.archiveQueuedHeld : says.archiveQueued;
  return intent === 'archive' ? { kind: 'same', reply } : change({ intent: 'archive' }, [], reply);
};

export const forgetQueuedArchive: Action = (video) =>
  video.intent === 'none' ? { kind: 'same', reply: says.goesLive } : change({ intent: 'none' }, [], says.goesLive);

export const archiveNow: Action = (_video, _command, { now, gateGraceMs }) =>
  change({ state: 'archived', gateClosesAt: after(now, gateGraceMs) }, [{ type: 'withdraw-clip' }], says.archived);

/** The video is out of sight already; what the partner wants is kept for when the hold ends. */
export const rememberArchive: Action = (video) =>
  video.intent === 'archive'
    ? { kind: 'same', reply: says.archived }
    : change({ intent: 'archive' }, [], says.archived);

export const republish: Action = (video, _command, { now }) =>
  change(live(video, now), [{ type: 'publish-clip' }], says.public);

/** No new stage, no more asking; the rest of the delete follows when the running stages have stopped, or by the clock. */
export const queueDelete: Action = (_video, command, { now, deleteGraceMs }) =>
  change(
    { intent: 'delete', dueAt: after(now, deleteGraceMs) },
    [{ type: 'cancel' }, { type: 'hush-stages' }],
    partner(command, says.deleteQueued),
  );

/** What the partner gave is forgotten, all but the title; the ledger has every owner empty its stores. */
export const deleteNow: Action = (video, command, { now }) =>
  change(
    {
      state: 'deleted',
      intent: 'none',
      deletedAt: now,
      dueAt: null,
      gateClosesAt: video.gateClosesAt !== null && video.gateClosesAt < now ? video.gateClosesAt : now,
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
    partner(command, says.deleted),
  );

/** A queued archive or a hold means that the video is archived before anybody could see it: its gate never opens. */
export const complete: Action<Completion> = (video, command, { now, sourceKeepReadyMs }) => {
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
    ...purges(purgeLosers(video.attempt, now), purgeSource(video.attempt, after(now, sourceKeepReadyMs))),
  ]);
};

/** Intent and hold stay: a retry finds them again. */
export const fail: Action<FailureCommand> = (video, { failure }, { now, failedKeepMs, sourceKeepFailedMs }) =>
  change({ state: 'failed', failure, endedAt: now, dueAt: after(now, failedKeepMs) }, [
    { type: 'close-stages' },
    ...purges(purgeFailed(video.attempt, now), purgeSource(video.attempt, after(now, sourceKeepFailedMs))),
  ]);

/** A new attempt fetches and probes anew; removals that could meet it are withdrawn first. */
export const retry: Action = (video, _command, { now }) =>
  change(
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

/** A hold is for what must not be seen: the gate closes at once, without the grace of an archive. */
export const hold: Action = (video, _command, { now }) => {
  if (video.state === 'processing' || video.state === 'failed') return change({ held: true });
  const closed = video.gateClosesAt !== null && video.gateClosesAt < now ? video.gateClosesAt : now;
  const wasLive = video.state === 'ready';
  return change(
    { state: 'archived', held: true, intent: wasLive ? 'none' : 'archive', gateClosesAt: closed },
    wasLive ? [{ type: 'withdraw-clip' }] : [],
  );
};

/** While processing or failed: what the partner wants counts again. */
export const release: Action = (video) => (video.held ? change({ held: false }) : { kind: 'same' });

/** The hold ends: live again, unless the partner wants it archived. */
export const reopen: Action = (video, _command, { now }) =>
  video.intent === 'archive'
    ? change({ held: false, intent: 'none' })
    : change(live(video, now), [{ type: 'publish-clip' }]);

export function same(reply: Reply): Action {
  return () => ({ kind: 'same', reply });
}

export function refuse(message: string): Action {
  return () => ({ kind: 'refuse', code: 'FAILED_PRECONDITION', message });
}

function change(changes: Changes, effects: readonly Effect[] = [], reply?: Reply): Decision {
  return {
    kind: 'change',
    changes,
    effects,
    reply,
  };
}

function purges(...list: readonly Purge[]): Effect[] {
  return list.map((purge) => ({ type: 'purge', purge }));
}

/** Only a partner is answered, whose word for it is `delete`: not the operator, nor the clock or a stage that ends the wait. */
function partner(command: Command, reply: Reply): Reply | undefined {
  return command.type === 'delete' ? reply : undefined;
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
