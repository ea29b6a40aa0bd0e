/** What metadata hears. Handlers write rows and return; the work is done by the slots. */
import { events } from '@vds/proto/events';
import type { PurgeScope as WireScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import type { PurgeRequest, PurgeScope } from '@vds/chassis/stage/purge';
import type { Stages } from '@vds/chassis/stage/stages';
import type { Request } from '../domain/request.ts';
import type { Done } from '../outbound/publisher.ts';

export type Deps = {
  readonly stages: Stages<Request, Done>;
  readonly askPurge: (asked: PurgeRequest) => Promise<void>;
  /** Aborts what this process runs of a video. */
  readonly abort: (videoId: string) => void;
};

const scopes: Partial<Record<WireScope, PurgeScope>> = {
  PURGE_SCOPE_VIDEO: 'all',
  PURGE_SCOPE_OTHER_ATTEMPTS: 'before',
};

/** For `bus.subscribe`. */
export function durableHandlers({ stages, askPurge }: Deps): EventHandler[] {
  return [
    on(events.metadataRequested, async ({ videoId, attempt, revision, publisherId, ...message }) => {
      const { durationMs, ladderKey, transcriptKey } = message;
      const request = { durationMs: Math.max(1, durationMs), ladderKey, transcriptKey };
      await stages.take({ groupKey: videoId, attempt, revision, tenant: publisherId, request });
    }),
    on(events.purgeRequested, async ({ videoId, scope, keepAttempt, owners }) => {
      const asked = scopes[scope];
      // Nothing here is a part of the source.
      if (asked && owners.includes('metadata')) await askPurge({ groupKey: videoId, scope: asked, keepAttempt });
    }),
  ];
}

/** For `bus.watch`: every replica hears it; the rows are cancelled once, each replica ends its own children. */
export function broadcastHandlers({ stages, abort }: Deps): EventHandler[] {
  return [
    on(events.videoCancelled, async ({ videoId }) => {
      await stages.cancel(videoId);
      abort(videoId);
    }),
  ];
}
