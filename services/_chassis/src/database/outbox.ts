/**
 * The transactional outbox: a message is a row written in the same transaction as the change it announces, and a relay
 * publishes it. Delivery is at least once; JetStream drops duplicates by message id within its window. What JetStream loses
 * afterwards is published again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType } from '@vds/proto/events';
import { withTransaction, type Executor, type Pool } from './database.ts';
import { AppError, messageOf } from '../errors.ts';
import type { Bus } from '../bus/bus.ts';
import type { Stored } from '../bus/publish.ts';
import { failpoint } from '../failpoint/failpoint.ts';
import { backoff, singleFlight } from '../async.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { currentTraceparent } from '../telemetry/telemetry.ts';
import { unpublishBeyond, unpublishOverwritten } from './lost-messages.ts';

/** A message to be published. */
export type Outgoing = {
  readonly subject: string;
  readonly messageId: string;
  readonly payload: Buffer;
  readonly traceparent: string | null;
  /** Not published again when JetStream loses it: its sender repeats it, or something newer replaces it. */
  readonly transient?: true;
};

type Row = {
  id: number;
  subject: string;
  message_id: string;
  payload: Buffer;
  traceparent: string | null;
  /** The highest sequence recorded so far, of any message. */
  newest: number | null;
};

type RelayOptions = {
  readonly pool: Pool;
  readonly bus: Pick<Bus, 'publishRaw' | 'connections' | 'streamEnd'>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly batch?: number;
  /** How soon the relay polls for rows that another process wrote; while it finds none, twice as long each time. */
  readonly pollMs?: number;
};

/** The longest time between two polls: 100 idle replicas poll 20 times a second in all. */
const MAX_POLL_MS = 5_000;
/** Consumers whose durable is ahead of the stream see it before the stream has grown again. */
const LOSS_SEEN_MS = 2_000;

// Only what NATS refused waits.
const claimSql = `SELECT id, subject, message_id, payload, traceparent,
    (SELECT max(stream_sequence)::float8 FROM chassis.outbox WHERE published_at IS NOT NULL AND stream_created = $2) AS newest
  FROM chassis.outbox WHERE published_at IS NULL AND (refusals = 0 OR run_after <= now())
  ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`;

const publishedSql = `WITH stored AS (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS list (row, sequence)),
  removed AS (DELETE FROM chassis.outbox USING stored WHERE id = row AND transient)
  UPDATE chassis.outbox SET published_at = now(), stream_created = $3, stream_sequence = sequence
  FROM stored WHERE id = row AND NOT transient`;

// 10 s, doubled each time.
const setAsideSql = `UPDATE chassis.outbox SET refusals = refusals + 1,
  run_after = now() + LEAST(640, 10 * 2 ^ LEAST(refusals, 20)) * interval '1 second' WHERE id = ANY($1)`;

const backlogSql = `SELECT count(*) FILTER (WHERE refusals = 0) AS rows, count(*) FILTER (WHERE refusals > 0) AS refused,
  coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE refusals = 0)), 0)::float8 AS age
  FROM chassis.outbox WHERE published_at IS NULL`;

/** `messageId` identifies the cause, so that a repeated cause yields a duplicate that is dropped. */
export function outgoing<In>(event: EventType<In, unknown>, payload: In, messageId: string): Outgoing {
  return {
    subject: event.subject,
    messageId,
    payload: Buffer.from(event.encode(payload)),
    traceparent: currentTraceparent() ?? null,
  };
}

/** Inserts messages in the caller's transaction. Wake the relay after the commit. */
export async function addToOutbox(client: Executor, rows: readonly Outgoing[]): Promise<void> {
  if (rows.length === 0) return;
  const values: unknown[] = [];
  await client.query(outboxFragment(rows, values), values);
}

/**
 * The insert as a fragment for a caller's own statement, for example inside a CTE.
 * @param values the statement's values so far; the fragment appends its own
 * @param when name of another CTE of the statement: nothing is inserted where that one yields no row
 * @returns SQL without a trailing semicolon
 */
export function outboxFragment(rows: readonly Outgoing[], values: unknown[], when?: string): string {
  const tuples = rows.map((row) => {
    const last = values.push(row.subject, row.messageId, row.payload, row.traceparent, row.transient ?? false);
    return `($${last - 4}, $${last - 3}, $${last - 2}::bytea, $${last - 1}, $${last}::boolean)`;
  });
  const table = `VALUES ${tuples.join(', ')}`;
  const source = when === undefined ? table : `SELECT * FROM (${table}) AS outgoing WHERE EXISTS (SELECT FROM ${when})`;
  return `INSERT INTO chassis.outbox (subject, message_id, payload, traceparent, transient) ${source}`;
}

