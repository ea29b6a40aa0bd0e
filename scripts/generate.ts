/**
 * Writes all generated code: `npm run generate [-- contracts | chart | warehouse | documents | notice | databases]`.
 * `npm run generate -- settings <service>` prints the variables of a service with default and meaning.
 * Contracts (proto/generated), the files/generated of charts, deploy/warehouse, NOTICE and the lists
 * in documents are committed, database clients (services/<name>/generated/prisma) are not.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { warehouseFiles } from '@vds/analytics/warehouse';
import { CHART_FILES, chartFiles } from './check/charts/generated-files.ts';
import { run } from '@vds/testkit/servers/command';
import { print, step } from '@vds/testkit/servers/progress';
import { serviceNames } from '@vds/deploy-tools/services';
import { documents } from './generate/documents.ts';
import { noticeOf } from './generate/notice.ts';
import { settingsOf } from './generate/settings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

async function contracts(): Promise<void> {
  await run(process.execPath, [join(root, 'proto/generate.ts')]);
}

function chart(): void {
  for (const [name, text] of Object.entries(chartFiles())) writeFileSync(join(root, CHART_FILES, name), text);
}

/** Writes the database client of one service. `generate` connects to nothing but requires a DATABASE_URL. */
async function database(service: string): Promise<void> {
  const stamp = join(root, service, 'generated/prisma/.generated-from');
  const stamped = existsSync(stamp) ? readFileSync(stamp) : undefined;
  await run(join(root, service, 'node_modules/.bin/prisma'), ['generate'], {
    cwd: join(root, service),
    env: { ...process.env, DATABASE_URL: 'postgresql://unused' },
  });
  // bootstrap.sh recognises a current client by this stamp, which is rewritten with it.
  if (stamped) writeFileSync(stamp, stamped);
}

function warehouse(): void {
  for (const [name, text] of Object.entries(warehouseFiles()))
    writeFileSync(join(root, 'deploy/warehouse', name), text);
}

function lists(): void {
  for (const { path, current } of documents(root)) writeFileSync(join(root, path), current);
}

const parts = ['contracts', 'chart', 'warehouse', 'documents', 'notice', 'databases'];
const [, , part, service] = process.argv;
if (part === 'settings') {
  const known = serviceNames.find((name) => name === service);
  if (known === undefined) print(`name a service: ${serviceNames.join(', ')}`);
  else process.stdout.write(`${(await settingsOf(root, known)).join('\n')}\n`);
  process.exit(known === undefined ? 2 : 0);
}
if (part !== undefined && !parts.includes(part)) {
  print(`there is no part '${part}' to generate: leave it out, or name one of ${parts.join(', ')}`);
  process.exit(2);
}
function wanted(name: string): boolean {
  return part === undefined || part === name;
}
if (wanted('contracts')) await step('proto/generated', contracts);
if (wanted('chart')) await step(CHART_FILES, chart);
if (wanted('warehouse')) await step('deploy/warehouse', warehouse);
if (wanted('documents')) await step('lists in documents', lists);
if (wanted('notice')) await step('NOTICE', () => writeFileSync(join(root, 'NOTICE'), noticeOf(root)));
if (wanted('databases')) {
  for (const schema of globSync('services/*/prisma/schema.prisma', { cwd: root }).toSorted()) {
    const service = dirname(dirname(schema));
    if (!readFileSync(join(root, service, 'package.json'), 'utf8').includes('"#prisma"')) continue;
    await step(`${service}/generated/prisma`, async () => await database(service));
  }
}
