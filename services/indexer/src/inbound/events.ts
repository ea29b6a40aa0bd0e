/** Consumes changes and purges of videos, and what viewers watch. Order, repeats and delay do not matter. */
import type { VideosWatchedOut } from '@vds/proto/generated/vds/analytics/v1/VideosWatched.ts';
import { events } from '@vds/proto/events';
import { on, type Bus, type EventHandler, type SubscribePolicy } from '@vds/chassis/bus/bus';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { withLogFields, type Logger } from '@vds/chassis/telemetry/log';

type Deps = {
  /** Reads the video and writes it; `version` is the message's. */
  readonly refresh: (videoId: string, version: number) => Promise<void>;
  /** Leaves only a tombstone of the video, and verifies it. */
  readonly purge: (videoId: string) => Promise<void>;
  readonly writeWatched: (message: VideosWatchedOut) => Promise<void>;
  readonly publish: Bus['publish'];
  readonly log: Logger;
};

/**
 * No message is dropped while another service or OpenSearch is unavailable: it is redelivered for two days. A tombstone
 * needs only OpenSearch, so it does not wait for the owners of other videos' documents.
 */
export const subscribePolicy: Partial<SubscribePolicy> = { ackWaitMs: 60_000, dependencyTries: 5_760, pauses: false };

export function durableHandlers({ refresh, purge, writeWatched, publish, log }: Deps): EventHandler[] {
  return [
    on(events.videoChanged, ({ videoId, version }) =>
      withLogFields({ video_id: videoId }, () => refresh(videoId, version)),
    ),
    on(events.purgeRequested, ({ videoId, scope, keepAttempt, owners, requestId }, { id }) =>
      withLogFields({ video_id: videoId }, async () => {
        if (!owners.includes('indexer') || scope !== 'PURGE_SCOPE_VIDEO') return;
        await purge(videoId);
        await failpoint('indexer.video-purged');
        const purged = events.indexerVideoPurged;
        await publish(purged, { videoId, scope, keepAttempt, requestId }, `${purged.subject}/${id}`);
        log.info('video purged');
      }),
    ),
    on(events.videosWatched, writeWatched),
  ];
}
