/**
 * Consumes events: `startConsuming` pulls from one durable per service and stream, `startWatching` reads an ordered
 * consumer that belongs to this replica alone.
 */
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  type Consumer,
  type ConsumerMessages,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { headers, nanos } from '@nats-io/transport-node';
import { deadStreamOf, streamOf, type EventType } from '@vds/proto/events';
import { isMissing } from './streams.ts';
import { AppError, isPermanent, messageOf } from '../errors.ts';
import { pause } from '../process/async.ts';
import { withLogFields, type Logger } from '../telemetry/log.ts';
import { inTrace } from '../telemetry/telemetry.ts';

type Delivery = {
  /** The publisher's message id. */
  readonly id: string;
  /** 1 for the first delivery. */
  readonly delivery: number;
};

/** An event and the function that handles it, with the payload's type closed over. */
export type EventHandler = {
  readonly subject: string;
  readonly owner: string;
  readonly handle: (data: Uint8Array, delivery: Delivery) => Promise<void>;
};

type Deps = {
  readonly service: string;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly log: Logger;
  /** Counts consumed messages by subject and outcome. */
  readonly consumed: { readonly inc: (labels: { subject: string; outcome: string }, count?: number) => void };
  readonly signal: AbortSignal;
  /** False while disconnected. */
  readonly isUp: () => boolean;
  readonly ensureStream: (name: string, subject: string, maxAgeMs: number) => Promise<boolean>;
};

export type SubscribePolicy = {
  /** Messages handled at a time in this process, per owner consumed. */
  readonly concurrency: number;
  readonly ackWaitMs: number;
  /** Delay before each redelivery; after the last one the message is dead-lettered. */
  readonly retryDelaysMs: readonly number[];
};

const defaultPolicy: SubscribePolicy = {
  concurrency: 4,
  ackWaitMs: 10_000,
  retryDelaysMs: [200, 1_000, 5_000, 15_000, 60_000, 120_000, 300_000, 300_000, 300_000, 300_000],
};

/** Binds a handler to an event. A payload that cannot be decoded is the publisher's error and is dead-lettered. */
export function on<Out>(
  event: EventType<never, Out>,
  handle: (payload: Out, delivery: Delivery) => Promise<void>,
): EventHandler {
  return {
    subject: event.subject,
    owner: event.owner,
    handle: async (data, delivery) => {
      let payload: Out;
      try {
        payload = event.decode(data);
      } catch (cause) {
        throw new AppError('INVALID_ARGUMENT', `cannot decode ${event.subject}`, { cause });
      }
      await handle(payload, delivery);
    },
  };
}

/** One loop per owner: creates the durable if it does not exist, then pulls into `concurrency` slots. */
export function startConsuming(
  deps: Deps,
  handlers: readonly EventHandler[],
  overrides: Partial<SubscribePolicy> = {},
): Promise<void>[] {
  const policy = { ...defaultPolicy, ...overrides };
  // Initialised to 0, or increase() misses the first dead letter.
  for (const { subject } of handlers) deps.consumed.inc({ subject, outcome: 'dead_lettered' }, 0);
  return [...groupByOwner(handlers)].map(([owner, bySubject]) =>
    forever(deps, `consuming ${owner}`, async () => {
      const consumer = await ensureDurable(deps, owner, [...bySubject.keys()], policy);
      let failed = false;
      const slot = async (): Promise<void> => {
        while (!deps.signal.aborted && !failed) {
          if (!deps.isUp()) {
            // A pull request made now would be sent after the reconnect, when it has already expired.
            await pause(100, deps.signal);
            continue;
          }
          const msg = await consumer.next({ expires: 2_000 });
          if (msg) await consume(deps, bySubject, msg, policy);
        }
      };
      const stopAll = (error: unknown): never => {
        failed = true; // the other slots end too, or each retry of the loop would add slots to them
        throw error;
      };
      const slots = Array.from({ length: policy.concurrency }, () => slot().catch(stopAll));
      const failure = (await Promise.allSettled(slots)).find((result) => result.status === 'rejected');
      if (failure) throw failure.reason;
    }),
  );
}

/** Handlers by owner, then by subject. */
function groupByOwner(handlers: readonly EventHandler[]): Map<string, Map<string, EventHandler>> {
  const owners = new Map<string, Map<string, EventHandler>>();
  for (const handler of handlers) {
    const subjects = owners.get(handler.owner) ?? new Map<string, EventHandler>();
    if (subjects.has(handler.subject)) throw new Error(`${handler.subject} has two handlers`);
    owners.set(handler.owner, subjects.set(handler.subject, handler));
  }
  return owners;
}

/** Repeats `work` until the process stops; its errors are logged at most once a minute. */
async function forever(deps: Deps, what: string, work: () => Promise<void>): Promise<void> {
  let quietUntil = 0;
  while (!deps.signal.aborted) {
    if (!deps.isUp()) {
      await pause(100, deps.signal); // a request sent now would only time out
      continue;
    }
    try {
      await work();
    } catch (error) {
      if (deps.signal.aborted) return;
      if (Date.now() > quietUntil) deps.log.info({ reason: messageOf(error) }, `${what}: retrying`);
      quietUntil = Date.now() + 60_000;
      await pause(500, deps.signal);
    }
  }
}

