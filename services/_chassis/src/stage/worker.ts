/** Configuration and foundation of every service that runs stages. */
import { busConfig, busOptions, connectBus } from '../bus/bus.ts';
import { duration, withDefault, type ConfigSpec } from '../config/config.ts';
import { scaled } from '../config/times.ts';
import { databaseConfig, openDatabase } from '../database/database.ts';
import { startRelay } from '../database/outbox.ts';
import { retentionConfig } from '../database/retention.ts';
import type { Scope } from '../process/run.ts';

const MINUTE = 60_000;

export const workerConfig = {
  ...databaseConfig,
  ...busConfig,
  ...retentionConfig,
  ...scaled({
    /** How long a claimed job is left alone without a sign of its worker. */
    leaseMs: MINUTE,
    /** How often a worker renews its lease: at most half of it. */
    renewMs: 20_000,
    /** How long a job waits for a dependency before its video fails. */
    dependencyLimitMs: 24 * 60 * MINUTE,
    /** How long a job waits for a missing object before its video fails. */
    missingLimitMs: 10 * MINUTE,
    /** First pause of a queue whose dependency is unavailable; it grows up to four times that. */
    breakerPauseMs: 5_000,
    /** How long a stage may make no progress while one of its jobs runs. */
    stallMs: 30 * MINUTE,
    /** Delay of a purge's final sweep, which removes what a worker wrote after it lost its lease; longer than any lease. */
    purgeAgainMs: 11 * MINUTE,
  }),
  /** Work of a stage's jobs together; a long video gets a multiple of its duration. */
  budgetMs: ['STAGE_BUDGET', withDefault(duration, 120 * MINUTE)],
} as const satisfies ConfigSpec;

type WorkerScope = Pick<
  Scope<typeof workerConfig>,
  'config' | 'log' | 'health' | 'metrics' | 'signal' | 'forceClose' | 'own'
>;

/**
 * Opens the database, the bus with the service's own stream, and the relay between them.
 * @param main the `import.meta.url` of the service's main.ts
 */
export async function openWorker(scope: WorkerScope, service: string, main: string) {
  const { log, health, metrics, own } = scope;
  const pool = await openDatabase(scope, service, main);
  const bus = own('bus', await connectBus(busOptions(scope, service)));
  await bus.ownStream();
  health.add('consuming', bus.checkConsuming);
  const relay = own('relay', startRelay({ pool, bus, log, metrics }));
  return { pool, bus, relay, log, health, metrics };
}