/** Starts the relay. `notify` publishes at once what the caller has just committed. */
export function startRelay(options: RelayOptions) {
  const { pool, log, metrics, batch = 200, pollMs = 250 } = options;
  let stopped = false;
  let notified = Promise.withResolvers<void>();
  const stream = trackStream(options);
  exportBacklog(pool, metrics);

  const loop = async (): Promise<void> => {
    let failures = 0;
    let idlePolls = 0;
    while (!stopped) {
      notified = Promise.withResolvers<void>();
      let more = false;
      try {
        const { taken, isProgress, lost, isFirst } = await relayBatch(options, batch, await stream.find());
        if (lost > 0 || isFirst) stream.checkAgain();
        more = (taken === batch && isProgress) || lost > 0;
        idlePolls = taken > 0 ? 0 : idlePolls + 1;
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1 || failures % 30 === 0)
          log.warn({ reason: messageOf(error), failures }, 'outbox publishing failed, retrying');
      }
      if (more || stopped) continue;
      const waitMs = failures > 0 ? backoff(failures, 100, 2_000) : backoff(idlePolls, pollMs, MAX_POLL_MS);
      const timer = setTimeout(() => notified.resolve(), waitMs);
      await notified.promise;
      clearTimeout(timer);
    }
  };
  const running = loop();

  return {
    notify: (): void => notified.resolve(),
    /**
     * Resolves once what the stream has lost is known. Whoever publishes without the relay waits for it: a message that
     * takes the place of a lost one would hide the loss. @throws while the stream cannot be read
     */
    ready: async (): Promise<void> => void (await stream.find()),
    close: async (): Promise<void> => {
      stopped = true;
      notified.resolve();
      await running;
    },
  };
}

function exportBacklog(pool: Pool, metrics: Metrics): void {
  type Backlog = { rows: number; refused: number; age: number };
  const backlog = singleFlight(async () => (await pool.query<Backlog>(backlogSql)).rows[0]);
  metrics.gauge('vds_outbox_rows', 'Messages waiting to be published', [], async (gauge) =>
    gauge.set((await backlog())?.rows ?? 0),
  );
  metrics.gauge('vds_outbox_oldest_seconds', 'Age of the oldest message waiting to be published', [], async (gauge) =>
    gauge.set(Math.max(0, (await backlog())?.age ?? 0)),
  );
  metrics.gauge('vds_outbox_refused_rows', 'Messages that NATS refuses, and that were set aside', [], async (gauge) =>
    gauge.set((await backlog())?.refused ?? 0),
  );
}

type Stream = {
  /** When it was created. */
  readonly created: string;
  /** The number of the connection by which it was found. */
  readonly connection: number;
};

/** The stream that messages go to. After each connect, what it lacks waits again before anything is published. */
function trackStream({ pool, bus, log }: RelayOptions) {
  let known: Stream | undefined;
  const check = singleFlight(async (): Promise<Stream> => {
    const connection = bus.connections();
    const end = await bus.streamEnd();
    const messages = await unpublishBeyond(pool, end);
    if (messages > 0) {
      log.warn({ messages, ...end }, 'JetStream lost messages: publishing them again');
      await sleep(LOSS_SEEN_MS);
    }
    return (known = { created: end.created, connection });
  });
  return {
    /** @throws while it cannot be read */
    find: async (): Promise<Stream> => (known?.connection === bus.connections() ? known : check()),
    /** Another stream may have taken its place. */
    checkAgain: (): void => void (known = undefined),
  };
}

/** Publishes one batch. A row that NATS refuses is set aside; while it is unavailable, nothing changes. */
async function relayBatch({ pool, bus, log }: RelayOptions, batch: number, { created, connection }: Stream) {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>({
      name: 'chassis-outbox-claim',
      text: claimSql,
      values: [batch, created],
    });
    if (rows.length === 0) return { taken: 0, isProgress: false, lost: 0, isFirst: false };
    if (bus.connections() !== connection)
      throw new AppError('UNAVAILABLE', 'connected again: the stream is checked first');
    await failpoint('outbox.rows-claimed');
    const results = await Promise.allSettled(
      rows.map(async (row) => {
        const stored = await bus.publishRaw(row.subject, row.payload, row.message_id, row.traceparent);
        await failpoint('outbox.message-published');
        return { ...stored, id: row.id };
      }),
    );
    await failpoint('outbox.batch-published');
    const published = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ row: rows[index], error: result.reason as unknown }] : [],
    );
    const refused = failures.filter(({ error }) => isRefusal(error));
    const newest = rows[0]?.newest ?? null;
    const lost = await recordPublished(client, created, published, newest);
    if (lost > 0) log.warn({ messages: lost }, 'JetStream gave a sequence again: publishing lost messages again');
    if (refused[0]) {
      await client.query(setAsideSql, [refused.map(({ row }) => row?.id)]);
      const { row, error: err } = refused[0];
      log.error({ err, subject: row?.subject, rows: refused.length }, 'message refused by NATS: set aside');
    }
    const isProgress = published.length + refused.length > 0;
    if (!isProgress) throw failures[0]?.error;
    // Nothing is recorded of this stream yet: it may be another one than the last that was found.
    return { taken: rows.length, isProgress, lost, isFirst: newest === null };
  });
}

/** @returns how many messages the stream has lost, which wait again */
async function recordPublished(
  client: Executor,
  stream: string,
  published: readonly (Stored & { readonly id: number })[],
  newest: number | null,
): Promise<number> {
  if (published.length === 0) return 0;
  const lost = await unpublishOverwritten(client, stream, newest, published);
  await client.query(publishedSql, [published.map(({ id }) => id), published.map(({ sequence }) => sequence), stream]);
  return lost;
}

/** Whether NATS refuses this message alone, such as one that is too large. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code !== 'UNAVAILABLE';
}
