/**
 * Whether a service has consumed what lay in the streams that it subscribes to: decisions on time wait for that, or they
 * would be taken although the event that makes them needless has already been published.
 *
 * A poison message is not waited for. That it lies in the stream is known, and so is that handling it fails: what it says
 * will not be known for minutes, if ever, and until it is dead-lettered it would hold up the decisions on every video.
 * Decided without it, one video becomes ready before what the message says of it is attached. All others are waited for,
 * those between two retries as well: a message that has just failed for the first time, or because the database was away,
 * is handled as soon as it comes back, and may be the one that makes a decision needless.
 */
import { JetStreamApiCodes, type JetStreamManager } from '@nats-io/jetstream';
import type { BusNames } from './names.ts';
import type { PoisonMessages } from './poison.ts';
import { isMissing } from './streams.ts';

type Deps = {
  readonly service: string;
  readonly names: BusNames;
  readonly jsm: Pick<JetStreamManager, 'consumers'>;
  /** False while disconnected. */
  readonly isUp: () => boolean;
  readonly poison: Pick<PoisonMessages, 'count'>;
};
type Sequence = { readonly stream_seq: number };
/** What JetStream reports of a consumer. */
type Consumed = {
  readonly num_pending: number;
  readonly num_ack_pending: number;
  readonly delivered: Sequence;
  readonly ack_floor: Sequence;
};
/** `mark` is the sequence up to which everything must be acknowledged before the consumer counts as caught up. */
export type Backlog = { readonly caughtUp: boolean; readonly mark: number | undefined };

/**
 * The backlog of one durable after another look at it. It has caught up when nothing is left to consume but poison
 * messages; or, where messages keep coming, when all that had been published at an earlier look is acknowledged.
 * @param poison how many of the unacknowledged messages are poison
 */
export function nextBacklog(before: Backlog | undefined, consumed: Consumed, poison = 0): Backlog {
  const { num_pending: undelivered, num_ack_pending: unacknowledged, delivered, ack_floor: acknowledged } = consumed;
  const isEmpty = undelivered === 0 && unacknowledged <= poison;
  // A stream that was made anew counts from 1 again.
  const mark = before?.mark !== undefined && before.mark <= delivered.stream_seq ? before.mark : undefined;
  const isPassed = mark !== undefined && acknowledged.stream_seq >= mark;
  if (mark !== undefined && !isPassed && !isEmpty) return { caughtUp: false, mark };
  if (undelivered > 0) return { caughtUp: false, mark: undefined };
  return { caughtUp: isEmpty || isPassed, mark: delivered.stream_seq };
}

/** Follows the durables of a service on the streams of `owners`. Where an owner has no stream, nothing lies in it. */
export function openBacklog({ service, names, jsm, isUp, poison }: Deps, owners: readonly string[]) {
  let backlogs: readonly Backlog[] = [];
  const look = async (owner: string, before: Backlog | undefined): Promise<Backlog> => {
    const stream = names.stream(owner);
    try {
      const info = await jsm.consumers.info(stream, service);
      // What is acknowledged is poison no more, whoever has handled it; a stream made anew uses its sequences again.
      const range = { after: info.ack_floor.stream_seq, upTo: info.delivered.stream_seq };
      return nextBacklog(before, info, poison.count(stream, range));
    } catch (error) {
      if (isMissing(error, JetStreamApiCodes.StreamNotFound)) return { caughtUp: true, mark: undefined };
      throw error;
    }
  };
  return {
    /** As of the last check. */
    caughtUp: (): boolean => isUp() && backlogs.length > 0 && backlogs.every(({ caughtUp }) => caughtUp),
    /** @throws while a durable cannot be read; nothing counts as caught up then */
    check: async (): Promise<void> => {
      const before = backlogs;
      try {
        backlogs = await Promise.all(owners.map((owner, index) => look(owner, before[index])));
      } catch (error) {
        backlogs = [];
        throw error;
      }
    },
  };
}
