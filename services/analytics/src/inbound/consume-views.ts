/** Reports of views, in batches: each becomes a row of its organization. */
import { LRUCache } from 'lru-cache';
import type { Bus } from '@vds/chassis/bus/bus';
import type { BatchLimits } from '@vds/chassis/bus/batches';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { events } from '@vds/proto/events';
import type { ViewReportedOut } from '@vds/proto/generated/vds/playback/v1/ViewReported.ts';
import { toRow, type EventRow, type VideoTitle } from '../domain/event-row.ts';
import type { Device } from '../domain/device.ts';
import type { Attribute } from '../outbound/attribute.ts';
import type { EventStore } from '../outbound/store.ts';

type Deps = {
  readonly bus: Pick<Bus, 'batches'>;
  readonly attribute: Attribute;
  readonly deviceOf: (userAgent: string) => Device;
  readonly store: Pick<EventStore, 'put' | 'name'>;
  readonly limits: BatchLimits;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** Videos whose title is stored; after a while once more, as the store may have been restored to an earlier moment. */
const MAX_NAMED = 100_000;
const NAMED_MS = 3_600_000;

/** Consumes until `signal` aborts; several replicas may consume beside each other. */
export function consumeViews(deps: Deps): (signal: AbortSignal) => Promise<void> {
  const { bus, store, limits, log, metrics } = deps;
  const stored = metrics.counter('vds_analytics_events_total', 'Events of views, by outcome', ['outcome']);
  const named = new LRUCache<string, number>({ max: MAX_NAMED, ttl: NAMED_MS });
  const age = metrics.histogram('vds_analytics_event_age_seconds', 'Age of an event when it is stored', []);
  return (signal) =>
    bus.batches(
      {
        event: events.viewReported,
        limits,
        store: async (reports) => {
          const { rows, videos } = await rowsOf(deps, reports);
          await store.put(rows);
          const titles = videos.filter(({ videoId, version }) => version > (named.get(videoId) ?? -1));
          await store.name(titles);
          for (const { videoId, version } of titles) named.set(videoId, version);
          stored.inc({ outcome: 'stored' }, rows.length);
          stored.inc({ outcome: 'unknown_video' }, reports.length - rows.length);
          const now = Date.now();
          for (const { received_at: received } of rows) if (received) age.observe((now - received.getTime()) / 1_000);
          log.info({ events: rows.length }, 'events stored');
        },
      },
      signal,
    );
}

/** Drops reports about unknown videos. */
async function rowsOf({ attribute, deviceOf }: Deps, reports: readonly ViewReportedOut[]) {
  const rows: EventRow[] = [];
  const videos = new Map<string, VideoTitle>();
  for (const report of reports) {
    const attributed = await attribute(report.videoId);
    if (!attributed) continue;
    const { organizationId, title, version } = attributed;
    videos.set(report.videoId, { organizationId, videoId: report.videoId, title, version });
    const viewerId = attributed.hash(report.viewer, report.deviceId);
    rows.push(toRow(report, attributed, viewerId, deviceOf(report.userAgent)));
  }
  return { rows, videos: [...videos.values()] };
}
