/** Consuming: pulls from one durable per service and owner, and acknowledges, redelivers or dead-letters each message. */
import type { JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { deadLetter, messageKey } from './dead-letters.ts';
import { ensureDurable, type Durable } from './durable.ts';
import { dispatch, groupByOwner, type EventHandler } from './event-handler.ts';
import { forever } from './loop.ts';
import type { BusNames } from './names.ts';
import type { PoisonMessages } from './poison.ts';
import { decideRedelivery, decideUnhandled, failureOf, failures, type DependencyPause } from './redelivery.ts';
import { messageOf } from '../errors.ts';
import { pause, singleFlight } from '../process/async.ts';
import type { Logger } from '../telemetry/log.ts';

type Deps = {
  readonly service: string;
  readonly names: BusNames;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly log: Logger;
  /** Counts consumed messages by subject and outcome. */
  readonly consumed: { readonly inc: (labels: { subject: string; outcome: string }, count?: number) => void };
  readonly signal: AbortSignal;
  /** False while disconnected. */
  readonly isUp: () => boolean;
  /** Shared by all durables of the process: a dependency is away for all of them. */
  readonly dependencies: DependencyPause;
  readonly poison: PoisonMessages;
};

export type SubscribePolicy = {
  /** Messages handled at a time in this process, per owner consumed. */
  readonly concurrency: number;
  readonly ackWaitMs: number;
  /** How many messages of an owner may be unacknowledged in all processes. */
  readonly maxAckPending: number;
  /** Delay after each failure that no dependency explains, at most 30 s; after the last one the message is dead-lettered. */
  readonly retryDelaysMs: readonly number[];
  /** How many failures of a dependency a message survives while others succeed, at up to 30 s each. */
  readonly dependencyTries: number;
  /** Whether no message is pulled while a dependency is away; false where messages need different ones. */
  readonly pauses: boolean;
  /** How long a subject that no replica consumes any more stays in the durable's filter. */
  readonly subjectAgeMs: number;
  /**
   * Runs when messages of an owner's stream may have been lost, and when there is no durable yet: asks the owner for what
   * matters. Repeated until it succeeds; nothing of the owner is consumed before.
   */
  readonly onLoss: (owner: string) => Promise<void>;
};

type Consuming = Deps & {
  readonly durable: ReturnType<typeof followDurable>;
  readonly handlers: ReadonlyMap<string, EventHandler>;
  readonly policy: SubscribePolicy;
  readonly failed: ReturnType<typeof failures>;
};

const defaultPolicy: SubscribePolicy = {
  concurrency: 4,
  ackWaitMs: 10_000,
  maxAckPending: 10_000,
  retryDelaysMs: [200, 1_000, 5_000, 15_000, ...Array.from({ length: 16 }, () => 30_000)],
  dependencyTries: 2_880, // a day
  pauses: true,
  subjectAgeMs: 3_600_000,
  onLoss: async () => {},
};

/** The durable is looked at soon again after a change, as versions may have changed it at once. */
const AFTER_CHANGE_MS = 2_000;
const CHECK_MS = 10_000;

/** One loop per owner: ensures the durable, then pulls into `concurrency` slots until the connection breaks. */
export function startConsuming(
  deps: Deps,
  handlers: readonly EventHandler[],
  overrides: Partial<SubscribePolicy> = {},
): Promise<void>[] {
  const policy = { ...defaultPolicy, ...overrides };
  const failed = failures();
  // Initialised to 0, or increase() misses the first dead letter.
  for (const { subject } of handlers) deps.consumed.inc({ subject, outcome: 'dead_lettered' }, 0);
  return [...groupByOwner(handlers)].map(([owner, bySubject]) => {
    const durable = followDurable(deps, owner, [...bySubject.keys()], policy);
    const consuming = { ...deps, durable, handlers: bySubject, policy, failed };
    return forever(deps, `consuming ${owner}`, () => consumeOwner(consuming));
  });
}

/** The durable on an owner's stream, as this process saw it last. */
function followDurable(deps: Deps, owner: string, subjects: readonly string[], policy: SubscribePolicy) {
  const { names } = deps;
  const found = { stream: names.stream(owner), subjects: subjects.map(names.subject) };
  const settings = { ...policy, ...found, onLoss: () => policy.onLoss(owner) };
  let durable: Durable | undefined;
  const ensure = singleFlight(async (): Promise<Durable> => (durable = await ensureDurable(deps, settings, durable)));
  return {
    ensure: () => ensure(),
    /** Whether so many messages are unacknowledged that soon nothing new would be delivered. */
    isSaturated: (): boolean => (durable?.unacknowledged ?? 0) > policy.maxAckPending / 2,
    /** Whether some version wants the subject. Another one may have added it since the last look. */
    wants: async (subject: string): Promise<boolean> => {
      const wanted = names.subject(subject);
      return (durable !== undefined && wanted in durable.wanted) || wanted in (await ensure()).wanted;
    },
  };
}

async function consumeOwner(consuming: Consuming): Promise<void> {
  const { policy, signal, isUp, durable } = consuming;
  let { consumer } = await durable.ensure();
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  const isOpen = (): boolean => !ended.aborted && isUp();
  const slot = async (index: number): Promise<void> => {
    while (isOpen()) {
      const waitMs = waitBeforePull(consuming.dependencies, index);
      if (waitMs > 0) {
        await pause(waitMs, ended);
        continue;
      }
      const msg = await consumer.next({ expires: 2_000 });
      if (msg) await consume(consuming, msg);
    }
  };
  const check = async (): Promise<void> => {
    for (let afterMs = AFTER_CHANGE_MS; isOpen();) {
      await pause(afterMs, ended);
      if (!isOpen()) return;
      const found = await durable.ensure();
      consumer = found.consumer;
      afterMs = found.changed ? AFTER_CHANGE_MS : CHECK_MS;
    }
  };
  // When one ends, all end: each retry of the loop would add slots otherwise.
  const endAll = (): void => ending.abort();
  const parts = [check(), ...Array.from({ length: policy.concurrency }, (_, index) => slot(index))];
  const results = await Promise.allSettled(parts.map((part) => part.finally(endAll)));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

/** While a dependency is away, only the first slot tries a message after each pause. */
function waitBeforePull(dependencies: DependencyPause, slot: number): number {
  const leftMs = dependencies.leftMs();
  if (leftMs === undefined) return 0;
  return slot === 0 ? leftMs : Math.max(leftMs, 100);
}

/** Handles one message: acknowledges it, schedules a redelivery, or dead-letters it. Never throws. */
async function consume(consuming: Consuming, msg: JsMsg): Promise<void> {
  const { handlers, names, dependencies, consumed, failed, poison, log } = consuming;
  const subject = names.bareSubject(msg.subject);
  const handler = handlers.get(subject);
  if (!handler) return returnUnhandled(consuming, msg);
  try {
    const delivery = { id: msg.headers?.get('Nats-Msg-Id') || String(msg.seq), delivery: msg.info.deliveryCount };
    await dispatch(handler, { subject, data: msg.data, headers: msg.headers }, delivery);
    msg.ack();
    failed.forget(messageKey(msg));
    poison.forget(msg);
    consumed.inc({ subject, outcome: 'done' });
    if (dependencies.succeeded()) log.info('the dependency is back: messages are consumed again');
  } catch (error) {
    await redeliver(consuming, msg, error);
  }
}

/**
 * A message of a subject that this version does not consume: another version does, during a rollout. If none does any
 * more, or none runs while messages pile up, the message is dropped.
 */
async function returnUnhandled({ durable, names, consumed, log }: Consuming, msg: JsMsg): Promise<void> {
  const subject = names.bareSubject(msg.subject);
  // Where the durable cannot be looked at, the message waits: only what is known to be unwanted is dropped.
  const isWanted = await durable.wants(subject).catch(() => true);
  const verdict = decideUnhandled(msg.info.deliveryCount, durable.isSaturated());
  const outcome = isWanted ? verdict.outcome : 'unwanted';
  consumed.inc({ subject, outcome });
  log.debug({ subject, outcome }, 'a message of a subject that only another version consumes');
  if (isWanted && verdict.outcome === 'returned') msg.nak(verdict.delayMs);
  else msg.term('no version consumes this subject');
}

async function redeliver(consuming: Consuming, msg: JsMsg, error: unknown): Promise<void> {
  const { names, dependencies, consumed, failed, poison, policy, log } = consuming;
  const subject = names.bareSubject(msg.subject);
  const failure = failureOf(error);
  const key = messageKey(msg);
  const isPaused = dependencies.leftMs() !== undefined;
  const pauseMs = policy.pauses && failure === 'dependency' ? dependencies.failed(key) : undefined;
  if (pauseMs !== undefined)
    log.warn({ reason: messageOf(error), pause_ms: pauseMs }, 'a dependency is away: consuming pauses');
  // During a pause nothing succeeds anyway: the message is not to blame, however long it lasts.
  const count = failed.add(key, failure, isPaused);
  poison.failed(msg, count.defects);
  // Where messages are pulled while a dependency is away, most of those that wait are not to blame.
  const isSaturated = policy.pauses && consuming.durable.isSaturated();
  const verdict = decideRedelivery(failure, count, isSaturated ? Infinity : failed.waiting(), policy);
  const fields = { err: error, subject, delivery: msg.info.deliveryCount, outcome: verdict.outcome };
  log.warn(fields, 'a message could not be handled');
  consumed.inc({ subject, outcome: verdict.outcome });
  if (verdict.outcome === 'retried') return msg.nak(verdict.delayMs);
  failed.forget(key);
  try {
    await deadLetter(consuming, msg, error);
    poison.forget(msg);
  } catch (failureToWrite) {
    log.error({ err: failureToWrite, subject }, 'a message could not be dead-lettered; it will be redelivered');
    msg.nak(30_000);
  }
}
