/** What every service that runs stages is configured with and stands on. */
import { busConfig, connectBus } from '../bus/bus.ts';
import { duration, integer, withDefault, type ConfigSpec } from '../config/config.ts';
import { databaseConfig, openDatabase, type Pool } from '../database/database.ts';
import { startRelay } from '../database/outbox.ts';
import type { Scope } from '../process/run.ts';

export const workerConfig = {
  ...databaseConfig,
  ...busConfig,
  leaseMs: ['WORK_LEASE', withDefault(duration, 60_000)],
  /** At most half of the lease. */
  renewMs: ['WORK_RENEW', withDefault(duration, 20_000)],
  purgeSlots: ['PURGE_SLOTS', withDefault(integer(0, 64), 1)],
  /** Delay of a purge's final sweep, which removes what a worker wrote after it lost its lease; longer than any lease. */
  purgeAgainMs: ['PURGE_AGAIN_AFTER', withDefault(duration, 660_000)],
} as const satisfies ConfigSpec;

type WorkerScope = Pick<
  Scope<typeof workerConfig>,
  'config' | 'log' | 'health' | 'metrics' | 'signal' | 'cutOff' | 'own'
>;

/**
 * Opens the database, the bus with the service's own stream, and the relay between them.
 * @param main the `import.meta.url` of the service's main.ts
 * @param onStreamCreated runs whenever the stream had to be created, at startup or after a loss
 */
export async function openWorker(
  scope: WorkerScope,
  service: string,
  main: string,
  onStreamCreated: (pool: Pool) => Promise<void> | void = () => {},
) {
  const { config, log, metrics, cutOff, own } = scope;
  const pool = await openDatabase(scope, service, main);
  const bus = own('bus', await connectBus({ ...config, service, log, metrics, cutOff }));
  await bus.ownStream(() => onStreamCreated(pool));
  const relay = own('relay', startRelay({ pool, bus, log, metrics }));
  return { pool, bus, relay, log, metrics };
}
