/**
 * JetStream behind two verbs: `subscribe` (one durable a service and stream; every message once per service) and `watch`
 * (every message once per replica, from now on). Postgres is the truth: a stream that is gone is simply made anew.
 */
import { jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect, headers, nanos } from '@nats-io/transport-node';
import type { EventType } from '@vds/proto/events';
import type { Ear } from './bus-ears.ts';
import { streamOf } from './bus-names.ts';
import { startConsuming, type SubscribePolicy } from './bus-subscribe.ts';
import { startWatching } from './bus-watch.ts';
import { or, secret, text, whole, type ConfigOf, type ConfigSpec } from './config.ts';
import { AppError, messageOf } from './errors.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { pause } from './pause.ts';

export { hear, type Ear } from './bus-ears.ts';
export type { SubscribePolicy } from './bus-subscribe.ts';

export const busConfig = {
  natsUrl: ['NATS_URL', text],
  natsUser: ['NATS_USER', or(text, undefined)],
  natsPassword: ['NATS_PASSWORD', or(secret, undefined)],
  natsReplicas: ['NATS_STREAM_REPLICAS', or(whole(1, 5), 1)],
} as const satisfies ConfigSpec;

export type BusOptions = ConfigOf<typeof busConfig> & {
  readonly service: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** How often the owner of a stream looks whether it is still there. */
  readonly streamCheckMs?: number;
};

const day = 86_400_000;

export const connectBus = async (options: BusOptions) => {
  const { service, log, metrics } = options;
  const nc = await connect({
    servers: options.natsUrl,
    name: service,
    inboxPrefix: `_INBOX_${service}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: true,
    ...(options.natsUser !== undefined && { user: options.natsUser }),
    ...(options.natsPassword !== undefined && { pass: options.natsPassword }),
  });
  const js = jetstream(nc);
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  const stopping = new AbortController();
  const loops: Promise<void>[] = [];
  const published = metrics.counter('vds_bus_published_total', 'Messages published', ['subject']);

  /** @returns true when the stream had to be made */
  const ensureStream = async (name: string, subject: string, maxAgeMs: number): Promise<boolean> => {
    try {
      await jsm.streams.info(name);
      return false;
    } catch (error) {
      if (!/stream not found/i.test(messageOf(error))) throw error;
    }
    await jsm.streams.add({
      name,
      subjects: [subject],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      num_replicas: options.natsReplicas,
      max_age: nanos(maxAgeMs),
      duplicate_window: nanos(120_000),
    });
    log.info({ stream: name }, 'made a stream');
    return true;
  };

  /**
   * Keeps the stream of this service's own facts in being. `onMade` runs whenever it had to be made, at boot or after a
   * loss: what is open must then be said again.
   */
  const ownStream = async (onMade: () => Promise<void> | void = () => {}): Promise<void> => {
    const look = async (): Promise<void> => {
      if (await ensureStream(streamOf(service), `${service}.>`, 7 * day)) await onMade();
    };
    await look();
    const watchOver = async (): Promise<void> => {
      while (!stopping.signal.aborted) {
        await pause(options.streamCheckMs ?? 2_000, stopping.signal);
        if (stopping.signal.aborted) return;
        await look().catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'cannot see the own stream'));
      }
    };
    loops.push(watchOver());
  };

  /** Publishes bytes; resolves once JetStream has stored them. UNAVAILABLE when it has not. */
  const publishRaw = async (
    subject: string,
    payload: Uint8Array,
    messageId: string,
    traceparent?: string | null,
  ): Promise<void> => {
    const extra = headers();
    if (traceparent) extra.set('traceparent', traceparent);
    try {
      await js.publish(subject, payload, { msgID: messageId, headers: extra, timeout: 5_000 });
    } catch (cause) {
      throw new AppError('UNAVAILABLE', `cannot publish ${subject}: ${messageOf(cause)}`, { cause });
    }
    published.inc({ subject });
  };

  const heard = metrics.counter('vds_bus_heard_total', 'Messages heard', ['subject', 'outcome']);
  const link = { service, js, jsm, log, heard, signal: stopping.signal, ensureStream, publishRaw };

  return {
    publishRaw,
    publish: <In>(event: EventType<In, unknown>, payload: In, messageId: string): Promise<void> =>
      publishRaw(event.subject, event.encode(payload), messageId),
    ownStream,
    /** Hears every message of `ears` once per service, all of one owner through one durable; resolves at once. */
    subscribe: (ears: readonly Ear[], policy?: Partial<SubscribePolicy>): void =>
      void loops.push(...startConsuming(link, ears, policy)),
    /** Hears every message of `ears` in this very process, from now on; what was missed is missed. */
    watch: (ears: readonly Ear[]): void => void loops.push(...startWatching(link, ears)),
    /** For readiness. */
    check: async (): Promise<void> => {
      await nc.flush();
    },
    jsm,
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(loops);
      await nc.drain();
    },
  };
};
export type Bus = Awaited<ReturnType<typeof connectBus>>;
