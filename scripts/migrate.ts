/**
 * Brings one service's database up to date, as its owner:
 *   DATABASE_URL=postgresql://catalog_owner@host/catalog DATABASE_PASSWORD=… node scripts/migrate.ts catalog
 * The password may be `file:<path>`. Prints what was applied; exit code 1 with one sentence when it cannot.
 */
import { existsSync } from 'node:fs';
import { readConfig, secret, url } from '@vds/shared/config';
import { migrate } from './house/migrations.ts';

const main = async (): Promise<void> => {
  const [service] = process.argv.slice(2);
  if (service === undefined || !existsSync(new URL(`../services/${service}/prisma`, import.meta.url))) {
    throw new Error(`usage: node scripts/migrate.ts <service that has a database>; got '${service ?? ''}'`);
  }
  const config = readConfig({ url: ['DATABASE_URL', url], password: ['DATABASE_PASSWORD', secret] });
  const applied = await migrate(service, config.url, config.password);
  process.stdout.write(`${service}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}\n`);
};

try {
  await main();
} catch (error) {
  process.stderr.write(`migrate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
