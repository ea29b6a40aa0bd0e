/**
 * Reports of views on their way to the stream. Viewers never wait for it: reports are dropped and counted when the
 * queue is full or NATS is unavailable. The counters of a view are cumulative, so the next report makes up for a lost one.
 */
import type { ViewReported } from '@vds/proto/generated/vds/playback/v1/ViewReported.ts';
import { messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';

type Options = {
  readonly publish: (report: ViewReported & { readonly eventId: string }) => Promise<void>;
  readonly log: Logger;
  readonly metrics: Metrics;
};
export type ViewReports = ReturnType<typeof openViewReports>;

/** About a kilobyte each. */
const MAX_WAITING = 2_000;
const WARN_EVERY_MS = 60_000;

export function openViewReports({ publish, log, metrics }: Options) {
  const help =
    'Reports of views, by outcome; dropped: NATS could not take them in time; automated: of crawlers and prefetches';
  const reports = metrics.counter('vds_playback_view_reports_total', help, ['outcome']);
  for (const outcome of ['published', 'dropped', 'rejected', 'automated']) reports.inc({ outcome }, 0);
  let waiting = 0;
  let quietUntil = 0;
  const dropped = (reason: string): void => {
    reports.inc({ outcome: 'dropped' });
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + WARN_EVERY_MS;
    log.warn({ reason }, 'reports of views dropped');
  };
  return {
    /** Publishes in the background. */
    add: (report: ViewReported & { readonly eventId: string }): void => {
      if (waiting >= MAX_WAITING) return dropped('too many wait for NATS');
      waiting += 1;
      publish(report)
        .then(() => reports.inc({ outcome: 'published' }))
        .catch((error: unknown) => dropped(messageOf(error)))
        .finally(() => void (waiting -= 1));
    },
    /** Counts a line that is no report. */
    rejected: (): void => reports.inc({ outcome: 'rejected' }),
    /** Counts what no viewer sent. */
    automated: (): void => reports.inc({ outcome: 'automated' }),
  };
}
