/** Configuration and foundation of every service that runs stages. */
import { busConfig, busOptions, connectBus } from '../bus/bus.ts';
import { duration, integer, withDefault, type ConfigSpec } from '../config/config.ts';
import { databaseConfig, openDatabase } from '../database/database.ts';
import { startRelay } from '../database/outbox.ts';
import { retentionConfig } from '../database/retention.ts';
import type { Scope } from '../process/run.ts';

export const workerConfig = {
  ...databaseConfig,
  ...busConfig,
  ...retentionConfig,
  /** How long a claimed job is left alone without a sign of its worker. */
  leaseMs: ['WORK_LEASE', withDefault(duration, 60_000)],
  /** How often a worker renews its lease: at most half of it. */
  renewMs: ['WORK_RENEW', withDefault(duration, 20_000)],
  /** How long a job waits for a dependency before its video fails. */
  dependencyLimitMs: ['WORK_DEPENDENCY_LIMIT', withDefault(duration, 86_400_000)],
  /** How long a job waits for a missing object before its video fails. */
  missingLimitMs: ['WORK_MISSING_LIMIT', withDefault(duration, 600_000)],
  /** First pause of a queue whose dependency is unavailable; it grows up to four times that. */
  breakerPauseMs: ['WORK_BREAKER_PAUSE', withDefault(duration, 5_000)],
  /** How long a stage may make no progress while one of its jobs runs. */
  stallMs: ['STAGE_STALL', withDefault(duration, 1_800_000)],
  /** Work of a stage's jobs together; a long video gets a multiple of its duration. */
  budgetMs: ['STAGE_BUDGET', withDefault(duration, 7_200_000)],
  /** Purges at a time. */
  purgeSlots: ['PURGE_SLOTS', withDefault(integer(0, 64), 1)],
  /** Delay of a purge's final sweep, which removes what a worker wrote after it lost its lease; longer than any lease. */
  purgeAgainMs: ['PURGE_AGAIN_AFTER', withDefault(duration, 660_000)],
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
