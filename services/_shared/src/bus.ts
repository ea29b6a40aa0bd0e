/**
 * JetStream behind two verbs: `subscribe` (one durable a service and stream; every message once per service) and `watch`
 * (every message once per replica, from now on). Postgres is the truth: a stream that is gone is simply made anew.
 */
import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import type { EventType } from '@vds/proto/events';
import type { Ear } from './bus-ears.ts';
import { streamKeeper } from './bus-streams.ts';
import { startConsuming, type SubscribePolicy } from './bus-subscribe.ts';
import { startWatching } from './bus-watch.ts';
import { or, secret, text, whole, type ConfigOf, type ConfigSpec } from './config.ts';
import { AppError, messageOf } from './errors.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';

export { hear, type Ear } from './bus-ears.ts';
export type { SubscribePolicy } from './bus-subscribe.ts';

export const busConfig = {
  natsUrl: ['NATS_URL', text],
  natsUser: ['NATS_USER', or(text, undefined)],
  natsPassword: ['NATS_PASSWORD', or(secret, undefined)],
  natsReplicas: ['NATS_STREAM_REPLICAS', or(whole(1, 5), 1)],
  /** The oldest messages of a stream go first; whatever is open is said again. */
  natsStreamBytes: ['NATS_STREAM_MAX_BYTES', or(whole(1_048_576), 2 ** 30)],
} as const satisfies ConfigSpec;

export type BusOptions = ConfigOf<typeof busConfig> & {
  readonly service: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** How often the owner of a stream looks whether it is still there. */
  readonly streamCheckMs?: number;
};

const open = (options: BusOptions): Promise<NatsConnection> =>
  connect({
    servers: options.natsUrl,
    name: options.service,
    inboxPrefix: `_INBOX_${options.service}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: true,
    ...(options.natsUser !== undefined && { user: options.natsUser }),
    ...(options.natsPassword !== undefined && { pass: options.natsPassword }),
  });

type Publish = (subject: string, payload: Uint8Array, messageId: string, traceparent?: string | null) => Promise<void>;

/** Follows the connection, so that nobody waits for an answer that cannot come. */
const watchLink = (nc: NatsConnection) => {
  let up = true;
  let lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {}); // a break that nobody waits for is nobody's error
  const follow = async (): Promise<void> => {
    for await (const { type } of nc.status()) {
      if (type === 'disconnect') {
        up = false;
        lost.reject(new Error('the connection broke'));
        lost = Promise.withResolvers<never>();
        lost.promise.catch(() => {});
      }
      if (type === 'reconnect') up = true;
    }
  };
  return { isUp: (): boolean => up, lost: (): Promise<never> => lost.promise, ended: follow() };
};
type Connection = ReturnType<typeof watchLink>;

/** Publishes bytes; resolves once JetStream has stored them. UNAVAILABLE when it has not, at once without a connection. */
const publisher = (js: JetStreamClient, connection: Connection, metrics: Metrics): Publish => {
  const published = metrics.counter('vds_bus_published_total', 'Messages published', ['subject']);
  return async (subject, payload, messageId, traceparent) => {
    if (!connection.isUp()) throw new AppError('UNAVAILABLE', `cannot publish ${subject}: NATS is away`);
    const extra = headers();
    if (traceparent) extra.set('traceparent', traceparent);
    try {
      const stored = js.publish(subject, payload, { msgID: messageId, headers: extra, timeout: 5_000 });
      await Promise.race([stored, connection.lost()]);
    } catch (cause) {
      throw new AppError('UNAVAILABLE', `cannot publish ${subject}: ${messageOf(cause)}`, { cause });
    }
    published.inc({ subject });
  };
};

/** Lets what is under way end; a server that is away has nothing to be drained into. */
const leave = async (nc: NatsConnection): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('NATS does not answer')), 2_000);
  try {
    await Promise.race([nc.drain(), promise]);
  } catch {
    await nc.close(); // Unacknowledged messages come again, to whoever hears next.
  } finally {
    clearTimeout(timer);
  }
};

/** Connects; waits for a server that is not there yet. */
export const connectBus = async (options: BusOptions) => {
  const { service, log, metrics } = options;
  const nc = await open(options);
  const js = jetstream(nc);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const stopping = new AbortController();
  const loops: Promise<void>[] = [];
  const connection = watchLink(nc);
  const publishRaw = publisher(js, connection, metrics);
  const streams = streamKeeper(jsm, log, { replicas: options.natsReplicas, maxBytes: options.natsStreamBytes });
  const heard = metrics.counter('vds_bus_heard_total', 'Messages heard', ['subject', 'outcome']);
  const link = {
    service,
    js,
    jsm,
    log,
    heard,
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
     * Keeps the stream of this service's own facts in being. `onMade` runs whenever it had to be made, at boot or after
     * a loss: what is open must then be said again.
     */
    ownStream: async (onMade: () => Promise<void> | void = () => {}): Promise<void> => {
      const watching = await streams.keep(service, onMade, options.streamCheckMs ?? 2_000, stopping.signal);
      loops.push(watching.ended);
    },
    /** Hears every message of `ears` once per service, all of one owner through one durable; resolves at once. */
    subscribe: (ears: readonly Ear[], policy?: Partial<SubscribePolicy>): void =>
      void loops.push(...startConsuming(link, ears, policy)),
    /** Hears every message of `ears` in this very process, from now on; what was missed is missed. */
    watch: (ears: readonly Ear[]): void => void loops.push(...startWatching(link, ears)),
    /** For readiness. */
    check: (): Promise<void> => nc.flush(),
    jsm,
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(loops);
      await leave(nc);
      await connection.ended;
    },
  };
};
export type Bus = Awaited<ReturnType<typeof connectBus>>;
