/** One row of the event table, and constructors for the common kinds of rows. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader';
import type { StageFailed, StageFailedOut } from './generated/vds/common/v1/StageFailed.ts';
import type { StageProgressed, StageProgressedOut } from './generated/vds/common/v1/StageProgressed.ts';
import type { StageStarted, StageStartedOut } from './generated/vds/common/v1/StageStarted.ts';
import type { VideoPurged, VideoPurgedOut } from './generated/vds/common/v1/VideoPurged.ts';
import { loaderOptions } from './loader-options.ts';

/** `batches`: as `durable`, but a consumer acknowledges many messages at once, when it has stored them. */
export type Delivery = 'durable' | 'watch' | 'batches';
type Consumers = Readonly<Record<string, Delivery>>;

/** One row of the table, with the codec of its message. */
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

const folder = fileURLToPath(new URL('.', import.meta.url));
const definitions = loadSync(globSync('vds/*/v1/*_events.proto', { cwd: folder }).toSorted(), loaderOptions);

/** A request of catalog to one service for a stage. */
export function request<In, Out>(subject: string, message: string, consumer: string): EventType<In, Out> {
  return event(subject, message, 'request', { [consumer]: 'durable' });
}

export function event<In, Out>(
  subject: string,
  message: string,
  kind: 'fact' | 'request',
  consumers: Consumers,
): EventType<In, Out> {
  const type = definitions[message] as unknown as MessageTypeDefinition<In, Out>;
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

/** The same for every stage. */
export function started(subject: string) {
  return fact<StageStarted, StageStartedOut>(subject, 'vds.common.v1.StageStarted');
}

/** An event that only catalog consumes. */
export function fact<In, Out>(subject: string, message: string): EventType<In, Out> {
  return event(subject, message, 'fact', { catalog: 'durable' });
}

export function progressed(subject: string) {
  return fact<StageProgressed, StageProgressedOut>(subject, 'vds.common.v1.StageProgressed');
}

export function failed(subject: string) {
  return fact<StageFailed, StageFailedOut>(subject, 'vds.common.v1.StageFailed');
}

export function purged(subject: string) {
  return fact<VideoPurged, VideoPurgedOut>(subject, 'vds.common.v1.VideoPurged');
}
