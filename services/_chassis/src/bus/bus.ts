/**
 * NATS JetStream: `subscribe` delivers every event once per service through a durable consumer, `watch` once per replica,
 * starting now. Postgres is the source of truth, so a stream that was lost is simply created again.
 */
import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream';
import { AuthorizationError, connect, headers, type NatsConnection } from '@nats-io/transport-node';
import type { EventType } from '@vds/proto/events';
import { openBacklog } from './backlog.ts';
import { startConsuming, startWatching, type EventHandler, type SubscribePolicy } from './consume.ts';
import { streamManager } from './streams.ts';
import { integer, optional, secret, text, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { AppError, messageOf } from '../errors.ts';
import { pause, withTimeout } from '../process/async.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export { on, type EventHandler, type SubscribePolicy } from './consume.ts';

export const busConfig = {
  natsUrl: ['NATS_URL', text],
  natsUser: ['NATS_USER', optional(text)],
  natsPassword: ['NATS_PASSWORD', optional(secret)],
  natsReplicas: ['NATS_STREAM_REPLICAS', withDefault(integer(1, 5), 1)],
  /** A full stream drops its oldest messages; requests that are still open are republished. */
  natsStreamBytes: ['NATS_STREAM_MAX_BYTES', withDefault(integer(1_048_576), 2 ** 30)],
} as const satisfies ConfigSpec;

export type BusOptions = ConfigOf<typeof busConfig> & {
  readonly service: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** How often a service checks that its own stream still exists. */
  readonly streamCheckMs?: number;
  /** Interval of pings; a connection that leaves two of them unanswered is replaced. */
  readonly pingMs?: number;
  /** Aborts when nothing may wait for the server any more. */
  readonly cutOff?: AbortSignal;
};

type LazyBusOptions = BusOptions & {
  /** How long the startup check fails while the server is unreachable. */
  readonly graceMs?: number;
};

type Publish = (subject: string, payload: Uint8Array, messageId: string, traceparent?: string | null) => Promise<void>;
type ConnectionState = ReturnType<typeof connectionState>;
type Connection = ReturnType<typeof trackConnection>;
export type Bus = Awaited<ReturnType<typeof openBus>>;

const LAZY_RETRY_MS = 500;

/** Connects; waits until the server is available. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const state = connectionState(options.metrics);
  return openBus(await openNats(options), state, options);
}

/** Connects in the background, so that a service which only watches starts and scales out while NATS is unavailable. */
export function connectLazyBus({ graceMs = 5_000, ...options }: LazyBusOptions) {
  const { log, metrics } = options;
  const stopping = new AbortController();
  const state = connectionState(metrics);
  const startedAt = performance.now();
  const watched: EventHandler[] = [];
  let bus: Bus | undefined;
  let lastError: unknown = new Error('not connected to NATS yet');

  const open = async (): Promise<void> => {
    while (!stopping.signal.aborted && bus === undefined) {
      try {
        const nc = await openNats(options, { once: true });
        if (stopping.signal.aborted) return await nc.close();
        bus = await openBus(nc, state, options);
        if (watched.length > 0) bus.watch(watched);
      } catch (error) {
        if (messageOf(error) !== messageOf(lastError))
          log.warn({ reason: messageOf(error) }, 'cannot connect to NATS, retrying');
        lastError = error;
        await pause(LAZY_RETRY_MS, stopping.signal);
      }
    }
  };
  void open();

  return {
    /** Delivers every event of `handlers` to this process, from the moment the connection exists. */
    watch: (handlers: readonly EventHandler[]): void => {
      watched.push(...handlers);
      bus?.watch(handlers);
    },
    /**
     * A startup check: passes once connected, and without a connection after the grace period, unless NATS rejects the
     * credentials: that is a misconfiguration, not an outage.
     */
    startupCheck: async (): Promise<void> => {
      if (bus !== undefined) return;
      if (lastError instanceof AuthorizationError || performance.now() - startedAt < graceMs) throw lastError;
    },
    close: async (): Promise<void> => {
      stopping.abort();
      await bus?.close();
    },
  };
}

async function openBus(nc: NatsConnection, state: ConnectionState, options: BusOptions) {
  const { service, log, metrics } = options;
  const js = jetstream(nc);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const stopping = new AbortController();
  options.cutOff?.addEventListener('abort', () => void nc.close(), { once: true });
  const loops: Promise<void>[] = [];
  const connection = trackConnection(nc, state);
  const publishRaw = publisher(js, connection, metrics);
  const streams = streamManager(jsm, log, { replicas: options.natsReplicas, maxBytes: options.natsStreamBytes });
  const consumed = metrics.counter('vds_bus_consumed_total', 'Messages consumed', ['subject', 'outcome']);
  const { isUp } = connection;
  const deps = { service, js, jsm, log, consumed, signal: stopping.signal, isUp, ensureStream: streams.ensure };

  return {
    publishRaw,
    publish: <In>(event: EventType<In, unknown>, payload: In, messageId: string): Promise<void> =>
      publishRaw(event.subject, event.encode(payload), messageId),
    /**
     * Keeps this service's own stream in existence. `onCreated` runs whenever it had to be created, at startup or after
     * a loss: open requests must then be republished.
     */
    ownStream: async (onCreated: () => Promise<void> | void = () => {}): Promise<void> => {
      loops.push((await streams.keep(service, onCreated, options.streamCheckMs ?? 2_000, stopping.signal)).ended);
    },
    /** Delivers every event of `handlers` once per service, through one durable per owner; returns at once. */
    subscribe: (handlers: readonly EventHandler[], policy?: Partial<SubscribePolicy>): void =>
      void loops.push(...startConsuming(deps, handlers, policy)),
    /** Delivers every event of `handlers` to this process, starting now; after a disconnect it catches up. */
    watch: (handlers: readonly EventHandler[]): void => void loops.push(...startWatching(deps, handlers)),
    /** Whether this service has consumed what lay in the streams of `owners`. */
    openBacklog: (owners: readonly string[]) => openBacklog({ service, jsm, isUp }, owners),
    /** A readiness check. */
    check: (): Promise<void> => nc.flush(),
    jsm,
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(loops);
      // Without a server there is nothing to drain; unacknowledged messages are redelivered.
      await withTimeout(nc.drain(), 2_000).catch(() => nc.close());
      await connection.ended;
    },
  };
}

