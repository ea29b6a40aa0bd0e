/**
 * Dead letters: messages that a service has given up on, kept for 30 days in its stream `DEAD_<SERVICE>`. A message
 * with the same content replaces its predecessor, so that a repeated request that is always rejected is one dead
 * letter.
 */
import { createHash } from 'node:crypto';
import type { JetStreamClient, JetStreamManager, JsMsg, StoredMsg } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { dispatch, type EventHandler } from './event-handler.ts';
import type { BusNames } from './names.ts';
import type { StreamSettings } from './streams.ts';
import { AppError, messageOf, notFound } from '../errors.ts';

type Deps = {
  readonly service: string;
  readonly names: BusNames;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
};

export type DeadLetter = {
  /** Sequence in the stream of dead letters. */
  readonly sequence: number;
  /** The event's subject. */
  readonly subject: string;
  readonly reason: string;
  /** The publisher's message id. */
  readonly messageId: string;
  /** When it was dead-lettered. */
  readonly at: Date;
  readonly data: Uint8Array;
};

export type DeadLetters = ReturnType<typeof deadLetters>;

const RETENTION_MS = 30 * 86_400_000;

export function deadLetterStream(service: string, names: BusNames): StreamSettings {
  return {
    name: names.deadStream(service),
    kind: 'dead_letters',
    subjects: [names.subject(`dead.${service}.>`)],
    maxAgeMs: RETENTION_MS,
    maxMessagesPerSubject: 1,
  };
}

/** Publishes the message as a dead letter with the reason, and ends its delivery. */
export async function deadLetter({ service, names, js }: Deps, msg: JsMsg, error: unknown): Promise<void> {
  const reason = headers();
  const traceparent = msg.headers?.get('traceparent');
  if (traceparent) reason.set('traceparent', traceparent);
  reason.set('Dead-Reason', messageOf(error).replaceAll(/[\r\n]/g, ' '));
  reason.set('Dead-Message-Id', msg.headers?.get('Nats-Msg-Id') ?? '');
  const digest = createHash('sha256').update(msg.data).digest('hex').slice(0, 16);
  const msgID = `dead-${service}-${messageKey(msg)}`;
  const subject = names.subject(`dead.${service}.${names.bareSubject(msg.subject)}.${digest}`);
  await js.publish(subject, msg.data, { msgID, headers: reason });
  msg.term();
}

/** Identifies a message; a recreated stream uses its sequences again. */
export function messageKey({ info }: JsMsg): string {
  return `${info.stream}-${info.streamSequence}-${info.timestampNanos}`;
}

/** Reads the service's dead letters, and handles them again with the given handlers. */
export function deadLetters({ service, names, jsm }: Deps, handlers: () => readonly EventHandler[]) {
  const stream = names.deadStream(service);
  const toDeadLetter = deadLetterReader(service, names);
  const find = (query: { seq: number; next_by_subj?: string }): Promise<StoredMsg | null> =>
    jsm.streams.getMessage(stream, query).catch((cause: unknown) => {
      throw new AppError('UNAVAILABLE', `the dead letters of ${service} cannot be read: ${messageOf(cause)}`, {
        cause,
      });
    });
  const get = async (sequence: number): Promise<StoredMsg> => {
    const found = await find({ seq: sequence });
    if (!found) throw notFound(`dead letter ${sequence} of ${service}`);
    return found;
  };

  return {
    /**
     * Oldest first.
     * @param after sequence of the last one of the previous page; 0: from the start
     */
    list: async (after: number, limit: number): Promise<DeadLetter[]> => {
      const found: DeadLetter[] = [];
      for (let at = after; found.length < limit;) {
        const message = await find({ seq: at + 1, next_by_subj: names.subject(`dead.${service}.>`) });
        if (!message) break;
        found.push(toDeadLetter(message));
        at = message.seq;
      }
      return found;
    },
    /** @throws AppError NOT_FOUND */
    get: async (sequence: number): Promise<DeadLetter> => toDeadLetter(await get(sequence)),
    /**
     * Handles a dead letter in this process and removes it. Only this service handles it: the other consumers of the
     * event had their own delivery, and only the event's owner may publish it again.
     * @throws AppError NOT_FOUND, FAILED_PRECONDITION if the handler fails again or this version has none
     */
    replay: async (sequence: number): Promise<DeadLetter> => {
      const message = await get(sequence);
      const letter = toDeadLetter(message);
      const { subject, data, messageId } = letter;
      const handler = handlers().find((one) => one.subject === subject);
      if (!handler)
        throw new AppError('FAILED_PRECONDITION', `this version of ${service} has no handler for ${subject}`);
      const delivery = { id: messageId, delivery: 1 };
      await dispatch(handler, { subject, data, headers: message.header }, delivery).catch((cause: unknown) => {
        throw new AppError('FAILED_PRECONDITION', `the message fails again: ${messageOf(cause)}`, { cause });
      });
      await jsm.streams.deleteMessage(stream, sequence, false);
      return letter;
    },
  };
}

function deadLetterReader(service: string, names: BusNames): (message: StoredMsg) => DeadLetter {
  return ({ seq, subject, data, header, time }) => {
    const bare = names.bareSubject(subject);
    return {
      sequence: seq,
      subject: bare.slice(`dead.${service}.`.length, bare.lastIndexOf('.')),
      reason: header.get('Dead-Reason'),
      messageId: header.get('Dead-Message-Id') || String(seq),
      at: time,
      data,
    };
  };
}
