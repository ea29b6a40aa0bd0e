/** The clock of a test's database: its functions in a schema that precedes pg_catalog in the search path. */
import pg from 'pg';
import type { TestDatabase } from '@vds/testkit/harness/database';

function install(database: string): string {
  return `
  CREATE SCHEMA clock;
  CREATE TABLE clock.setting (ahead interval NOT NULL);
  INSERT INTO clock.setting VALUES ('0');
  CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS
    $$ SELECT pg_catalog.now() + ahead FROM clock.setting $$;
  CREATE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
    $$ SELECT pg_catalog.clock_timestamp() + ahead FROM clock.setting $$;
  ALTER DATABASE ${database} SET search_path = clock, pg_catalog, public`;
}

/** Takes over the clock of connections opened from now on. */
export async function takeClock({ poolConfig }: TestDatabase) {
  const query = async (text: string): Promise<void> => {
    const client = new pg.Client(poolConfig);
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  await query(install(poolConfig.database));
  return {
    setForwardAnHour: () => query(`UPDATE clock.setting SET ahead = ahead + interval '1 hour'`),
  };
}
