/**
 * Search: ranking quality compared with a plain `multi_match`, on the set that the weights were tuned on and on a
 * held-out one, and latencies of search and feed over 10,000 and 200,000 documents. `VDS_BENCH_DOCUMENTS` (numbers
 * between commas, may be empty) replaces those counts; `VDS_BENCH_EVERY=1` prints each query.
 */
import { install } from '@vds/testkit/programs/install';
import { step } from '@vds/testkit/servers/progress';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { down, status, up } from '@vds/testkit/servers/up';
import { chosenOn, heldOut } from './judged-set.ts';
import { judge } from './relevance.ts';
import { openBenchIndex } from './bench-index.ts';
import { measureSpeed } from './speed.ts';

const dir = stateFolder('servers');

export async function benchSearch(): Promise<void> {
  await install();
  const runs = status(dir).opensearch !== null;
  const { opensearch } = await step('servers', () => up(dir));
  if (opensearch === null) throw new Error('OpenSearch does not run');
  try {
    const every = process.env['VDS_BENCH_EVERY'] === '1';
    for (const set of [chosenOn, heldOut]) await withIndex(opensearch.url, (index) => judge(index, set, print, every));
    if (counts().length > 0) await withIndex(opensearch.url, (index) => measureSpeed(index, counts(), print));
  } finally {
    if (!runs) await down(dir, ['opensearch']);
  }
}

async function withIndex(url: string, work: (index: Awaited<ReturnType<typeof openBenchIndex>>) => Promise<void>) {
  const index = await openBenchIndex(url);
  try {
    await work(index);
  } finally {
    await index.close();
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
