/**
 * The transactional outbox: a message is a row written in the same transaction as the change it announces, and a relay
 * publishes it. Delivery is at least once; JetStream drops duplicates by message id within its window.
 */
import type { EventType } from '@vds/proto/events';
import { withTransaction, type Executor, type Pool } from './database.ts';
import { AppError, messageOf } from '../errors.ts';
import { failpoint } from '../failpoint/failpoint.ts';
import { backoff, singleFlight } from '../async.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { currentTraceparent } from '../telemetry/telemetry.ts';

/** A message to be published. */
export type Outgoing = {
  readonly subject: string;
  readonly messageId: string;
  readonly payload: Buffer;
  readonly traceparent: string | null;
};

type Row = { id: number; subject: string; message_id: string; payload: Buffer; traceparent: string | null };

type RelayOptions = {
  readonly pool: Pool;
  readonly bus: {
    /** Resolves once the message is stored. */
    readonly publishRaw: (
      subject: string,
      payload: Uint8Array,
      messageId: string,
      traceparent: string | null,
    ) => Promise<void>;
  };
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly batch?: number;
  /** How soon the relay polls for rows that another process wrote; while it finds none, twice as long each time. */
  readonly pollMs?: number;
};

/** The longest time between two polls: 100 idle replicas poll 20 times a second in all. */
const MAX_POLL_MS = 5_000;

// Only what NATS refused waits.
const claimSql = `SELECT id, subject, message_id, payload, traceparent FROM chassis.outbox
  WHERE refusals = 0 OR run_after <= now() ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`;

const publishedSql = 'DELETE FROM chassis.outbox WHERE id = ANY($1)';

// 10 s, doubled each time.
const setAsideSql = `UPDATE chassis.outbox SET refusals = refusals + 1,
  run_after = now() + LEAST(640, 10 * 2 ^ LEAST(refusals, 20)) * interval '1 second' WHERE id = ANY($1)`;

const backlogSql = `SELECT count(*) FILTER (WHERE refusals = 0) AS rows, count(*) FILTER (WHERE refusals > 0) AS refused,
  coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE refusals = 0)), 0)::float8 AS age
  FROM chassis.outbox`;

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
    const last = values.push(row.subject, row.messageId, row.payload, row.traceparent);
    return `($${last - 3}, $${last - 2}, $${last - 1}::bytea, $${last})`;
  });
  const table = `VALUES ${tuples.join(', ')}`;
  const source = when === undefined ? table : `SELECT * FROM (${table}) AS outgoing WHERE EXISTS (SELECT FROM ${when})`;
  return `INSERT INTO chassis.outbox (subject, message_id, payload, traceparent) ${source}`;
}

/** Starts the relay. `notify` publishes at once what the caller has just committed. */
export function startRelay(options: RelayOptions) {
  const { pool, log, metrics, batch = 200, pollMs = 250 } = options;
  let stopped = false;
  let notified = Promise.withResolvers<void>();
  exportBacklog(pool, metrics);

  const loop = async (): Promise<void> => {
    let failures = 0;
    let idlePolls = 0;
    while (!stopped) {
      notified = Promise.withResolvers<void>();
      let more = false;
      try {
        const { taken, isProgress } = await relayBatch(options, batch);
        more = taken === batch && isProgress;
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

/** Publishes one batch. A row that NATS refuses is set aside; while it is unavailable, nothing changes. */
async function relayBatch({ pool, bus, log }: RelayOptions, batch: number) {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>({ name: 'chassis-outbox-claim', text: claimSql, values: [batch] });
    if (rows.length === 0) return { taken: 0, isProgress: false };
    await failpoint('outbox.rows-claimed');
    const results = await Promise.allSettled(
      rows.map(async (row) => {
        await bus.publishRaw(row.subject, row.payload, row.message_id, row.traceparent);
        await failpoint('outbox.message-published');
      }),
    );
    await failpoint('outbox.batch-published');
    const published: number[] = [];
    const refused: { row: Row; error: unknown }[] = [];
    let failure: unknown;
    for (const [index, row] of rows.entries()) {
      const result = results[index];
      if (result?.status === 'fulfilled') published.push(row.id);
      else {
        failure = result?.reason;
        if (isRefusal(failure)) refused.push({ row, error: failure });
      }
    }
    if (published.length > 0) await client.query(publishedSql, [published]);
    if (refused[0]) {
      await client.query(setAsideSql, [refused.map(({ row }) => row.id)]);
      const { row, error: err } = refused[0];
      log.error({ err, subject: row.subject, rows: refused.length }, 'message refused by NATS: set aside');
    }
    const isProgress = published.length + refused.length > 0;
    if (!isProgress) throw failure;
    return { taken: rows.length, isProgress };
  });
}

/** Whether NATS refuses this message alone, such as one that is too large. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code !== 'UNAVAILABLE';
}
