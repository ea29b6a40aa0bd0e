/**
 * NATS JetStream: `subscribe` delivers every event once per service through a durable consumer, `watch` once per replica,
 * starting now. Postgres is the source of truth, so a stream that was lost is simply created again.
 */
import { jetstream, JetStreamApiError, jetstreamManager, type JetStreamClient, type PubAck } from '@nats-io/jetstream';
import { errors, headers, PermissionViolationError, type NatsConnection } from '@nats-io/transport-node';
import type { EventType } from '@vds/proto/events';
import { openBacklog } from './backlog.ts';
import {
  connectionConfig,
  connectionState,
  isMisconfigured,
  openNats,
  reporter,
  trackConnection,
  waitForNats,
  type Connection,
  type ConnectionSettings,
  type ConnectionState,
} from './connection.ts';
import { startConsuming, type SubscribePolicy } from './consume.ts';
import { deadLetters, deadLetterStream } from './dead-letters.ts';
import type { EventHandler } from './event-handler.ts';
import { busNames, natsPrefix, type BusNames } from './names.ts';
import { poisonMessages } from './poison.ts';
import { dependencyPause, type DependencyPause } from './redelivery.ts';
import { streamPosition, type StreamPosition } from './stream-position.ts';
import { streamManager, type KeepOptions, type StreamSettings } from './streams.ts';
import { startWatching } from './watch.ts';
import { integer, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { AppError, messageOf, type ErrorCode } from '../errors.ts';
import { pause, withTimeout } from '../process/async.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export type { SubscribePolicy } from './consume.ts';
export { on, type EventHandler } from './event-handler.ts';

export const busConfig = {
  ...connectionConfig,
  /** Of every subject and stream, where installations share an account. */
  natsPrefix: ['NATS_PREFIX', natsPrefix],
  natsReplicas: ['NATS_STREAM_REPLICAS', withDefault(integer(1, 5), 1)],
  /** A full stream drops its oldest messages; requests that are still open are republished. */
  natsStreamBytes: ['NATS_STREAM_MAX_BYTES', withDefault(integer(1_048_576), 2 ** 30)],
} as const satisfies ConfigSpec;

export type BusOptions = Omit<ConnectionSettings, 'inboxPrefix'> &
  Omit<ConfigOf<typeof busConfig>, keyof typeof connectionConfig | 'natsPrefix'> & {
    readonly natsPrefix?: string;
    readonly log: Logger;
    readonly metrics: Metrics;
    /** How often a service checks that its own stream still exists. */
    readonly streamCheckMs?: number;
    /** Aborts when nothing may wait for the server any more. */
    readonly forceClose?: AbortSignal;
  };

type LazyBusOptions = BusOptions & {
  /** How long the startup check fails while the server is unreachable. */
  readonly graceMs?: number;
};

/** Where JetStream stored a message; the stream without a prefix. */
export type Stored = { readonly stream: string; readonly sequence: number };
type Publish = (
  subject: string,
  payload: Uint8Array,
  messageId: string,
  traceparent?: string | null,
) => Promise<Stored>;
export type Bus = Awaited<ReturnType<typeof openBus>>;

const LAZY_RETRY_MS = 500;
const WEEK_MS = 7 * 86_400_000;
/** JetStream's error code for a message larger than its stream or account permits (JSStreamMessageExceedsMaximumErr). */
const MESSAGE_TOO_LARGE = 10_054;

/** Connects; waits until the server is available. @throws where it is, and the configuration does not fit it */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const state = connectionState(options.metrics);
  return openBus(await waitForNats(settingsOf(options), options.log, options.forceClose), state, options);
}

