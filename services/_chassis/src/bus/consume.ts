/** Consuming: pulls from one durable per service and owner, and acknowledges, redelivers or dead-letters each message. */
import type { Consumer, JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { streamOf } from '@vds/proto/events';
import { deadLetter, messageKey } from './dead-letters.ts';
import { ensureDurable } from './durable.ts';
import { dispatch, groupByOwner, type EventHandler } from './event-handler.ts';
import { forever } from './loop.ts';
import { decideRedelivery, failureOf, failures, returnDelayMs, type DependencyPause } from './redelivery.ts';
import { messageOf } from '../errors.ts';
import { pause } from '../process/async.ts';
import type { Logger } from '../telemetry/log.ts';

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
  /** Shared by all durables of the process: a dependency is away for all of them. */
  readonly dependencies: DependencyPause;
};

export type SubscribePolicy = {
  /** Messages handled at a time in this process, per owner consumed. */
  readonly concurrency: number;
  readonly ackWaitMs: number;
  /** Delay after each failure that no dependency explains, at most 30 s; after the last one the message is dead-lettered. */
  readonly retryDelaysMs: readonly number[];
  /** How many failures of a dependency a message survives while others succeed, at up to 30 s each. */
  readonly dependencyTries: number;
  /** Whether no message is pulled while a dependency is away; false where messages need different ones. */
  readonly pauses: boolean;
  /** How long a subject that no replica consumes any more stays in the durable's filter. */
  readonly subjectAgeMs: number;
};

type Durable = {
  readonly consumer: Consumer;
  /** The filter: what some version wants. */
  readonly subjects: ReadonlySet<string>;
};
type Consuming = Deps & {
  readonly owner: string;
  readonly handlers: ReadonlyMap<string, EventHandler>;
  readonly policy: SubscribePolicy;
  readonly failed: ReturnType<typeof failures>;
};

const defaultPolicy: SubscribePolicy = {
  concurrency: 4,
  ackWaitMs: 10_000,
  retryDelaysMs: [200, 1_000, 5_000, 15_000, ...Array.from({ length: 16 }, () => 30_000)],
  dependencyTries: 2_880, // a day
  pauses: true,
  subjectAgeMs: 3_600_000,
};

/** The durable is compared with this process soon after its start, as versions may have changed it at once, then rarely. */
const FIRST_CHECK_MS = 2_000;
const CHECK_MS = 60_000;

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
  return [...groupByOwner(handlers)].map(([owner, bySubject]) =>
    forever(deps, `consuming ${owner}`, () => consumeOwner({ ...deps, owner, handlers: bySubject, policy, failed })),
  );
}

async function consumeOwner(consuming: Consuming): Promise<void> {
  const { policy, signal, isUp } = consuming;
  let durable: Durable = await ensure(consuming);
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
      const msg = await durable.consumer.next({ expires: 2_000 });
      if (msg) await consume(consuming, durable.subjects, msg);
    }
  };
  const check = async (): Promise<void> => {
    for (let afterMs = FIRST_CHECK_MS; isOpen(); afterMs = CHECK_MS) {
      await pause(afterMs, ended);
      if (isOpen()) durable = await ensure(consuming);
    }
  };
  // When one ends, all end: each retry of the loop would add slots otherwise.
  const endAll = (): void => ending.abort();
  const parts = [check(), ...Array.from({ length: policy.concurrency }, (_, index) => slot(index))];
  const results = await Promise.allSettled(parts.map((part) => part.finally(endAll)));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

function ensure({ owner, handlers, policy, ...deps }: Consuming): Promise<Durable> {
  return ensureDurable(deps, { ...policy, stream: streamOf(owner), subjects: [...handlers.keys()] });
}

/** While a dependency is away, only the first slot tries a message after each pause. */
function waitBeforePull(dependencies: DependencyPause, slot: number): number {
  const leftMs = dependencies.leftMs();
  if (leftMs === undefined) return 0;
  return slot === 0 ? leftMs : Math.max(leftMs, 100);
}

/** Handles one message: acknowledges it, schedules a redelivery, or dead-letters it. Never throws. */
async function consume(consuming: Consuming, wanted: ReadonlySet<string>, msg: JsMsg): Promise<void> {
  const { handlers, dependencies, consumed, failed, log } = consuming;
  const { subject } = msg;
  const handler = handlers.get(subject);
  if (!handler) return returnToOthers(consuming, wanted, msg);
  try {
    const delivery = { id: msg.headers?.get('Nats-Msg-Id') || String(msg.seq), delivery: msg.info.deliveryCount };
    await dispatch(handler, msg, delivery);
    msg.ack();
    failed.forget(messageKey(msg));
    consumed.inc({ subject, outcome: 'done' });
    if (dependencies.succeeded()) log.info('the dependency is back: messages are consumed again');
  } catch (error) {
    await redeliver(consuming, msg, error);
  }
}

/**
 * A message of a subject that this version does not consume: another version does, during a rollout. If none does any
 * more, the message is dropped.
 */
function returnToOthers({ consumed, log }: Consuming, wanted: ReadonlySet<string>, msg: JsMsg): void {
  const { subject } = msg;
  const outcome = wanted.has(subject) ? 'returned' : 'unwanted';
  consumed.inc({ subject, outcome });
  log.debug({ subject, outcome }, 'a message of a subject that only another version consumes');
  if (outcome === 'returned') msg.nak(returnDelayMs(msg.info.deliveryCount));
  else msg.term('no version consumes this subject');
}

async function redeliver(consuming: Consuming, msg: JsMsg, error: unknown): Promise<void> {
  const { dependencies, consumed, failed, policy, log } = consuming;
  const { subject } = msg;
  const failure = failureOf(error);
  const key = messageKey(msg);
  const isPaused = dependencies.leftMs() !== undefined;
  const pauseMs = policy.pauses && failure === 'dependency' ? dependencies.failed(key) : undefined;
  if (pauseMs !== undefined)
    log.warn({ reason: messageOf(error), pause_ms: pauseMs }, 'a dependency is away: consuming pauses');
  // During a pause nothing succeeds anyway: the message is not to blame, however long it lasts.
  const count = failed.add(key, failure, isPaused);
  const verdict = decideRedelivery(failure, count, failed.waiting(), policy);
  const fields = { err: error, subject, delivery: msg.info.deliveryCount, outcome: verdict.outcome };
  log.warn(fields, 'a message could not be handled');
  consumed.inc({ subject, outcome: verdict.outcome });
  if (verdict.outcome === 'retried') return msg.nak(verdict.delayMs);
  failed.forget(key);
  await deadLetter(consuming, msg, error).catch((failureToWrite: unknown) => {
    log.error({ err: failureToWrite, subject }, 'a message could not be dead-lettered; it will be redelivered');
    msg.nak(30_000);
  });
}
