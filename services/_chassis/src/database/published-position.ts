/**
 * How far a service's own stream was known to go: the highest sequence at which JetStream acknowledged a message of the
 * outbox, kept in the service's database. A stream that ends before it has lost messages, even where every process has
 * been restarted since.
 */
import { streamOf } from '@vds/proto/events';
import type { Bus } from '../bus/bus.ts';
import { withTransaction, type Executor, type Pool } from './database.ts';

type Deps = {
  readonly bus: Pick<Bus, 'ownStream' | 'reportLoss'>;
  readonly pool: Pool;
  readonly service: string;
};

/**
 * Keeps the service's own stream in existence.
 * @param repair publishes again what may have been lost; runs in a transaction, in one replica, when messages are missing:
 *   the stream was lost, or rolled back to an older copy
 */
export async function keepOwnStream(
  { bus, pool, service }: Deps,
  repair: (client: Executor) => Promise<void>,
): Promise<void> {
  const stream = streamOf(service);
  const { rows } = await pool.query<{ last: number }>(
    'SELECT last_sequence AS last FROM chassis.published_positions WHERE stream = $1',
    [stream],
  );
  const onReset = (missingAfter: number): Promise<void> =>
    withTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        'UPDATE chassis.published_positions SET last_sequence = $2 WHERE stream = $1 AND last_sequence > $2',
        [stream, missingAfter],
      );
      if (rowCount !== 1) return;
      await repair(client);
      await bus.reportLoss();
    });
  await bus.ownStream(onReset, { acknowledged: rows[0]?.last ?? 0 });
}
