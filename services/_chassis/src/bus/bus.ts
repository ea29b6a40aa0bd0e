/**
 * JetStream behind two verbs: `subscribe` (one durable a service and stream; every message once per service) and `watch`
 * (every message once per replica, from now on). Postgres is the truth: a stream that is gone is simply made anew.
 */
import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { EventType } from '@vds/proto/events';
import type { EventHandler } from './handlers.ts';
import {
  connectionGauge,
  leaveNats,
  openNats,
  watchConnection,
  type Connection,
  type ConnectionGauge,
} from './connection.ts';
import { streamKeeper } from './streams.ts';
import { startConsuming, type SubscribePolicy } from './subscribe.ts';
import { startWatching } from './watch.ts';
import { integer, optional, secret, text, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { AppError, messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export { on, type EventHandler } from './handlers.ts';
export type { SubscribePolicy } from './subscribe.ts';

export const busConfig = {
  natsUrl: ['NATS_URL', text],
  natsUser: ['NATS_USER', optional(text)],
  natsPassword: ['NATS_PASSWORD', optional(secret)],
  natsReplicas: ['NATS_STREAM_REPLICAS', withDefault(integer(1, 5), 1)],
  /** The oldest messages of a stream go first; whatever is open is said again. */
  natsStreamBytes: ['NATS_STREAM_MAX_BYTES', withDefault(integer(1_048_576), 2 ** 30)],
} as const satisfies ConfigSpec;

export type BusOptions = ConfigOf<typeof busConfig> & {
  readonly service: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** How often the owner of a stream looks whether it is still there. */
  readonly streamCheckMs?: number;
};

type Publish = (subject: string, payload: Uint8Array, messageId: string, traceparent?: string | null) => Promise<void>;
export type Bus = Awaited<ReturnType<typeof openBus>>;

/** Connects; waits for a server that is not there yet. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const gauge = connectionGauge(options.metrics);
  return openBus(await openNats(options), gauge, options);
}

/** The two verbs over a connection that is there. */
export async function openBus(nc: NatsConnection, gauge: ConnectionGauge, options: BusOptions) {
  const { service, log, metrics } = options;
  const js = jetstream(nc);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const stopping = new AbortController();
  const loops: Promise<void>[] = [];
  const connection = watchConnection(nc, gauge);
  const publishRaw = publisher(js, connection, metrics);
  const streams = streamKeeper(jsm, log, { replicas: options.natsReplicas, maxBytes: options.natsStreamBytes });
  const consumed = metrics.counter('vds_bus_consumed_total', 'Messages consumed', ['subject', 'outcome']);
  const deps = {
    service,
    js,
    jsm,
    log,
    consumed,
    signal: stopping.signal,
    isUp: connection.isUp,
    ensureStream: streams.ensure,
    publishRaw,
  };

  return {
    publishRaw,
    publish: <In>(event: EventType<In, unknown>, payload: In, messageId: string): Promise<void> =>
      publishRaw(event.subject, event.encode(payload), messageId),
    /**
     * Keeps the stream of this service's own events in being. `onMade` runs whenever it had to be made, at boot or after
     * a loss: what is open must then be republished.
     */
    ownStream: async (onMade: () => Promise<void> | void = () => {}): Promise<void> => {
      loops.push((await streams.keep(service, onMade, options.streamCheckMs ?? 2_000, stopping.signal)).ended);
    },
    /** Consumes every event of `handlers` once per service, all of one owner through one durable; returns at once. */
    subscribe: (handlers: readonly EventHandler[], policy?: Partial<SubscribePolicy>): void =>
      void loops.push(...startConsuming(deps, handlers, policy)),
    /** Consumes every event of `handlers` in this very process, from now on; what it misses while cut off, afterwards. */
    watch: (handlers: readonly EventHandler[]): void => void loops.push(...startWatching(deps, handlers)),
    /** For readiness. */
    check: (): Promise<void> => nc.flush(),
    jsm,
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(loops);
      await leaveNats(nc);
      await connection.ended;
    },
  };
}

/** Publishes bytes; resolves once JetStream has stored them. UNAVAILABLE when it has not, at once without a connection. */
function publisher(js: JetStreamClient, connection: Connection, metrics: Metrics): Publish {
  const published = metrics.counter('vds_bus_published_total', 'Messages published', ['subject']);
  return async (subject, payload, messageId, traceparent) => {
    if (!connection.isUp()) throw new AppError('UNAVAILABLE', `cannot publish ${subject}: NATS is away`);
    const extra = headers();
    if (traceparent) extra.set('traceparent', traceparent);
    try {
      const stored = js.publish(subject, payload, { msgID: messageId, headers: extra, timeout: 5_000 });
      await connection.orLost(stored);
    } catch (cause) {
      throw new AppError('UNAVAILABLE', `cannot publish ${subject}: ${messageOf(cause)}`, { cause });
    }
    published.inc({ subject });
  };
}
