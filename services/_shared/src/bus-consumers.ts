/** How messages are taken from JetStream: pull slots on a durable, or an ordered consumer of this replica alone. */
import {
  AckPolicy,
  DeliverPolicy,
  type Consumer,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { headers, nanos } from '@nats-io/transport-node';
import type { EventType } from '@vds/proto/events';
import { AppError, isPermanent, messageOf } from './errors.ts';
import { withLogFacts, type Logger } from './log.ts';
import { pause } from './pause.ts';
import { deadStreamOf, streamOf } from './bus-names.ts';
import { inTrace } from './telemetry.ts';

export type Delivery = {
  /** The publisher's message id. */
  readonly id: string;
  /** 1 for the first delivery. */
  readonly delivery: number;
};

/** An event and what is done on hearing it, with the payload's type closed over. */
export type Ear = {
  readonly subject: string;
  readonly owner: string;
  readonly hear: (data: Uint8Array, delivery: Delivery) => Promise<void>;
};

/** Binds a handler to an event. A payload that cannot be decoded is the sender's fault and is buried. */
export const hear = <Out>(
  event: EventType<never, Out>,
  handle: (payload: Out, delivery: Delivery) => Promise<void>,
): Ear => ({
  subject: event.subject,
  owner: event.owner,
  hear: async (data, delivery) => {
    let payload: Out;
    try {
      payload = event.decode(data);
    } catch (cause) {
      throw new AppError('INVALID_ARGUMENT', `cannot decode ${event.subject}`, { cause });
    }
    await handle(payload, delivery);
  },
});

export type SubscribePolicy = {
  /** Messages handled at a time in this process, per owner heard. */
  readonly concurrency: number;
  readonly ackWaitMs: number;
  /** Wait before each further delivery; when they are spent the message is buried. */
  readonly retryDelaysMs: readonly number[];
};

const defaultPolicy: SubscribePolicy = {
  concurrency: 4,
  ackWaitMs: 30_000,
  retryDelaysMs: [200, 1_000, 5_000, 15_000, 60_000, 120_000, 300_000, 300_000, 300_000, 300_000],
};

/** Counts messages heard, by subject and what came of them. */
export type HeardCounter = { readonly inc: (labels: { subject: string; outcome: string }) => void };

export type Link = {
  readonly service: string;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly log: Logger;
  readonly heard: HeardCounter;
  readonly signal: AbortSignal;
  readonly ensureStream: (name: string, subject: string, maxAgeMs: number) => Promise<boolean>;
  readonly publishRaw: (
    subject: string,
    payload: Uint8Array,
    messageId: string,
    traceparent?: string | null,
  ) => Promise<void>;
};

const group = (ears: readonly Ear[]): Map<string, Map<string, Ear>> => {
  const owners = new Map<string, Map<string, Ear>>();
  for (const ear of ears) {
    const subjects = owners.get(ear.owner) ?? new Map<string, Ear>();
    if (subjects.has(ear.subject)) throw new Error(`${ear.subject} has two handlers`);
    owners.set(ear.owner, subjects.set(ear.subject, ear));
  }
  return owners;
};

/** Runs the ear inside the sender's trace. */
const listen = (ear: Ear, msg: JsMsg): Promise<void> =>
  inTrace(msg.headers?.get('traceparent'), `hear ${msg.subject}`, { 'messaging.destination.name': msg.subject }, () =>
    withLogFacts({ subject: msg.subject }, () =>
      ear.hear(msg.data, { id: msg.headers?.get('Nats-Msg-Id') || String(msg.seq), delivery: msg.info.deliveryCount }),
    ),
  );

const bury = async (link: Link, msg: JsMsg, error: unknown): Promise<void> => {
  await link.ensureStream(deadStreamOf(link.service), `dead.${link.service}.>`, 30 * 86_400_000);
  const letter = headers();
  const traceparent = msg.headers?.get('traceparent');
  if (traceparent) letter.set('traceparent', traceparent);
  letter.set('Dead-Reason', messageOf(error).replaceAll(/[\r\n]/g, ' '));
  const msgID = `dead-${link.service}-${msg.info.stream}-${msg.seq}`;
  await link.js.publish(`dead.${link.service}.${msg.subject}`, msg.data, { msgID, headers: letter });
  msg.term();
};

/** Hears one message to its end: acknowledged, asked for again later, or buried. Never throws. */
const take = async (link: Link, ears: Map<string, Ear>, msg: JsMsg, policy: SubscribePolicy): Promise<void> => {
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
};

const durable = async (link: Link, owner: string, subjects: string[], policy: SubscribePolicy): Promise<Consumer> => {
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
};

/** Does `work` again and again until the process stops; what it throws is logged once a minute at most. */
const forever = async (link: Link, what: string, work: () => Promise<void>): Promise<void> => {
  let quietUntil = 0;
  while (!link.signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (link.signal.aborted) return;
      if (Date.now() > quietUntil) link.log.info({ reason: messageOf(error) }, `${what}: trying again`);
      quietUntil = Date.now() + 60_000;
      await pause(500, link.signal);
    }
  }
};

/** One loop an owner: makes the durable when it is not there, then pulls into its slots. */
export const startConsuming = (
  link: Link,
  ears: readonly Ear[],
  given: Partial<SubscribePolicy> = {},
): Promise<void>[] => {
  const policy = { ...defaultPolicy, ...given };
  return [...group(ears)].map(([owner, bySubject]) =>
    forever(link, `hearing ${owner}`, async () => {
      const consumer = await durable(link, owner, [...bySubject.keys()], policy);
      const slot = async (): Promise<void> => {
        while (!link.signal.aborted) {
          const msg = await consumer.next({ expires: 2_000 });
          if (msg) await take(link, bySubject, msg, policy);
        }
      };
      await Promise.all(Array.from({ length: policy.concurrency }, slot));
    }),
  );
};

/** One loop an owner: an ordered consumer from now on. A failing handler is logged; there is no second delivery. */
export const startWatching = (link: Link, ears: readonly Ear[]): Promise<void>[] =>
  [...group(ears)].map(([owner, bySubject]) =>
    forever(link, `watching ${owner}`, async () => {
      const consumer = await link.js.consumers.get(streamOf(owner), {
        filter_subjects: [...bySubject.keys()],
        deliver_policy: DeliverPolicy.New,
      });
      const messages = await consumer.consume();
      const stop = (): void => messages.stop();
      link.signal.addEventListener('abort', stop, { once: true });
      try {
        for await (const msg of messages) {
          const ear = bySubject.get(msg.subject);
          await (ear && listen(ear, msg))?.catch((error: unknown) =>
            link.log.warn({ err: error, subject: msg.subject }, 'a watched message failed'),
          );
        }
      } finally {
        link.signal.removeEventListener('abort', stop);
      }
    }),
  );
