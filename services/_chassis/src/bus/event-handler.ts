/** Event handlers, and their call inside the publisher's trace. */
import type { MsgHdrs } from '@nats-io/transport-node';
import type { EventType } from '@vds/proto/events';
import { AppError } from '../errors.ts';
import { withLogFields } from '../telemetry/log.ts';
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

/** Common to messages and dead letters. */
type Message = {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
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
export function dispatch(
  handler: EventHandler,
  { subject, data, headers }: Message,
  delivery: Delivery,
): Promise<void> {
  return inTrace(headers?.get('traceparent'), `consume ${subject}`, { 'messaging.destination.name': subject }, () =>
    withLogFields({ subject }, () => handler.handle(data, delivery)),
  );
}
