/** Periodic task: `collect-garbage` deletes expired rows and measures what must be read from the database. */
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { startPeriodic } from '@vds/chassis/process/periodic';

export type Deps = {
  /** Both return how many rows they deleted. */
  readonly pruneWindows: () => Promise<number>;
  readonly pruneSigningKeys: () => Promise<number>;
  /** How many rows were sealed under the previous secret until now. */
  readonly resealRows: () => Promise<number>;
  readonly countKeysByPepper: () => Promise<readonly { pepperId: string; keys: number }[]>;
  /** When the current signing key started to sign, in milliseconds since the epoch. */
  readonly signsSince: () => Promise<number>;
  readonly everyMs: number;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** Starts the tasks, in every replica. */
export function startScheduler({ everyMs, log, metrics, ...tasks }: Deps) {
  const keys = metrics.gauge('vds_auth_active_keys', 'API keys in force, by the pepper of their hash', ['pepper']);
  const age = metrics.gauge('vds_auth_signing_key_age_seconds', 'Time since the current signing key started to sign');

  const resealed = metrics.gauge(
    'vds_auth_resealed_rows',
    'Rows that the last look found sealed under the previous SIGNING_KEY_SECRET, and sealed again under the current one',
  );

  const resealRows = async (): Promise<void> => {
    const rows = await tasks.resealRows();
    resealed.set(rows);
    if (rows > 0) log.info({ rows }, 'rows sealed again under the current secret');
  };
  const collectGarbage = async (): Promise<void> => {
    const windows = await tasks.pruneWindows();
    const signingKeys = await tasks.pruneSigningKeys();
    if (signingKeys > 0) log.info({ signing_keys: signingKeys }, 'retired signing keys deleted');
    log.debug({ windows }, 'idle minute windows deleted');
    keys.reset();
    for (const { pepperId, keys: count } of await tasks.countKeysByPepper()) keys.set({ pepper: pepperId }, count);
    age.set(Math.max(0, Date.now() - (await tasks.signsSince())) / 1_000);
  };
  return startPeriodic({ log, metrics, everyMs, tasks: { 'collect-garbage': collectGarbage, reseal: resealRows } });
}
