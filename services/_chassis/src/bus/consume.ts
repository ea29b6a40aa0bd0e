/** Consuming: pulls from one durable per service and owner, and acknowledges, redelivers or dead-letters each message. */
import { randomInt } from 'node:crypto';
import type { JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { deadLetter, messageKey } from './dead-letters.ts';
import { ensureDurable, type Durable } from './durable.ts';
import { dispatch, groupByOwner, type EventHandler } from './event-handler.ts';
import { forever } from './loop.ts';
import type { BusNames } from './names.ts';
import { decideRedelivery, decideUnhandled, failureOf, failures } from './redelivery.ts';
import { AppError, messageOf } from '../errors.ts';
import { pause, singleFlight } from '../async.ts';
import { createBreaker } from '../breaker.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

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
  /** Shared by all durables of the process: a dependency is unavailable for all of them. */
  readonly paused: ConsumingPause;
};

export type SubscribePolicy = {
  /** Messages handled at a time in this process, per owner consumed. */
  readonly concurrency: number;
  readonly ackWaitMs: number;
  /** How many messages of an owner may be unacknowledged in all processes. */
  readonly maxAckPending: number;
  /** Delay after each defect, at most 30 s; after the last one the message is dead-lettered. */
  readonly retryDelaysMs: readonly number[];
  /** How many dependency failures a message survives while others succeed, at up to 30 s each. */
  readonly dependencyTries: number;
  /** Whether no message is pulled while a dependency is unavailable; false where messages need different ones. */
  readonly pauses: boolean;
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
};

const CHECK_MS = 10_000;
const FIRST_PAUSE_MS = 2_000;
/** Longer than any delay of a redelivery: a message that failed here would have come back. */
const NOTHING_LEFT_MS = 60_000;

export type ConsumingPause = ReturnType<typeof consumingPause>;

/**
 * Keeps a process from pulling while a dependency of its handlers is unavailable, so that messages wait in the stream
 * and cost no try.
 * @param now milliseconds of a monotonic clock
 */
export function consumingPause(log: Logger, metrics: Metrics, now: () => number = () => performance.now()) {
  let failedAt = 0;
  let reason = '';
  const onChange = (isOpen: boolean): void =>
    isOpen ? log.warn({ reason }, 'dependency unavailable: consuming paused') : log.info('consuming resumed');
  const breaker = createBreaker({ firstPauseMs: FIRST_PAUSE_MS, now, onChange });
  const help = '1 while consuming is paused, as a dependency of the handlers is unavailable';
  metrics.gauge('vds_bus_paused', help, [], (gauge) => gauge.set(breaker.isOpen() ? 1 : 0));
  return {
    ...breaker,
    failed: (message: string, isProbe: boolean, error: unknown): void => {
      [failedAt, reason] = [now(), messageOf(error)];
      breaker.failed(message, isProbe);
    },
    /** A probe found no message: after the longest delay, other processes have handled what failed. */
    foundNothing: (): void => {
      if (now() - failedAt > NOTHING_LEFT_MS) breaker.succeeded();
    },
    /** @throws AppError UNAVAILABLE while paused */
    check: async (): Promise<void> => {
      if (breaker.isOpen())
        throw new AppError('UNAVAILABLE', 'consuming is paused: a dependency of the handlers is unavailable');
    },
  };
}

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

/** The durable on an owner's stream, as last seen by this process. */
function followDurable(deps: Deps, owner: string, subjects: readonly string[], policy: SubscribePolicy) {
  const { names } = deps;
  const { ackWaitMs, maxAckPending } = policy;
  const settings = { stream: names.stream(owner), subjects: subjects.map(names.subject), ackWaitMs, maxAckPending };
  let durable: Durable | undefined;
  return {
    ensure: singleFlight(async (): Promise<Durable> => (durable = await ensureDurable(deps, settings, durable))),
    /** Whether too many messages are unacknowledged, so that soon nothing new would be delivered. */
    isSaturated: (): boolean => (durable?.unacknowledged ?? 0) > maxAckPending / 2,
  };
}

