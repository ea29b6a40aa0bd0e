/** What captions hears. Handlers write rows and return; the work is done by the slots. */
import { events } from '@vds/proto/events';
import { on, type EventHandler } from '@vds/chassis/bus/bus';
import type { PurgeRequest } from '@vds/chassis/stage/purge';
import type { Stages } from '@vds/chassis/stage/stages';
import type { CaptionRequest } from '../domain/caption-job.ts';
import type { TrackState } from '../domain/track.ts';
import { scopes } from '../outbound/publisher.ts';

export type Deps = {
  readonly stages: Stages<CaptionRequest, TrackState>;
  readonly purges: { readonly ask: (asked: PurgeRequest) => Promise<void> };
  /** Aborts what this process runs of a video. */
  readonly abort: (videoId: string) => void;
};

/** For `bus.subscribe`. */
export function durableHandlers({ stages, purges }: Deps): EventHandler[] {
  return [
    on(events.captionsRequested, ({ videoId, attempt, revision, publisherId, ...request }) => {
      const { languageCode: language, durationMs, hasAudio, audioPlaylistKey } = request;
      return stages.take({
        groupKey: videoId,
        attempt,
        revision,
        tenant: publisherId,
        request: { language, durationMs: Number(durationMs), hasAudio, audioPlaylistKey },
      });
    }),
    on(events.purgeRequested, async ({ videoId, scope, keepAttempt, owners }) => {
      if (!owners.includes('captions') || scope === 'PURGE_SCOPE_UNSPECIFIED') return;
      await purges.ask({ groupKey: videoId, scope: scopes[scope], keepAttempt });
    }),
  ];
}

/** For `bus.watch`: the rows are cancelled once, each replica ends its own children. */
export function broadcastHandlers({ stages, abort }: Deps): EventHandler[] {
  return [
    on(events.videoCancelled, async ({ videoId }) => {
      await stages.cancel(videoId);
      abort(videoId);
    }),
  ];
}
