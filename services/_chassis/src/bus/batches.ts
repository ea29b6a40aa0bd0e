/**
 * Consuming in batches: many messages are stored by one write and acknowledged after it. What was collected is stored,
 * whatever becomes of the connection and the stream meanwhile: a batch that cannot be stored is tried until it is, or comes
 * back to any replica once this one stops, or was killed and its time to acknowledge is over.
 */
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { EventType } from '@vds/proto/events';
import { ensureDurable, type Durable } from './durable.ts';
import { forever, onceAMinute } from './loop.ts';
import type { BusNames } from './names.ts';
import { messageOf } from '../errors.ts';
import { backoff, pause } from '../async.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

type Deps = {
  readonly service: string;
  readonly names: BusNames;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
  /** False while disconnected. */
  readonly isUp: () => boolean;
  /** Aborts when the current connection breaks. */
  readonly disconnected: () => AbortSignal;
};

export type BatchLimits = {
  readonly maxMessages: number;
  /** Of the encoded messages. */
  readonly maxBytes: number;
  /** How long a message waits for others at most. */
  readonly everyMs: number;
};

export type BatchConsumer<Out> = {
  readonly event: EventType<never, Out>;
  readonly limits: BatchLimits;
  /** Stores the messages of a batch; they may come again, whole or in another division. */
  readonly store: (payloads: readonly Out[], signal: AbortSignal) => Promise<void>;
};

/** How many messages may be unacknowledged in all replicas. */
const MAX_UNACKNOWLEDGED = 50_000;
/** Beyond the time in which a batch is filled: for storing it, and trying again. */
const STORING_MS = 30_000;
/** How long the wait after a batch that could not be stored grows: what it needs may be back at any moment. */
const MAX_RETRY_MS = 5_000;
const MAX_FETCHED = 2_000;
/** How often the server says that it is there while nothing comes; a fetch ends when it is late twice. */
const HEARTBEAT_MS = 5_000;

/**
 * One batch at a time, in order, until the process stops or `until` aborts: then nothing more is collected, and what was is
 * still stored.
 */
export function startBatches<Out>(
  deps: Deps,
  { event, limits, store }: BatchConsumer<Out>,
  until: AbortSignal,
): Promise<void> {
  const { metrics, log, signal, names } = deps;
  const collecting = { ...deps, signal: AbortSignal.any([signal, until]) };
  const held = watchHeld(metrics);
  const lost = metrics.counter('vds_bus_batches_lost_total', 'Messages that a full stream dropped unread', ['subject']);
  const { subject } = event;
  lost.inc({ subject }, 0);

  const report = onceAMinute();
  const storeAll = async (messages: readonly JsMsg[]): Promise<void> => {
    const payloads = messages.flatMap((message) => decode(event, message));
    for (let failures = 1; payloads.length > 0; failures += 1) {
      try {
        await store(payloads, signal);
        break;
      } catch (error) {
        if (signal.aborted) {
          for (const message of messages) message.nak();
          throw error;
        }
        const failed = { subject, reason: messageOf(error), messages: payloads.length, failures };
        report(() => log.warn(failed, 'batch not stored, retrying'));
        for (const message of messages) message.working();
        await pause(backoff(failures, 500, MAX_RETRY_MS), signal);
      }
    }
    for (const message of messages) message.ack();
  };

  let durable: Durable | undefined;
  return forever(collecting, `batches of ${subject}`, async () => {
    durable = await ensureDurable(
      deps,
      {
        stream: names.stream(event.owner),
        subjects: [names.subject(subject)],
        ackWaitMs: limits.everyMs + STORING_MS,
        maxAckPending: MAX_UNACKNOWLEDGED,
      },
      durable,
    );
    lost.inc({ subject }, await countDroppedUnread(deps, names.stream(event.owner), durable.consumer));
    const messages: JsMsg[] = [];
    try {
      await collect(collecting, durable.consumer, limits, (message) => {
        if (messages.push(message) === 1) held.from(message);
      });
    } finally {
      await storeAll(messages).finally(held.none);
    }
  });
}

/** Hands over what comes until a limit is reached, or the connection breaks. @throws the error of a fetch that fails */
async function collect(
  { signal, disconnected }: Deps,
  consumer: Consumer,
  { maxMessages, maxBytes, everyMs }: BatchLimits,
  take: (message: JsMsg) => void,
): Promise<void> {
  const broken = AbortSignal.any([signal, disconnected()]);
  const end = performance.now() + everyMs;
  let [count, bytes, missing] = [0, 0, 0];
  do {
    missing = Math.min(MAX_FETCHED, maxMessages - count);
    const expires = Math.max(1_000, Math.ceil(end - performance.now()));
    for await (const message of await fetchUntil(broken, consumer, missing, expires)) {
      take(message);
      count += 1;
      bytes += message.data.length;
      missing -= 1;
    }
    // One that was not filled ended because its time is over.
  } while (missing === 0 && count < maxMessages && bytes < maxBytes && performance.now() < end);
}

/** A fetch that also ends with the connection: the client would wait for a server that has forgotten it. */
async function fetchUntil(broken: AbortSignal, consumer: Consumer, max_messages: number, expires: number) {
  const idle_heartbeat = Math.min(HEARTBEAT_MS, expires / 2);
  const pulled = await consumer.fetch({ max_messages, expires, idle_heartbeat });
  const stop = (): void => void pulled.close();
  if (broken.aborted) stop();
  broken.addEventListener('abort', stop, { once: true });
  void pulled.closed().finally(() => broken.removeEventListener('abort', stop));
  return pulled;
}

/** One that cannot be decoded is dropped: its publisher's error, and nobody could replay it. */
function decode<Out>(event: EventType<never, Out>, message: JsMsg): Out[] {
  try {
    return [event.decode(message.data)];
  } catch {
    return [];
  }
}

/** How many messages the stream dropped since the durable delivered the last one. */
async function countDroppedUnread({ jsm }: Deps, stream: string, consumer: Consumer): Promise<number> {
  const [{ state }, { delivered }] = await Promise.all([jsm.streams.info(stream), consumer.info()]);
  return delivered.stream_seq === 0 ? 0 : Math.max(0, state.first_seq - delivered.stream_seq - 1);
}

/** Reports the age of the oldest message that is not acknowledged yet. */
function watchHeld(metrics: Metrics) {
  let publishedAt: number | undefined;
  const help = 'Age of the oldest message of an open batch; 0 without one';
  metrics.gauge('vds_bus_oldest_batched_seconds', help, [], (gauge) =>
    gauge.set(publishedAt === undefined ? 0 : (Date.now() - publishedAt) / 1_000),
  );
  return {
    from: (message: JsMsg): void => void (publishedAt = message.info.timestampNanos / 1e6),
    none: (): void => void (publishedAt = undefined),
  };
}
