/**
 * Controls the clock of one service's database: a function now() in a schema that precedes pg_catalog in the search path
 * of the service's role.
 */
import type { ServiceName } from '@vds/deploy-tools/services';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { until } from '@vds/testkit/until';

export type DatabaseClock = {
  /** Stops the clock at this time (ISO 8601). */
  readonly freeze: (moment: string) => Promise<void>;
  /** Runs on from this time. */
  readonly goOnFrom: (moment: string) => Promise<void>;
  /** Sets the time zone of the service's sessions. */
  readonly zone: (name: string) => Promise<void>;
};

/** Takes over the clock; the service's connections are reopened. */
export async function takeClock(
  stack: Stack,
  service: ServiceName,
  settled: () => Promise<boolean>,
): Promise<DatabaseClock> {
  const pool = stack.adminPool(service);
  const login = new URL(stack.login(service).url);
  const [role, database] = [login.username, login.pathname.slice(1)];
  /** A role's settings apply from its next connection on. */
  const reconnect = async (): Promise<void> => {
    await pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
    await until(settled, { what: `${service} has new connections`, capMs: 60_000 });
  };
  await pool.query(install(role, database));
  await reconnect();
  return {
    freeze: async (moment) => void (await pool.query('UPDATE clock.setting SET frozen = $1', [moment])),
    goOnFrom: async (moment) =>
      void (await pool.query('UPDATE clock.setting SET frozen = NULL, ahead = $1::timestamptz - pg_catalog.now()', [
        moment,
      ])),
    zone: async (name) => {
      await pool.query(`ALTER ROLE ${role} IN DATABASE ${database} SET timezone = '${name}'`);
      await reconnect();
    },
  };
}

function install(role: string, database: string): string {
  return `
  DROP SCHEMA IF EXISTS clock CASCADE; -- of a run that was killed
  CREATE SCHEMA clock;
  CREATE TABLE clock.setting (frozen timestamptz, ahead interval NOT NULL);
  INSERT INTO clock.setting VALUES (NULL, '0');
  CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS
    $$ SELECT COALESCE(frozen, pg_catalog.now() + ahead) FROM clock.setting $$;
  GRANT USAGE ON SCHEMA clock TO ${role};
  GRANT SELECT ON clock.setting TO ${role};
  ALTER ROLE ${role} IN DATABASE ${database} SET search_path = clock, pg_catalog, public`;
}
