/** What indexer hears: that a video changed, and that one must be gone. Order, repeats and delay do not matter. */
import { events } from '@vds/proto/events';
import type { VideoPurgedOut } from '@vds/proto/generated/vds/common/v1/VideoPurged.ts';
import { on, type EventHandler, type SubscribePolicy } from '@vds/chassis/bus/bus';
import { withLogFacts, type Logger } from '@vds/chassis/telemetry/log';

type Deps = {
  /** Reads the video and writes it; `version` is the one that the message names. */
  readonly refresh: (videoId: string, version: number) => Promise<void>;
  /** Leaves nothing but a tombstone of the video, and proves it. */
  readonly purge: (videoId: string) => Promise<void>;
  /** Says that it is so; resolves once the bus has it. */
  readonly sayPurged: (purged: VideoPurgedOut, cause: string) => Promise<void>;
  readonly log: Logger;
};

/** Nothing is given up while a peer or OpenSearch is away: a message is asked for again for two days. */
export const patience: Partial<SubscribePolicy> = {
  ackWaitMs: 60_000,
  retryDelaysMs: [200, 500, 1_000, 2_000, 5_000, ...Array.from({ length: 17_280 }, () => 10_000)],
};

export function durableHandlers({ refresh, purge, sayPurged, log }: Deps): EventHandler[] {
  return [
    on(events.videoChanged, ({ videoId, version }) =>
      withLogFacts({ video_id: videoId }, () => refresh(videoId, version)),
    ),
    on(events.purgeRequested, ({ videoId, scope, keepAttempt, owners }, { id }) =>
      withLogFacts({ video_id: videoId }, async () => {
        if (!owners.includes('indexer') || scope !== 'PURGE_SCOPE_VIDEO') return;
        await purge(videoId);
        await sayPurged({ videoId, scope, keepAttempt }, id);
        log.info('left nothing but a tombstone');
      }),
    ),
  ];
}
