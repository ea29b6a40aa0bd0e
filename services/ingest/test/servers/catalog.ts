/** The tests' catalog: it publishes requests and records the events of ingest, nothing else. */
import { events } from '@vds/proto/events';
import { connectBus, on } from '@vds/chassis/bus/bus';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { until } from '@vds/testkit/until';

/** An event of ingest: its name in the event table and its payload. */
export type IngestEvent = { readonly name: string; readonly payload: Record<string, unknown> };
export type PurgeScope = 'PURGE_SCOPE_VIDEO' | 'PURGE_SCOPE_OTHER_ATTEMPTS' | 'PURGE_SCOPE_SOURCE';

const PUBLISHED = [
  'fetchStarted',
  'fetchProgressed',
  'headStored',
  'fetchCompleted',
  'fetchFailed',
  'ingestVideoPurged',
] as const;

export async function startCatalog(natsUrl: string) {
  const received: IngestEvent[] = [];
  const log = createLogger('catalog', 'error');
  const options = {
    natsUrl,
    natsUser: undefined,
    natsPassword: undefined,
    natsReplicas: 1,
    natsStreamBytes: 2 ** 30,
    service: 'catalog',
    log,
  };
  const bus = await connectBus({ ...options, metrics: createMetrics('catalog') });
  await bus.ownStream();
  const record = (name: string) => async (payload: object) => void received.push({ name, payload: { ...payload } });
  bus.subscribe(PUBLISHED.map((name) => on(events[name] as typeof events.fetchStarted, record(name))));

  /** The events of a video so far, oldest first. */
  const eventsOf = (videoId: string): IngestEvent[] => received.filter(({ payload }) => payload['videoId'] === videoId);
  return {
    published: eventsOf,
    /** Waits for the `nth` event (from 1) of these names. */
    waitFor: (videoId: string, names: readonly string[], nth = 1): Promise<IngestEvent> =>
      until(() => eventsOf(videoId).filter(({ name }) => names.includes(name))[nth - 1], {
        what: `${names.join(' or ')} of ${videoId}`,
      }),
    /** Requests a fetch; `repeat` is the suffix of a repeated request. */
    request: (
      videoId: string,
      sourceUrl: string,
      { attempt = 1, repeat = '', ageMs = 0, publisherId = 'pub' } = {},
    ) => {
      const age = ageMs > 0 && { acceptedAtMs: Date.now() - ageMs };
      const payload = { videoId, attempt, publisherId, sourceUrl, ...age };
      return bus.publish(events.fetchRequested, payload, `fetch-requested-${videoId}-${attempt}${repeat}`);
    },
    cancel: (videoId: string) => bus.publish(events.videoCancelled, { videoId }, `cancelled-${videoId}`),
    /** `requestId` is that of the purge, whose messages may repeat it. */
    purge: (
      videoId: string,
      scope: PurgeScope,
      { keepAttempt = 0, repeat = '', requestId = '', sourceKey = '', owners = ['ingest'] } = {},
    ) =>
      bus.publish(
        events.purgeRequested,
        { videoId, scope, keepAttempt, owners, requestId, inUse: { sourceKey } },
        `purge-${videoId}-${scope}-${keepAttempt}${repeat}`,
      ),
    close: bus.close,
  };
}
