/**
 * Commands on a video, by the partner, the operator, the stages or the scheduler, and the parts of a decision on one.
 */
import type { Purge } from './purges.ts';
import type { Limits, Stage } from './stages.ts';
import type { Changes, Failure, Video } from './video.ts';

export type Command =
  | { readonly type: 'archive' | 'republish' | 'delete' }
  /** Every blocking stage has completed. */
  | {
      readonly type: 'completion';
      /** Used only if the video has none yet. */
      readonly playbackId: string;
      readonly durationMs: number | null;
      readonly ladderKey: string;
      readonly thumbnailKey: string;
    }
  | { readonly type: 'failure'; readonly failure: Failure }
  /** An owner's outputs of the video are gone, however far the video was. */
  | { readonly type: 'lose'; readonly failure: Failure }
  /** The operator's commands. */
  | { readonly type: 'retry' | 'hold' | 'release' | 'remove' }
  /** The video's `dueAt` has passed. */
  | { readonly type: 'expire' };

export type CommandType = Command['type'];

export type Decision = Change | NoOp | Rejection;
export type Change = {
  readonly kind: 'change';
  readonly changes: Changes;
  readonly effects: readonly Effect[];
  readonly reply?: Reply | undefined;
};
/** Nothing changes, which may be a success. */
export type NoOp = { readonly kind: 'no-op'; readonly reply?: Reply | undefined };
export type Rejection = {
  readonly kind: 'reject';
  readonly code: 'NOT_FOUND' | 'FAILED_PRECONDITION';
  readonly message: string;
};

/** What a decision writes or publishes besides the row itself, in the same transaction. */
export type Effect =
  /** Every owner stops working on the video. */
  | { readonly type: 'cancel' }
  /** The row that the platform's apps read is inserted or deleted. */
  | { readonly type: 'publish-clip' }
  | { readonly type: 'withdraw-clip' }
  /** Stages that no owner has started are closed, and the requests of started ones are not republished. */
  | { readonly type: 'stop-republishing' }
  /** Every open stage is closed: later events about it are ignored. */
  | { readonly type: 'close-stages' }
  /** Earlier purges are no longer requested. */
  | { readonly type: 'drop-purges' }
  | { readonly type: 'purge'; readonly purge: Purge };

/** The reply to the partner. */
export type Reply = {
  readonly status: 'archived' | 'archive_queued' | 'public' | 'processing' | 'deleted';
  readonly message?: string;
  /** True: 202, the rest follows; false: 200, it is done. */
  readonly queued: boolean;
};

/** Everything from outside that a decision needs: clock, settings and a random id. Times are in milliseconds. */
export type DecisionContext = Limits & {
  /** The database's clock. */
  readonly now: Date;
  /** Playback continues for this long after an archive (spec §3: about 5 minutes). */
  readonly gateGraceMs: number;
  /** How long a queued delete waits for running stages to stop. */
  readonly deleteGraceMs: number;
  /** A failed video becomes deleted after this time. */
  readonly failedKeepMs: number;
  readonly sourcesKeepMs: number;
  /** Whether the publisher's stored videos have used up the operator's budget. */
  readonly storageSpent: boolean;
  /** Random; becomes the video's own if this is its first completion. */
  readonly newPlaybackId: string;
  /** The list of stages; tests pass other lists. */
  readonly list?: readonly Stage[];
};

/**
 * The situation of a video as commands see it: its state, refined by a queued intent and the operator's hold. `held`
 * and `deleting` are shown to the partner as `archived` and `processing`.
 */
export type Situation =
  | 'processing'
  | 'processingHeld'
  | 'deleting'
  | 'ready'
  | 'archived'
  | 'held'
  | 'failed'
  | 'deleted';

export function situationOf({ state, intent, held }: Pick<Video, 'state' | 'intent' | 'held'>): Situation {
  if (state === 'processing' && intent === 'delete') return 'deleting';
  if (state === 'processing' && held) return 'processingHeld';
  if (state === 'archived' && held) return 'held';
  return state;
}

export function reject(message: string): Rejection {
  return { kind: 'reject', code: 'FAILED_PRECONDITION', message };
}
