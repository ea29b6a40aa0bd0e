/**
 * An ordered consumer of this replica alone: every message from its first start on. What is published while the replica
 * is cut off arrives afterwards, as long as the stream keeps it.
 */
import { DeliverPolicy, type ConsumerMessages } from '@nats-io/jetstream';
import { forever, groupByOwner, dispatch, type EventHandler, type Deps } from './handlers.ts';
import { streamOf } from './names.ts';

/** One loop an owner: an ordered consumer from now on. A failing handler is logged; there is no second delivery. */
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
      void endWhenLost(messages);
      const stop = (): void => messages.stop();
      deps.signal.addEventListener('abort', stop, { once: true });
      if (deps.signal.aborted) stop(); // aborted meanwhile, before the listener was there
      try {
        for await (const msg of messages) {
          const handler = bySubject.get(msg.subject);
          await (handler && dispatch(handler, msg))?.catch((error: unknown) =>
            deps.log.warn({ err: error, subject: msg.subject }, 'a watched message failed'),
          );
          next = msg.seq + 1;
        }
      } finally {
        deps.signal.removeEventListener('abort', stop);
      }
    });
  });
}

/**
 * Where to start: after what was consumed last, else from now on. A stream that was made anew counts from 1 again; it is
 * consumed whole.
 */
async function startingSequence({ jsm }: Deps, stream: string, next: number | undefined): Promise<number> {
  const { last_seq: last } = (await jsm.streams.info(stream)).state;
  if (next === undefined) return last + 1;
  return next > last + 1 ? 1 : next;
}

/** A stream that was wiped answers nothing any more: after some missed heartbeats the consumer is made anew. */
async function endWhenLost(messages: ConsumerMessages): Promise<void> {
  for await (const notification of messages.status()) {
    if (notification.type === 'heartbeats_missed' && notification.count >= 2) messages.stop();
  }
}