/** Connects and reconnects forever; `once` limits the first connect to one attempt, so that its error is known. */
function openNats(options: BusOptions, { once = false } = {}): Promise<NatsConnection> {
  return connect({
    servers: options.natsUrl,
    name: options.service,
    inboxPrefix: `_INBOX_${options.service}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: !once,
    // The client's default notices a silent connection only after 5 minutes.
    pingInterval: options.pingMs ?? 5_000,
    maxPingOut: 2,
    ...(options.natsUser !== undefined && { user: options.natsUser }),
    ...(options.natsPassword !== undefined && { pass: options.natsPassword }),
  });
}

/** Registered before the first connect, so that a process waiting for NATS at startup shows 0. */
function connectionState(metrics: Metrics) {
  const state = { up: false };
  metrics.gauge('vds_bus_connected', '1 while connected to NATS', [], (gauge) => gauge.set(state.up ? 1 : 0));
  return state;
}

/** Follows the connection, so that a call fails at once instead of waiting for a reply that cannot come. */
function trackConnection(nc: NatsConnection, state: ConnectionState) {
  state.up = true;
  let disconnected = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const { type } of nc.status()) {
      if (type === 'reconnect') state.up = true;
      if (type !== 'disconnect') continue;
      state.up = false;
      disconnected.abort();
      disconnected = new AbortController();
    }
  };
  return {
    isUp: (): boolean => state.up,
    /** The result of `work`; rejects when the connection breaks first. */
    whileConnected: <T>(work: Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const { signal } = disconnected;
        const onDisconnect = (): void => reject(new Error('the connection broke'));
        signal.addEventListener('abort', onDisconnect, { once: true });
        void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onDisconnect));
      }),
    ended: follow(),
  };
}

/** Publishes bytes; resolves once JetStream has stored them, rejects with UNAVAILABLE otherwise. */
function publisher(js: JetStreamClient, connection: Connection, metrics: Metrics): Publish {
  const published = metrics.counter('vds_bus_published_total', 'Messages published', ['subject']);
  return async (subject, payload, messageId, traceparent) => {
    if (!connection.isUp()) throw new AppError('UNAVAILABLE', `cannot publish ${subject}: not connected to NATS`);
    const extra = headers();
    if (traceparent) extra.set('traceparent', traceparent);
    try {
      await connection.whileConnected(
        js.publish(subject, payload, { msgID: messageId, headers: extra, timeout: 5_000 }),
      );
    } catch (cause) {
      throw new AppError('UNAVAILABLE', `cannot publish ${subject}: ${messageOf(cause)}`, { cause });
    }
    published.inc({ subject });
  };
}
