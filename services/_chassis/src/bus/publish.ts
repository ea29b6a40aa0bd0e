/** Publishing: a message is out once JetStream has stored it. */
import { JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import { errors, headers, PermissionViolationError } from '@nats-io/transport-node';
import type { Connection } from './connection.ts';
import type { BusNames } from './names.ts';
import { AppError, messageOf, type ErrorCode } from '../errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export type Publish = (
  subject: string,
  payload: Uint8Array,
  messageId: string,
  traceparent?: string | null,
) => Promise<Stored>;

/** The place of a message in its stream. */
export type Stored = {
  readonly sequence: number;
  /** Whether the stream had this message before. */
  readonly duplicate: boolean;
};

type Deps = { readonly connection: Connection; readonly metrics: Metrics; readonly names: BusNames };

/** JetStream's error code for a message larger than its stream or account permits (JSStreamMessageExceedsMaximumErr). */
const MESSAGE_TOO_LARGE = 10_054;

/**
 * Publishes bytes; resolves once JetStream has stored them. Rejects with UNAVAILABLE where a retry may succeed, and with
 * INVALID_ARGUMENT or PERMISSION_DENIED where the message itself is refused.
 */
export function publisher(js: JetStreamClient, { connection, metrics, names }: Deps): Publish {
  const published = metrics.counter('vds_bus_published_total', 'Messages published', ['subject']);
  return async (subject, payload, messageId, traceparent) => {
    if (!connection.isUp()) throw new AppError('UNAVAILABLE', `cannot publish ${subject}: not connected to NATS`);
    const extra = headers();
    if (traceparent) extra.set('traceparent', traceparent);
    try {
      const { seq, duplicate } = await connection.whileConnected(
        js.publish(names.subject(subject), payload, { msgID: messageId, headers: extra, timeout: 5_000 }),
      );
      published.inc({ subject });
      return { sequence: seq, duplicate };
    } catch (cause) {
      throw new AppError(publishErrorCode(cause), `cannot publish ${subject}: ${messageOf(cause)}`, { cause });
    }
  };
}

function publishErrorCode(error: unknown): ErrorCode {
  if (error instanceof PermissionViolationError) return 'PERMISSION_DENIED';
  // The client's own check of the server's maximum, and of the subject.
  if (error instanceof errors.InvalidArgumentError) return 'INVALID_ARGUMENT';
  if (error instanceof JetStreamApiError && error.code === MESSAGE_TOO_LARGE) return 'INVALID_ARGUMENT';
  return 'UNAVAILABLE';
}
