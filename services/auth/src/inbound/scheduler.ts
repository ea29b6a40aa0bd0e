/** The clock as a door in: now and then what is over is removed and what only the database knows is measured. */
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { pause } from '@vds/chassis/process/async';

export type Deps = {
  /** Each returns how many rows went. */
  readonly pruneWindows: () => Promise<number>;
  readonly pruneSigningKeys: () => Promise<number>;
  readonly countKeysByPepper: () => Promise<readonly { pepperId: string; keys: number }[]>;
  /** When the signing key was put into force, in milliseconds since the epoch. */
  readonly signsSince: () => Promise<number>;
};

/**
 * Does the chores at once and then every `everyMs`. Any number of replicas may do them; one that fails is logged and
 * tried again next time.
 */
export function startScheduler(chores: Deps, everyMs: number, log: Logger, metrics: Metrics) {
  const stopping = new AbortController();
  const keys = metrics.gauge('vds_auth_active_keys', 'API keys in force, by the pepper of their hash', ['pepper']);
  const age = metrics.gauge('vds_auth_signing_key_age_seconds', 'Time since the signing key was put into force');

  const round = async (): Promise<void> => {
    const windows = await chores.pruneWindows();
    const signingKeys = await chores.pruneSigningKeys();
    if (signingKeys > 0) log.info({ signing_keys: signingKeys }, 'retired signing keys were removed');
    log.debug({ windows }, 'idle minute windows were removed');
    keys.reset();
    for (const { pepperId, keys: count } of await chores.countKeysByPepper()) keys.set({ pepper: pepperId }, count);
    age.set(Math.max(0, Date.now() - (await chores.signsSince())) / 1_000);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await round().catch((error: unknown) => log.warn({ err: error }, 'the janitor could not finish its round'));
      await pause(everyMs, stopping.signal);
    }
  };
  const running = loop();
  return {
    close: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
}
