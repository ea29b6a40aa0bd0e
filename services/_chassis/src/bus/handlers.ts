/** Event handlers: an event bound to a function that runs inside the publisher's trace; for `subscribe` and `watch` alike. */
import type { JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { EventType } from '@vds/proto/events';
import { AppError, messageOf } from '../errors.ts';
import { withLogFacts, type Logger } from '../telemetry/log.ts';
import { pause } from '../process/pause.ts';
import { inTrace } from '../telemetry/telemetry.ts';

export type Delivery = {
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

/** Counts consumed messages by subject and outcome. */
export type ConsumedCounter = { readonly inc: (labels: { subject: string; outcome: string }, count?: number) => void };

export type Deps = {
  readonly service: string;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly log: Logger;
  readonly consumed: ConsumedCounter;
  readonly signal: AbortSignal;
  /** False while there is no connection. */
  readonly isUp: () => boolean;
  readonly ensureStream: (name: string, subject: string, maxAgeMs: number) => Promise<boolean>;
  readonly publishRaw: (
    subject: string,
    payload: Uint8Array,
    messageId: string,
    traceparent?: string | null,
  ) => Promise<void>;
};

/** Handlers by owner, then by subject. */
export function groupByOwner(handlers: readonly EventHandler[]): Map<string, Map<string, EventHandler>> {
  const owners = new Map<string, Map<string, EventHandler>>();
  for (const handler of handlers) {
    const subjects = owners.get(handler.owner) ?? new Map<string, EventHandler>();
    if (subjects.has(handler.subject)) throw new Error(`${handler.subject} has two handlers`);
    owners.set(handler.owner, subjects.set(handler.subject, handler));
  }
  return owners;
}

/** Runs the handler inside the publisher's trace. */
export function dispatch(handler: EventHandler, msg: JsMsg): Promise<void> {
  return inTrace(
    msg.headers?.get('traceparent'),
    `consume ${msg.subject}`,
    { 'messaging.destination.name': msg.subject },
    () =>
      withLogFacts({ subject: msg.subject }, () =>
        handler.handle(msg.data, {
          id: msg.headers?.get('Nats-Msg-Id') || String(msg.seq),
          delivery: msg.info.deliveryCount,
        }),
      ),
  );
}

/** Binds a handler to an event. A payload that cannot be decoded is the sender's fault and is dead-lettered. */
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

/** Does `work` again and again until the process stops; what it throws is logged once a minute at most. */
export async function forever(deps: Deps, what: string, work: () => Promise<void>): Promise<void> {
  let quietUntil = 0;
  while (!deps.signal.aborted) {
    if (!deps.isUp()) {
      await pause(100, deps.signal); // a request that is sent now would only run into its time limit
      continue;
    }
    try {
      await work();
    } catch (error) {
      if (deps.signal.aborted) return;
      if (Date.now() > quietUntil) deps.log.info({ reason: messageOf(error) }, `${what}: trying again`);
      quietUntil = Date.now() + 60_000;
      await pause(500, deps.signal);
    }
  }
}
