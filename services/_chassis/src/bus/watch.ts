/** Watching: an ordered consumer that belongs to this replica alone. */
import { DeliverPolicy, type ConsumerMessages, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { dispatch, type EventHandler } from './event-handler.ts';
import { forever } from './loop.ts';
import type { BusNames } from './names.ts';
import type { Logger } from '../telemetry/log.ts';

type Deps = {
  readonly names: BusNames;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly isUp: () => boolean;
  /** Aborts when the current connection breaks. */
  readonly disconnected: () => AbortSignal;
};

/**
 * One loop per event, starting now. Each consumer has one subject: NATS checks permissions against the subject in the
 * request's name, which consumers of several lack. Messages published while this replica is disconnected arrive later, as long as the
 * stream keeps them. A handler that fails is logged; there is no second delivery.
 */
export function startWatching(deps: Deps, handlers: readonly EventHandler[]): Promise<void>[] {
  const { names } = deps;
  return handlers.map((handler) => {
    const { owner, subject } = handler;
    let next: number | undefined;
    return forever(deps, `watching ${subject}`, async () => {
      next = await startingSequence(deps, names.stream(owner), next);
      const consumer = await deps.js.consumers.get(names.stream(owner), {
        filter_subjects: names.subject(subject),
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: next,
      });
      const messages = await consumer.consume({ expires: 5_000, idle_heartbeat: 1_000 });
      void stopWhenLost(messages);
      const stop = (): void => messages.stop();
      // After a disconnect the stream may be an older copy: the position is checked again.
      const ended = AbortSignal.any([deps.signal, deps.disconnected()]);
      ended.addEventListener('abort', stop, { once: true });
      if (ended.aborted) stop(); // aborted before the listener was added
      try {
        for await (const msg of messages) {
          const delivery = { id: msg.headers?.get('Nats-Msg-Id') || String(msg.seq), delivery: 1 };
          await dispatch(handler, { subject, data: msg.data, headers: msg.headers }, delivery).catch((error: unknown) =>
            deps.log.warn({ err: error, subject }, 'watched message not handled'),
          );
          next = msg.seq + 1;
        }
      } finally {
        ended.removeEventListener('abort', stop);
      }
    });
  });
}

/** After the last consumed message, else now. A recreated or rolled back stream is read from its start. */
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
