/**
 * Consuming in batches: many messages are stored by one write and acknowledged after it. A batch that cannot be stored
 * is tried until it is, or comes back to any replica when its time to be acknowledged is over.
 */
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { EventType } from '@vds/proto/events';
import { ensureDurable, type Durable } from './durable.ts';
import { forever } from './loop.ts';
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
};

export type BatchLimits = {
  readonly maxMessages: number;
  /** Of the encoded messages. */
  readonly maxBytes: number;
  /** How long the first message of a batch waits for others. */
  readonly everyMs: number;
};

export type Batch<Out> = {
  readonly payloads: readonly Out[];
  /** When the stream was created, in milliseconds: its sequences begin again with it. */
  readonly streamCreatedMs: number;
  /** Of the first and the last message, in the stream. */
  readonly firstSequence: number;
  readonly lastSequence: number;
};

export type BatchConsumer<Out> = {
  readonly event: EventType<never, Out>;
  readonly limits: BatchLimits;
  /** Stores the batch; it may come again, whole or in another division. Aborts with `signal`. */
  readonly store: (batch: Batch<Out>, signal: AbortSignal) => Promise<void>;
};

/** How many messages may be unacknowledged in all replicas. */
const MAX_UNACKNOWLEDGED = 50_000;
/** Beyond the time in which a batch is filled: for storing it, and trying again. */
const STORING_MS = 30_000;
const PULL_MS = 1_000;
const CHECK_MS = 10_000;

/** One batch at a time, in order, until the process stops or `signal` aborts. */
export function startBatches<Out>(deps: Deps, { event, limits, store }: BatchConsumer<Out>): Promise<void> {
  const { metrics, log, signal, isUp, names } = deps;
  const held = watchHeld(metrics);
  const stored = metrics.counter('vds_bus_batched_total', 'Messages consumed in batches', ['subject', 'outcome']);
  const lost = metrics.counter('vds_bus_batches_lost_total', 'Messages that a full stream dropped unread', ['subject']);
  const { subject } = event;
  lost.inc({ subject }, 0);
  const ended = (outcome: string, count: number): void => stored.inc({ subject, outcome }, count);

  const storeAll = async (messages: readonly JsMsg[], streamCreatedMs: number): Promise<void> => {
    const payloads = messages.flatMap((message) => decode(event, message, () => ended('rejected', 1)));
    const [first, last] = [messages[0], messages.at(-1)];
    if (!first || !last) return;
    const batch = { payloads, streamCreatedMs, firstSequence: first.seq, lastSequence: last.seq };
    for (let failures = 1; payloads.length > 0; failures += 1) {
      try {
        await store(batch, signal);
        break;
      } catch (error) {
        if (signal.aborted || !isUp()) throw error;
        log.warn({ subject, reason: messageOf(error), messages: payloads.length }, 'batch not stored, retrying');
        for (const message of messages) message.working();
        await pause(backoff(failures, 500, 15_000), signal);
      }
    }
    for (const message of messages) message.ack();
    ended('stored', payloads.length);
  };

  let durable: Durable | undefined;
  return forever(deps, `batches of ${subject}`, async () => {
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
    const checkAt = performance.now() + CHECK_MS;
    const stream = await inspectStream(deps, names.stream(event.owner), durable.consumer);
    lost.inc({ subject }, stream.droppedUnread);
    while (isUp() && !signal.aborted && performance.now() < checkAt) {
      const messages = await fill(durable.consumer, limits, signal, held.from);
      try {
        await storeAll(messages, stream.createdMs);
      } finally {
        held.none();
      }
    }
  });
}

/** Pulls until a limit is reached; none where nothing came. */
async function fill(
  consumer: Consumer,
  { maxMessages, maxBytes, everyMs }: BatchLimits,
  signal: AbortSignal,
  onFirst: (message: JsMsg) => void,
): Promise<JsMsg[]> {
  const messages: JsMsg[] = [];
  let bytes = 0;
  let end = Infinity;
  while (messages.length < maxMessages && bytes < maxBytes && performance.now() < end && !signal.aborted) {
    const expires = Math.max(1_000, Math.min(PULL_MS, Math.ceil(end - performance.now())));
    const pulled = await consumer.fetch({ max_messages: Math.min(2_000, maxMessages - messages.length), expires });
    for await (const message of pulled) {
      if (messages.length === 0) {
        end = performance.now() + everyMs;
        onFirst(message);
      }
      messages.push(message);
      bytes += message.data.length;
    }
    if (messages.length === 0) break;
  }
  return messages;
}

/** One that cannot be decoded is dropped: its publisher's error, and nobody could replay it. */
function decode<Out>(event: EventType<never, Out>, message: JsMsg, onRejected: () => void): Out[] {
  try {
    return [event.decode(message.data)];
  } catch {
    onRejected();
    return [];
  }
}

/** When the stream was created, and how many messages it dropped since the durable delivered the last one. */
async function inspectStream({ jsm }: Deps, stream: string, consumer: Consumer) {
  const [{ state, created }, { delivered }] = await Promise.all([jsm.streams.info(stream), consumer.info()]);
  const droppedUnread = delivered.stream_seq === 0 ? 0 : Math.max(0, state.first_seq - delivered.stream_seq - 1);
  return { createdMs: Date.parse(created), droppedUnread };
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
