/** Everything that can be asked of a video, by the partner, the operator, the stages or the clock. */
import type { Changes, Effect, Failure, Reply, Video } from './video.ts';

export type Command =
  | { readonly type: 'archive' | 'republish' | 'delete' }
  /** Everything that the video cannot do without is there. */
  | {
      readonly type: 'completion';
      /** Used only if the video has none yet. */
      readonly playbackId: string;
      readonly durationMs: number | null;
      readonly ladderKey: string;
      readonly thumbnailKey: string;
    }
  | { readonly type: 'failure'; readonly failure: Failure }
  /** The operator's verbs. */
  | { readonly type: 'retry' | 'hold' | 'release' | 'remove' }
  /** The time that was set for this video has come. */
  | { readonly type: 'expire' };

export type CommandType = Command['type'];

/** What comes of a command. `same`: nothing changes, which may be a success. */
export type Decision =
  | {
      readonly kind: 'change';
      readonly changes: Changes;
      readonly effects: readonly Effect[];
      readonly reply?: Reply | undefined;
    }
  | { readonly kind: 'same'; readonly reply?: Reply | undefined }
  | { readonly kind: 'refuse'; readonly code: 'NOT_FOUND' | 'FAILED_PRECONDITION'; readonly message: string };

/**
 * Where a video stands as far as commands care: its state, and what was asked of it that bears on the next command.
 * `held` and `deleting` are shown to the partner as `archived` and `processing`.
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
