/**
 * Search: how well answers are ordered beside a plain `multi_match`, on the set that the weights were chosen on and on a
 * held-out one, and how long search and feed take over 10,000 and 200,000 documents. `VDS_BENCH_DOCUMENTS` (numbers between commas, may be empty) replaces those counts;
 * `VDS_BENCH_EVERY=1` prints each query.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '@vds/testkit/servers/install';
import { step } from '@vds/testkit/servers/progress';
import { down, status, up } from '@vds/testkit/servers/up';
import { chosenOn, heldOut } from './search/judged-videos.ts';
import { judge } from './search/relevance.ts';
import { openShelf } from './search/shelf.ts';
import { measureSpeed } from './search/speed.ts';

const dir = join(fileURLToPath(new URL('../../.vds', import.meta.url)), 'servers');

export async function benchSearch(): Promise<void> {
  await install();
  const runs = status(dir).opensearch !== null;
  const { opensearch } = await step('servers', () => up(dir));
  if (opensearch === null) throw new Error('OpenSearch does not run');
  try {
    const every = process.env['VDS_BENCH_EVERY'] === '1';
    for (const set of [chosenOn, heldOut]) await withShelf(opensearch.url, (shelf) => judge(shelf, set, print, every));
    if (counts().length > 0) await withShelf(opensearch.url, (shelf) => measureSpeed(shelf, counts(), print));
  } finally {
    if (!runs) await down(dir, ['opensearch']);
  }
}

async function withShelf(url: string, work: (shelf: Awaited<ReturnType<typeof openShelf>>) => Promise<void>) {
  const shelf = await openShelf(url);
  try {
    await work(shelf);
  } finally {
    await shelf.close();
  }
}

function print(line: string): void {
  return void process.stdout.write(`${line}\n`);
}

function counts(): number[] {
  return (process.env['VDS_BENCH_DOCUMENTS'] ?? '10000,200000')
    .split(',')
    .map(Number)
    .filter((count) => count > 0);
}
