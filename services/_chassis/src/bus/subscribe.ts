/** Pulls from one durable per service and stream; what cannot be handled is redelivered later, then dead-lettered. */
import { AckPolicy, DeliverPolicy, JetStreamApiCodes, type Consumer, type JsMsg } from '@nats-io/jetstream';
import { headers, nanos } from '@nats-io/transport-node';
import { forever, groupByOwner, dispatch, type EventHandler, type Deps } from './handlers.ts';
import { deadStreamOf, streamOf } from './names.ts';
import { isMissing } from './streams.ts';
import { AppError, isPermanent, messageOf } from '../errors.ts';
import { pause } from '../process/pause.ts';

export type SubscribePolicy = {
  /** Messages handled at a time in this process, per owner consumed. */
  readonly concurrency: number;
  readonly ackWaitMs: number;
  /** Wait before each further delivery; when they are spent the message is dead-lettered. */
  readonly retryDelaysMs: readonly number[];
};

const defaultPolicy: SubscribePolicy = {
  concurrency: 4,
  ackWaitMs: 10_000,
  retryDelaysMs: [200, 1_000, 5_000, 15_000, 60_000, 120_000, 300_000, 300_000, 300_000, 300_000],
};

/** One loop an owner: makes the durable when it is not there, then pulls into its slots. */
export function startConsuming(
  deps: Deps,
  handlers: readonly EventHandler[],
  given: Partial<SubscribePolicy> = {},
): Promise<void>[] {
  const policy = { ...defaultPolicy, ...given };
  // Initialised to 0, or increase() misses the first dead letter.
  for (const { subject } of handlers) deps.consumed.inc({ subject, outcome: 'dead_lettered' }, 0);
  return [...groupByOwner(handlers)].map(([owner, bySubject]) =>
    forever(deps, `consuming ${owner}`, async () => {
      const consumer = await durable(deps, owner, [...bySubject.keys()], policy);
      let broken = false;
      const slot = async (): Promise<void> => {
        while (!deps.signal.aborted && !broken) {
          if (!deps.isUp()) {
            // A pull that is asked for now would be sent after the reconnect, when nobody waits for its message any more.
            await pause(100, deps.signal);
            continue;
          }
          const msg = await consumer.next({ expires: 2_000 });
          if (msg) await consume(deps, bySubject, msg, policy);
        }
      };
      const orStopAll = (error: unknown): never => {
        broken = true; // the others end too, or each new try would add slots to theirs
        throw error;
      };
      const slots = Array.from({ length: policy.concurrency }, () => slot().catch(orStopAll));
      const results = await Promise.allSettled(slots);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    }),
  );
}

async function durable(deps: Deps, owner: string, subjects: string[], policy: SubscribePolicy): Promise<Consumer> {
  const stream = streamOf(owner);
  const config = {
    filter_subjects: subjects,
    ack_wait: nanos(policy.ackWaitMs),
    max_ack_pending: 1_000,
  };
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

/** Consumes one message: acknowledges it, asks for a later redelivery, or dead-letters it. Never throws. */
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
      deps.log.error({ err: failure, subject }, 'a message could not be dead-lettered; it will come again');
      msg.nak(30_000);
    });
  }
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
