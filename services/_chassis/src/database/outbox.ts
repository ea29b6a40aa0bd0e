/**
 * The transactional outbox: a message is a row written in the same transaction as the change it announces, and a relay
 * publishes it. Delivery is at least once; JetStream drops duplicates by message id within its window.
 */
import type { EventType } from '@vds/proto/events';
import type { Bus } from '../bus/bus.ts';
import { withTransaction, type Executor, type Pool } from './database.ts';
import { messageOf } from '../errors.ts';
import { failpoint } from '../failpoint/failpoint.ts';
import { singleFlight } from '../process/async.ts';
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
  readonly bus: Pick<Bus, 'publishRaw'>;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly batch?: number;
  /** How often the relay polls for rows that another process wrote. */
  readonly pollMs?: number;
};

const claimSql = `SELECT id, subject, message_id, payload, traceparent FROM chassis.outbox
  ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`;

const backlogSql = `SELECT count(*) AS rows, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
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
    while (!stopped) {
      notified = Promise.withResolvers<void>();
      let more = false;
      try {
        const { taken, published } = await relayBatch(pool, options.bus, batch);
        more = taken === batch && published > 0;
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1 || failures % 30 === 0)
          log.warn({ reason: messageOf(error), failures }, 'the outbox cannot publish yet');
      }
      if (more || stopped) continue;
      const timer = setTimeout(() => notified.resolve(), failures > 0 ? Math.min(2_000, 100 * failures) : pollMs);
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
  const backlog = singleFlight(async () => (await pool.query<{ rows: number; age: number }>(backlogSql)).rows[0]);
  metrics.gauge('vds_outbox_rows', 'Messages waiting to be published', [], async (gauge) =>
    gauge.set((await backlog())?.rows ?? 0),
  );
  metrics.gauge('vds_outbox_oldest_seconds', 'Age of the oldest message waiting to be published', [], async (gauge) =>
    gauge.set(Math.max(0, (await backlog())?.age ?? 0)),
  );
}

/** Publishes one batch; returns how many rows it took and how many were published. */
async function relayBatch(pool: Pool, bus: RelayOptions['bus'], batch: number) {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>({ name: 'chassis-outbox-claim', text: claimSql, values: [batch] });
    if (rows.length === 0) return { taken: 0, published: 0 };
    await failpoint('outbox.rows-claimed');
    const results = await Promise.allSettled(
      rows.map(async (row) => {
        await bus.publishRaw(row.subject, row.payload, row.message_id, row.traceparent);
        await failpoint('outbox.message-published');
      }),
    );
    await failpoint('outbox.batch-published');
    const published = rows.filter((_row, index) => results[index]?.status === 'fulfilled').map((row) => row.id);
    await client.query('DELETE FROM chassis.outbox WHERE id = ANY($1)', [published]);
    const failure = results.find((result) => result.status === 'rejected');
    if (published.length === 0 && failure) throw failure.reason;
    return { taken: rows.length, published: published.length };
  });
}