/** Connects in the background, so that a service which only watches starts and scales out while NATS is unavailable. */
export function connectLazyBus({ graceMs = 5_000, ...options }: LazyBusOptions) {
  const { log, metrics } = options;
  const stopping = new AbortController();
  const state = connectionState(metrics);
  const startedAt = performance.now();
  const watched: EventHandler[] = [];
  let bus: Bus | undefined;
  const report = reporter(log, 'cannot connect to NATS, retrying');
  let lastError: unknown = new Error('not connected to NATS yet');

  const open = async (): Promise<void> => {
    while (!stopping.signal.aborted && bus === undefined) {
      try {
        const nc = await openNats(settingsOf(options));
        if (stopping.signal.aborted) return await nc.close();
        bus = await openBus(nc, state, options);
        if (watched.length > 0) bus.watch(watched);
      } catch (error) {
        report(error);
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
     * credentials or offers no TLS: that is a misconfiguration, not an outage.
     */
    startupCheck: async (): Promise<void> => {
      if (bus !== undefined) return;
      if (isMisconfigured(lastError) || performance.now() - startedAt < graceMs) throw lastError;
    },
    close: async (): Promise<void> => {
      stopping.abort();
      await bus?.close();
    },
  };
}

function settingsOf(options: BusOptions): ConnectionSettings {
  return { ...options, inboxPrefix: busNames(options.natsPrefix).inbox(options.service) };
}

async function openBus(nc: NatsConnection, state: ConnectionState, options: BusOptions) {
  const { service, log, metrics, streamCheckMs: everyMs = 2_000 } = options;
  const names = busNames(options.natsPrefix);
  const js = jetstream(nc);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const stopping = new AbortController();
  const { signal } = stopping;
  options.forceClose?.addEventListener('abort', () => void nc.close(), { once: true });
  const [loops, handled]: [Promise<void>[], EventHandler[]] = [[], []];
  const connection = trackConnection(nc, state, log, () => openNats(settingsOf(options)));
  const position = streamPosition();
  const publishRaw = publisher(js, { connection, metrics, position, names, ownStream: names.stream(service) });
  const sizes = { replicas: options.natsReplicas, maxBytes: options.natsStreamBytes };
  const consumed = metrics.counter('vds_bus_consumed_total', 'Messages consumed', ['subject', 'outcome']);
  const dependencies = exportPause(dependencyPause(), metrics);
  const { isUp, disconnected } = connection;
  const streams = streamManager({ jsm, log, metrics, ...sizes, everyMs, signal, isUp });
  const poison = poisonMessages();
  const deps = { service, names, js, jsm, log, consumed, signal, isUp, disconnected, dependencies, poison };

  return {
    isUp,
    publishRaw,
    publish: async <In>(event: EventType<In, unknown>, payload: In, messageId: string): Promise<void> =>
      void (await publishRaw(event.subject, event.encode(payload), messageId)),
    /**
     * Keeps this service's own stream in existence, with its settings.
     * @param onReset runs whenever messages after the given sequence are missing, as the stream was created or rolled
     *   back to an older copy: what may have been lost must then be published again
     * @param acknowledged the highest sequence that earlier processes knew of
     */
    ownStream: async (onReset: KeepOptions['onReset'] = () => {}, { acknowledged = 0 } = {}): Promise<void> => {
      position.raise(acknowledged);
      loops.push((await streams.keep(eventStream(service, names), { position, onReset })).ended);
    },
    /** Tells the consumers of this service's stream that messages were lost: see `SubscribePolicy.onLoss`. */
    reportLoss: (): Promise<void> => streams.reportLoss(names.stream(service)),
    /** Delivers every event of `handlers` once per service, through one durable per owner; returns at once. */
    subscribe: (handlers: readonly EventHandler[], policy?: Partial<SubscribePolicy>): void => {
      if (handled.length === 0) loops.push(streams.keep(deadLetterStream(service, names)).then(({ ended }) => ended));
      handled.push(...handlers);
      loops.push(...startConsuming(deps, handlers, policy));
    },
    /** Delivers every event of `handlers` to this process, starting now; after a disconnect it catches up. */
    watch: (handlers: readonly EventHandler[]): void => void loops.push(...startWatching(deps, handlers)),
    /** Whether this service has consumed what lay in the streams of `owners`. */
    openBacklog: (owners: readonly string[]) => openBacklog(deps, owners),
    deadLetters: deadLetters(deps, () => handled),
    /** A readiness check. */
    check: (): Promise<void> => nc.flush(),
    /** A readiness check for services whose handlers need nothing but what every request needs. */
    checkConsuming: () => checkConsuming(dependencies),
    jsm,
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(loops);
      await closeConnection(nc, connection);
    },
  };
}

function eventStream(service: string, names: BusNames): StreamSettings {
  const subjects = [names.subject(`${service}.>`)];
  return { name: names.stream(service), kind: 'events', subjects, maxAgeMs: WEEK_MS };
}

async function closeConnection(nc: NatsConnection, { ended }: Connection): Promise<void> {
  // Without a server there is nothing to drain; unacknowledged messages are redelivered.
  await withTimeout(nc.drain(), 2_000).catch(() => nc.close());
  await ended;
}

async function checkConsuming(dependencies: DependencyPause): Promise<void> {
  const leftMs = dependencies.leftMs() ?? 0;
  if (leftMs > 0) throw new AppError('UNAVAILABLE', 'consuming pauses: a dependency of the handlers is away');
}

function exportPause(dependencies: DependencyPause, metrics: Metrics): DependencyPause {
  const help = '1 while consuming pauses, as a dependency of the handlers is away';
  metrics.gauge('vds_bus_paused', help, [], (gauge) => gauge.set(dependencies.leftMs() === undefined ? 0 : 1));
  return dependencies;
}

type PublisherDeps = {
  readonly connection: Connection;
  readonly metrics: Metrics;
  readonly position: StreamPosition;
  readonly names: BusNames;
  readonly ownStream: string;
};

/**
 * Publishes bytes; resolves once JetStream has stored them. Rejects with UNAVAILABLE where a retry may succeed, and with
 * INVALID_ARGUMENT or PERMISSION_DENIED where the message itself is refused.
 */
function publisher(js: JetStreamClient, { connection, metrics, position, names, ownStream }: PublisherDeps): Publish {
  const published = metrics.counter('vds_bus_published_total', 'Messages published', ['subject']);
  return async (subject, payload, messageId, traceparent) => {
    if (!connection.isUp()) throw new AppError('UNAVAILABLE', `cannot publish ${subject}: not connected to NATS`);
    const extra = headers();
    if (traceparent) extra.set('traceparent', traceparent);
    const sentAfter = position.highest();
    let ack: PubAck;
    try {
      ack = await connection.whileConnected(
        js.publish(names.subject(subject), payload, { msgID: messageId, headers: extra, timeout: 5_000 }),
      );
    } catch (cause) {
      throw new AppError(publishErrorCode(cause), `cannot publish ${subject}: ${messageOf(cause)}`, { cause });
    }
    if (ack.stream === ownStream && !ack.duplicate) position.acknowledged(ack.seq, sentAfter);
    published.inc({ subject });
    return { stream: names.bareStream(ack.stream), sequence: ack.seq };
  };
}

function publishErrorCode(error: unknown): ErrorCode {
  if (error instanceof PermissionViolationError) return 'PERMISSION_DENIED';
  // The client's own check of the server's maximum, and of the subject.
  if (error instanceof errors.InvalidArgumentError) return 'INVALID_ARGUMENT';
  if (error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE) return 'INVALID_ARGUMENT';
  return 'UNAVAILABLE';
}
