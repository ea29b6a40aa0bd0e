/**
 * An ordered consumer of this replica alone: every message from its first start on. What is said while the replica is
 * cut off it hears afterwards, as long as the stream keeps it.
 */
import { DeliverPolicy, type ConsumerMessages } from '@nats-io/jetstream';
import { forever, group, listen, type Ear, type Link } from './handlers.ts';
import { streamOf } from './names.ts';

/** One loop an owner: an ordered consumer from now on. A failing handler is logged; there is no second delivery. */
export function startWatching(link: Link, ears: readonly Ear[]): Promise<void>[] {
  return [...group(ears)].map(([owner, bySubject]) => {
    let next: number | undefined;
    return forever(link, `watching ${owner}`, async () => {
      next = await placeIn(link, streamOf(owner), next);
      const consumer = await link.js.consumers.get(streamOf(owner), {
        filter_subjects: [...bySubject.keys()],
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: next,
      });
      const messages = await consumer.consume({ expires: 5_000, idle_heartbeat: 1_000 });
      void endWhenLost(messages);
      const stop = (): void => messages.stop();
      link.signal.addEventListener('abort', stop, { once: true });
      if (link.signal.aborted) stop(); // meanwhile: nobody will be told of it any more
      try {
        for await (const msg of messages) {
          const ear = bySubject.get(msg.subject);
          await (ear && listen(ear, msg))?.catch((error: unknown) =>
            link.log.warn({ err: error, subject: msg.subject }, 'a watched message failed'),
          );
          next = msg.seq + 1;
        }
      } finally {
        link.signal.removeEventListener('abort', stop);
      }
    });
  });
}

/**
 * Where to hear from: after what was heard last, else from now on. A stream that was made anew counts from 1 again; it is
 * heard whole.
 */
async function placeIn({ jsm }: Link, stream: string, next: number | undefined): Promise<number> {
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
