/** Pull slots on one durable a service and stream; what cannot be handled is asked for again, then buried. */
import { AckPolicy, DeliverPolicy, type Consumer, type JsMsg } from '@nats-io/jetstream';
import { headers, nanos } from '@nats-io/transport-node';
import { forever, group, listen, type Ear, type Link } from './handlers.ts';
import { deadStreamOf, streamOf } from './names.ts';
import { AppError, isPermanent, messageOf } from '../errors.ts';
import { pause } from '../process/pause.ts';

export type SubscribePolicy = {
  /** Messages handled at a time in this process, per owner heard. */
  readonly concurrency: number;
  readonly ackWaitMs: number;
  /** Wait before each further delivery; when they are spent the message is buried. */
  readonly retryDelaysMs: readonly number[];
};

const defaultPolicy: SubscribePolicy = {
  concurrency: 4,
  ackWaitMs: 10_000,
  retryDelaysMs: [200, 1_000, 5_000, 15_000, 60_000, 120_000, 300_000, 300_000, 300_000, 300_000],
};

/** One loop an owner: makes the durable when it is not there, then pulls into its slots. */
export function startConsuming(
  link: Link,
  ears: readonly Ear[],
  given: Partial<SubscribePolicy> = {},
): Promise<void>[] {
  const policy = { ...defaultPolicy, ...given };
  // A series that begins with its first 1 shows no increase: the first letter would alarm nobody.
  for (const { subject } of ears) link.heard.inc({ subject, outcome: 'buried' }, 0);
  return [...group(ears)].map(([owner, bySubject]) =>
    forever(link, `hearing ${owner}`, async () => {
      const consumer = await durable(link, owner, [...bySubject.keys()], policy);
      let broken = false;
      const slot = async (): Promise<void> => {
        while (!link.signal.aborted && !broken) {
          if (!link.isUp()) {
            // A pull that is asked for now would be sent after the reconnect, when nobody waits for its message any more.
            await pause(100, link.signal);
            continue;
          }
          const msg = await consumer.next({ expires: 2_000 });
          if (msg) await take(link, bySubject, msg, policy);
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

async function durable(link: Link, owner: string, subjects: string[], policy: SubscribePolicy): Promise<Consumer> {
  const stream = streamOf(owner);
  const config = {
    filter_subjects: subjects,
    ack_wait: nanos(policy.ackWaitMs),
    max_ack_pending: 1_000,
  };
  try {
    await link.jsm.consumers.info(stream, link.service);
    await link.jsm.consumers.update(stream, link.service, config);
  } catch (error) {
    if (!/consumer not found/i.test(messageOf(error))) throw error;
    await link.jsm.consumers.add(stream, {
      ...config,
      durable_name: link.service,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
  }
  return link.js.consumers.get(stream, link.service);
}

/** Hears one message to its end: acknowledged, asked for again later, or buried. Never throws. */
async function take(link: Link, ears: Map<string, Ear>, msg: JsMsg, policy: SubscribePolicy): Promise<void> {
  const { subject } = msg;
  try {
    const ear = ears.get(subject);
    if (!ear) throw new AppError('INVALID_ARGUMENT', `${link.service} has no handler for ${subject}`);
    await listen(ear, msg);
    msg.ack();
    link.heard.inc({ subject, outcome: 'done' });
  } catch (error) {
    const delay = policy.retryDelaysMs[msg.info.deliveryCount - 1];
    const last = isPermanent(error) || delay === undefined;
    link.log.warn({ err: error, subject, delivery: msg.info.deliveryCount, last }, 'a message could not be handled');
    link.heard.inc({ subject, outcome: last ? 'buried' : 'retried' });
    if (!last) return msg.nak(delay);
    await bury(link, msg, error).catch((failure: unknown) => {
      link.log.error({ err: failure, subject }, 'a message could not be buried; it will come again');
      msg.nak(30_000);
    });
  }
}

async function bury(link: Link, msg: JsMsg, error: unknown): Promise<void> {
  await link.ensureStream(deadStreamOf(link.service), `dead.${link.service}.>`, 30 * 86_400_000);
  const letter = headers();
  const traceparent = msg.headers?.get('traceparent');
  if (traceparent) letter.set('traceparent', traceparent);
  letter.set('Dead-Reason', messageOf(error).replaceAll(/[\r\n]/g, ' '));
  const msgID = `dead-${link.service}-${msg.info.stream}-${msg.seq}`;
  await link.js.publish(`dead.${link.service}.${msg.subject}`, msg.data, { msgID, headers: letter });
  msg.term();
}
