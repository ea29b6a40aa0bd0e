/** One row of the event table, with the codec of its message. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader';
import type { EventMessages } from './generated/event-messages.ts';
import { loaderOptions } from './loader-options.ts';

/** `batches`: as `durable`, but a consumer acknowledges many messages at once, when it has stored them. */
export type Delivery = 'durable' | 'watch' | 'batches';
type Consumers = Readonly<Record<string, Delivery>>;

export type EventType<In, Out> = {
  readonly subject: string;
  /** Full protobuf name of the message. */
  readonly message: string;
  readonly owner: string;
  readonly kind: 'fact' | 'request';
  readonly consumers: Consumers;
  readonly encode: (payload: In) => Uint8Array;
  readonly decode: (data: Uint8Array) => Out;
};

/** Full protobuf name of an event's message. */
export type MessageName = keyof EventMessages;
/** The row of an event with this message. */
export type EventOf<M extends MessageName> = EventType<EventMessages[M]['in'], EventMessages[M]['out']>;

const folder = fileURLToPath(new URL('.', import.meta.url));
const definitions = loadSync(globSync('vds/*/v1/*_events.proto', { cwd: folder }).toSorted(), loaderOptions);

/** A request of catalog for a stage. */
export function request<M extends MessageName>(subject: string, message: M, consumer: string): EventOf<M> {
  return event(subject, message, 'request', { [consumer]: 'durable' });
}

/** An event that only catalog consumes. */
export function fact<M extends MessageName>(subject: string, message: M): EventOf<M> {
  return event(subject, message, 'fact', { catalog: 'durable' });
}

/** @throws Error if no contract has the message */
export function event<M extends MessageName>(
  subject: string,
  message: M,
  kind: 'fact' | 'request',
  consumers: Consumers,
): EventOf<M> {
  if (!definitions[message]) throw new Error(`${subject}: no *_events.proto has the message ${message}`);
  const type = definitions[message] as unknown as MessageTypeDefinition<
    EventMessages[M]['in'],
    EventMessages[M]['out']
  >;
  return {
    subject,
    message,
    owner: subject.slice(0, subject.indexOf('.')),
    kind,
    consumers,
    encode: type.serialize,
    decode: (data) => type.deserialize(Buffer.from(data)),
  };
}