async function consumeOwner(consuming: Consuming): Promise<void> {
  const { policy, signal, isUp, durable, paused } = consuming;
  let { consumer } = await durable.ensure();
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  const isOpen = (): boolean => !ended.aborted && isUp();
  const turns = takeTurns(ended);
  const slot = async (): Promise<void> => {
    while (isOpen()) {
      const admitted = policy.pauses ? paused.admit() : 'closed';
      if (typeof admitted === 'number') {
        await pause(Math.min(admitted, 250), ended);
        continue;
      }
      const isProbe = admitted === 'probe';
      // Of random length: otherwise one replica stays first in line and keeps getting returned messages.
      const msg = await turns.ask(() => consumer.next({ expires: randomInt(1_500, 2_500) }), !isProbe);
      if (msg) await consume(consuming, msg, isProbe);
      else if (isProbe) paused.foundNothing();
      if (isProbe) paused.probeEnded();
    }
  };
  const check = async (): Promise<void> => {
    for (;;) {
      await pause(CHECK_MS, ended);
      if (!isOpen()) return;
      ({ consumer } = await durable.ensure());
    }
  };
  // When one ends, all end: otherwise each retry of the loop would add slots.
  const endAll = (): void => ending.abort();
  const parts = [check(), ...Array.from({ length: policy.concurrency }, slot)];
  const results = await Promise.allSettled(parts.map((part) => part.finally(endAll)));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

/**
 * Keeps the promise that an idle service costs next to nothing: while no message comes, one slot asks for it and the
 * others wait; its message wakes them.
 */
function takeTurns(ended: AbortSignal) {
  let asking = 0;
  const waiting: (() => void)[] = [];
  const wakeAll = (): void => waiting.splice(0).forEach((wake) => wake());
  ended.addEventListener('abort', wakeAll, { once: true });
  return {
    /** Asks; without a message it also waits if it may, while another slot is asking. */
    ask: async <T>(next: () => Promise<T | null>, mayWait: boolean): Promise<T | null> => {
      asking += 1;
      const message = await next().finally(() => (asking -= 1));
      if (message) wakeAll();
      else if (mayWait && asking > 0 && !ended.aborted) await new Promise<void>((wake) => void waiting.push(wake));
      return message;
    },
  };
}

/** Handles one message: acknowledges it, schedules a redelivery, or dead-letters it. Never throws. */
async function consume(consuming: Consuming, msg: JsMsg, isProbe: boolean): Promise<void> {
  const { handlers, names, paused, consumed, failed } = consuming;
  const subject = names.bareSubject(msg.subject);
  const handler = handlers.get(subject);
  if (!handler) return returnUnhandled(consuming, msg);
  try {
    const delivery = { id: msg.headers?.get('Nats-Msg-Id') || String(msg.seq), delivery: msg.info.deliveryCount };
    await dispatch(handler, { subject, data: msg.data, headers: msg.headers }, delivery);
    msg.ack();
    failed.forget(messageKey(msg));
    consumed.inc({ subject, outcome: 'done' });
    paused.succeeded();
  } catch (error) {
    await redeliver(consuming, msg, error, isProbe);
  }
}

/** A message of a subject that this version does not consume: another version does, or did. */
function returnUnhandled({ durable, names, consumed, log }: Consuming, msg: JsMsg): void {
  const subject = names.bareSubject(msg.subject);
  const verdict = decideUnhandled(msg.info.deliveryCount, durable.isSaturated());
  consumed.inc({ subject, outcome: verdict.outcome });
  log.debug({ subject, outcome: verdict.outcome }, 'message of a subject that only another version consumes');
  if (verdict.outcome === 'returned') msg.nak(verdict.delayMs);
  else msg.term('no running version consumes this subject');
}

async function redeliver(consuming: Consuming, msg: JsMsg, error: unknown, isProbe: boolean): Promise<void> {
  const { names, paused, consumed, failed, policy, log } = consuming;
  const subject = names.bareSubject(msg.subject);
  const failure = failureOf(error);
  const key = messageKey(msg);
  // During a pause nothing succeeds: the message is not to blame, however long it lasts.
  const count = failed.add(key, failure, paused.isOpen());
  if (policy.pauses && failure === 'dependency') paused.failed(key, isProbe, error);
  // Where messages are pulled while a dependency is unavailable, most of those that wait are not to blame.
  const isSaturated = policy.pauses && consuming.durable.isSaturated();
  const verdict = decideRedelivery(failure, count, isSaturated ? Infinity : failed.waiting(), policy);
  const fields = { err: error, subject, delivery: msg.info.deliveryCount, outcome: verdict.outcome };
  log.warn(fields, 'message handler failed');
  consumed.inc({ subject, outcome: verdict.outcome });
  if (verdict.outcome === 'retried') return msg.nak(verdict.delayMs);
  failed.forget(key);
  try {
    await deadLetter(consuming, msg, error);
  } catch (failureToWrite) {
    log.error({ err: failureToWrite, subject }, 'dead letter not written; message will be redelivered');
    msg.nak(30_000);
  }
}