async function ensureDurable(
  deps: Deps,
  owner: string,
  subjects: string[],
  policy: SubscribePolicy,
): Promise<Consumer> {
  const stream = streamOf(owner);
  const config = { filter_subjects: subjects, ack_wait: nanos(policy.ackWaitMs), max_ack_pending: 1_000 };
  try {
    await deps.jsm.consumers.info(stream, deps.service);
    await deps.jsm.consumers.update(stream, deps.service, config);
  } catch (error) {
    if (!isMissing(error, JetStreamApiCodes.ConsumerNotFound)) throw error;
    await deps.jsm.consumers.add(stream, {
      ...config,
      durable_name: deps.service,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
  }
  return deps.js.consumers.get(stream, deps.service);
}

/** Handles one message: acknowledges it, schedules a redelivery, or dead-letters it. Never throws. */
async function consume(
  deps: Deps,
  handlers: Map<string, EventHandler>,
  msg: JsMsg,
  policy: SubscribePolicy,
): Promise<void> {
  const { subject } = msg;
  try {
    const handler = handlers.get(subject);
    if (!handler) throw new AppError('INVALID_ARGUMENT', `${deps.service} has no handler for ${subject}`);
    await dispatch(handler, msg);
    msg.ack();
    deps.consumed.inc({ subject, outcome: 'done' });
  } catch (error) {
    const delay = policy.retryDelaysMs[msg.info.deliveryCount - 1];
    const last = isPermanent(error) || delay === undefined;
    deps.log.warn({ err: error, subject, delivery: msg.info.deliveryCount, last }, 'a message could not be handled');
    deps.consumed.inc({ subject, outcome: last ? 'dead_lettered' : 'retried' });
    if (!last) return msg.nak(delay);
    await deadLetter(deps, msg, error).catch((failure: unknown) => {
      deps.log.error({ err: failure, subject }, 'a message could not be dead-lettered; it will be redelivered');
      msg.nak(30_000);
    });
  }
}

/** Runs the handler inside the publisher's trace. */
function dispatch(handler: EventHandler, msg: JsMsg): Promise<void> {
  const { subject } = msg;
  const delivery = { id: msg.headers?.get('Nats-Msg-Id') || String(msg.seq), delivery: msg.info.deliveryCount };
  return inTrace(msg.headers?.get('traceparent'), `consume ${subject}`, { 'messaging.destination.name': subject }, () =>
    withLogFields({ subject }, () => handler.handle(msg.data, delivery)),
  );
}

async function deadLetter(deps: Deps, msg: JsMsg, error: unknown): Promise<void> {
  await deps.ensureStream(deadStreamOf(deps.service), `dead.${deps.service}.>`, 30 * 86_400_000);
  const reason = headers();
  const traceparent = msg.headers?.get('traceparent');
  if (traceparent) reason.set('traceparent', traceparent);
  reason.set('Dead-Reason', messageOf(error).replaceAll(/[\r\n]/g, ' '));
  const msgID = `dead-${deps.service}-${msg.info.stream}-${msg.seq}`;
  await deps.js.publish(`dead.${deps.service}.${msg.subject}`, msg.data, { msgID, headers: reason });
  msg.term();
}

/**
 * One loop per owner, starting now. Messages published while this replica is disconnected arrive later, as long as the
 * stream keeps them. A handler that fails is logged; there is no second delivery.
 */
export function startWatching(deps: Deps, handlers: readonly EventHandler[]): Promise<void>[] {
  return [...groupByOwner(handlers)].map(([owner, bySubject]) => {
    let next: number | undefined;
    return forever(deps, `watching ${owner}`, async () => {
      next = await startingSequence(deps, streamOf(owner), next);
      const consumer = await deps.js.consumers.get(streamOf(owner), {
        filter_subjects: [...bySubject.keys()],
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: next,
      });
      const messages = await consumer.consume({ expires: 5_000, idle_heartbeat: 1_000 });
      void stopWhenLost(messages);
      const stop = (): void => messages.stop();
      deps.signal.addEventListener('abort', stop, { once: true });
      if (deps.signal.aborted) stop(); // aborted before the listener was added
      try {
        for await (const msg of messages) {
          const handler = bySubject.get(msg.subject);
          await (handler && dispatch(handler, msg))?.catch((error: unknown) =>
            deps.log.warn({ err: error, subject: msg.subject }, 'a watched message could not be handled'),
          );
          next = msg.seq + 1;
        }
      } finally {
        deps.signal.removeEventListener('abort', stop);
      }
    });
  });
}

/** After the last consumed message, else now. A recreated stream counts from 1 again and is read from its start. */
async function startingSequence({ jsm }: Deps, stream: string, next: number | undefined): Promise<number> {
  const { last_seq: last } = (await jsm.streams.info(stream)).state;
  if (next === undefined) return last + 1;
  return next > last + 1 ? 1 : next;
}

/** A wiped stream sends nothing at all: after missed heartbeats the consumer is created again. */
async function stopWhenLost(messages: ConsumerMessages): Promise<void> {
  for await (const notification of messages.status()) {
    if (notification.type === 'heartbeats_missed' && notification.count >= 2) messages.stop();
  }
}
