/**
 * Messages that keep failing in this process through no dependency's fault (poison messages). They stay unacknowledged
 * between their retries, for minutes, until they succeed or are dead-lettered.
 */
import type { JsMsg } from '@nats-io/jetstream';

/** By then a message has failed for some seconds; a row that was busy, or an object that came late, is handled sooner. */
const POISON_AFTER_DEFECTS = 4;
/** Longer than the pauses between several retries: other processes take some of them, and may have handled the message. */
const FORGOTTEN_AFTER_MS = 120_000;

type Message = { readonly info: Pick<JsMsg['info'], 'stream' | 'streamSequence'> };
type Range = { readonly after: number; readonly upTo: number };
export type PoisonMessages = ReturnType<typeof poisonMessages>;

/** @param now milliseconds of a clock that does not leap */
export function poisonMessages(now: () => number = () => performance.now()) {
  const failedAt = new Map<string, Map<number, number>>();
  return {
    /** @param defects how often the message has failed here, failures of dependencies left out */
    failed: ({ info: { stream, streamSequence } }: Message, defects: number): void => {
      if (defects < POISON_AFTER_DEFECTS) return;
      const ofStream = failedAt.get(stream) ?? new Map<number, number>();
      failedAt.set(stream, ofStream.set(streamSequence, now()));
    },
    /** Called once it has been handled or dead-lettered here. */
    forget: ({ info: { stream, streamSequence } }: Message): void => void failedAt.get(stream)?.delete(streamSequence),
    /** How many of the stream have sequences in the range. */
    count: (stream: string, { after, upTo }: Range): number => {
      const ofStream = failedAt.get(stream) ?? new Map<number, number>();
      for (const [sequence, at] of ofStream)
        if (sequence <= after || now() - at >= FORGOTTEN_AFTER_MS) ofStream.delete(sequence);
      return [...ofStream.keys()].filter((sequence) => sequence <= upTo).length;
    },
  };
}
