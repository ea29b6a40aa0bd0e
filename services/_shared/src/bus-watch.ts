/** An ordered consumer of this replica alone: every message from now on; what was missed is missed. */
import { DeliverPolicy, type ConsumerMessages } from '@nats-io/jetstream';
import { forever, group, listen, type Ear, type Link } from './bus-ears.ts';
import { streamOf } from './bus-names.ts';

/** A stream that was wiped answers nothing any more: after some missed heartbeats the consumer is made anew. */
const endWhenLost = async (messages: ConsumerMessages): Promise<void> => {
  for await (const notification of messages.status()) {
    if (notification.type === 'heartbeats_missed' && notification.count >= 2) messages.stop();
  }
};

/** One loop an owner: an ordered consumer from now on. A failing handler is logged; there is no second delivery. */
export const startWatching = (link: Link, ears: readonly Ear[]): Promise<void>[] =>
  [...group(ears)].map(([owner, bySubject]) =>
    forever(link, `watching ${owner}`, async () => {
      const consumer = await link.js.consumers.get(streamOf(owner), {
        filter_subjects: [...bySubject.keys()],
        deliver_policy: DeliverPolicy.New,
      });
      const messages = await consumer.consume({ expires: 5_000, idle_heartbeat: 1_000 });
      void endWhenLost(messages);
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
