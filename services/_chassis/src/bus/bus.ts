/**
 * NATS JetStream: `subscribe` delivers every event once per service through a durable consumer, `watch` once per replica,
 * starting now. Postgres is the source of truth, so a stream that was lost is simply created again.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { EventType } from '@vds/proto/events';
import {
  connectionConfig,
  connectionState,
  openNats,
  trackConnection,
  waitForNats,
  type Connection,
  type ConnectionSettings,
  type ConnectionState,
} from './connection.ts';
import { startBatches, type BatchConsumer } from './batches.ts';
import { consumingPause, startConsuming, type SubscribePolicy } from './consume.ts';
import { deadLetters, deadLetterStream } from './dead-letters.ts';
import type { EventHandler } from './event-handler.ts';
import { busNames, natsPrefix, type BusNames } from './names.ts';
import { publisher } from './publish.ts';
import { streamEnd, streamManager, type StreamBounds, type StreamEnd, type StreamSettings } from './streams.ts';
import { startWatching } from './watch.ts';
import { integer, settingsOf, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { withTimeout } from '../async.ts';
import type { Scope } from '../process/run.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export type { SubscribePolicy } from './consume.ts';
export { on, type EventHandler } from './event-handler.ts';

export const busConfig = {
  ...connectionConfig,
  /**
   * Of every subject (`team-a.catalog.…`), stream (`TEAM_A_CATALOG`) and inbox, so that installations share an account.
   */
  natsPrefix: ['NATS_PREFIX', natsPrefix],
  /** Copies of each stream, on as many servers. */
  natsReplicas: ['NATS_STREAM_REPLICAS', withDefault(integer(1, 5), 1)],
  /** Size of each stream. A full one drops its oldest messages; requests that are still open are republished. */
  natsStreamBytes: ['NATS_STREAM_MAX_BYTES', withDefault(integer(1_048_576), 2 ** 30)],
} as const satisfies ConfigSpec;

export type BusOptions = Omit<ConnectionSettings, 'inboxPrefix'> &
  Omit<ConfigOf<typeof busConfig>, keyof typeof connectionConfig | 'natsPrefix'> & {
    readonly natsPrefix?: string;
    readonly log: Logger;
    readonly metrics: Metrics;
    /** How often a service checks that its own stream still exists. */
    readonly streamCheckMs?: number;
    /** Aborts when nothing may wait for the server any longer. */
    readonly forceClose?: AbortSignal | undefined;
  };

export type Bus = Awaited<ReturnType<typeof openBus>>;

const WEEK_MS = 7 * 86_400_000;

/** Connects; waits until the server is available. @throws if it rejects the configuration */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const state = connectionState(options.metrics);
  return openBus(await waitForNats(connectionOf(options), options.log, options.forceClose), state, options);
}

export function connectionOf(options: BusOptions): ConnectionSettings {
  return { ...options, inboxPrefix: busNames(options.natsPrefix).inbox(options.service) };
}

/** The options of a service's bus, from its configuration. */
export function busOptions(
  { config, log, metrics, forceClose }: Pick<Scope<typeof busConfig>, 'config' | 'log' | 'metrics' | 'forceClose'>,
  service: string,
): BusOptions {
  return { ...settingsOf(busConfig, config), service, log, metrics, forceClose };
}

/** The bus of an open connection; `connectBus` and `connectLazyBus` call it. */
export async function openBus(nc: NatsConnection, state: ConnectionState, options: BusOptions) {
  const { service, log, metrics, streamCheckMs: everyMs = 5_000 } = options;
  const names = busNames(options.natsPrefix);
  const js = jetstream(nc);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const stopping = new AbortController();
  const { signal } = stopping;
  options.forceClose?.addEventListener('abort', () => void nc.close(), { once: true });
  const [loops, handled]: [Promise<void>[], EventHandler[]] = [[], []];
  const connection = trackConnection(nc, state, log, () => openNats(connectionOf(options)));
  const publishRaw = publisher(js, { connection, metrics, names });
  const consumed = metrics.counter('vds_bus_consumed_total', 'Messages consumed', ['subject', 'outcome']);
  const paused = consumingPause(log, metrics);
  const { isUp, connectedForMs, disconnected } = connection;
  const sizes = { replicas: options.natsReplicas, maxBytes: options.natsStreamBytes };
  const streams = streamManager({ jsm, log, metrics, ...sizes, everyMs, signal, isUp });
  const deps = { service, names, js, jsm, log, consumed, signal, isUp, disconnected, paused };

  return {
    isUp,
    connectedForMs,
    publishRaw,
    publish: async <In>(event: EventType<In, unknown>, payload: In, messageId: string): Promise<void> =>
      void (await publishRaw(event.subject, event.encode(payload), messageId)),
    /** How many connections there have been so far. */
    connections: connection.count,
    /** The end of this service's own stream. @throws while it cannot be read */
    streamEnd: (): Promise<StreamEnd> => streamEnd(jsm, names.stream(service)),
    /** Keeps this service's own stream in existence, with its settings. */
    ownStream: async (bounds: StreamBounds = {}): Promise<void> =>
      void loops.push((await streams.keep({ ...eventStream(service, names), ...bounds })).ended),
    /** Delivers every event of `handlers` once per service, through one durable per owner; returns at once. */
    subscribe: (handlers: readonly EventHandler[], policy?: Partial<SubscribePolicy>): void => {
      if (handled.length === 0) loops.push(streams.keep(deadLetterStream(service, names)).then(({ ended }) => ended));
      handled.push(...handlers);
      loops.push(...startConsuming(deps, handlers, policy));
    },
    /** Delivers every event of `handlers` to this process, starting now; after a disconnect it catches up. */
    watch: (handlers: readonly EventHandler[]): void => void loops.push(...startWatching(deps, handlers)),
    /** Delivers every message of an event once per service, many at a time; until the process stops or `until` aborts. */
    batches: <Out>(consumer: BatchConsumer<Out>, until: AbortSignal = signal): Promise<void> => {
      const loop = startBatches({ ...deps, metrics }, consumer, until);
      loops.push(loop);
      return loop;
    },
    deadLetters: deadLetters(deps, () => handled),
    /** A readiness check. */
    check: (): Promise<void> => nc.flush(),
    /** A readiness check for services whose handlers need only what every request needs. */
    checkConsuming: paused.check,
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
