/**
 * Search: ranking quality of words alone, and of words and meaning, on the tuning half and the held-out half of the
 * judged set (`quality`); wall and processor time of search, feed and recommendations, and reindexed documents a
 * second, by words and made vectors (one a video), over 10,000 and 1,000,000 documents (`speed [documents …]
 * [--minutes 25]`: as many as can be loaded in that
 * time). Both without an argument. `VDS_BENCH_EVERY=1` prints each query.
 */
import { parseArgs } from 'node:util';
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import { install } from '@vds/testkit/programs/install';
import { step } from '@vds/testkit/servers/progress';
import { stateFolder } from '@vds/testkit/servers/state-folder';
import { down, up } from '@vds/testkit/servers/up';
import { openBenchIndex, type BenchIndex } from './bench-index.ts';
import { openBenchEmbedder } from './bench-embedder.ts';
import { judge } from './relevance.ts';
import { madeEmbedder } from './made-vectors.ts';
import { measureSpeed } from './speed.ts';

/** Of its own: the tests' node has a small heap. */
const dir = stateFolder('bench-search');

export async function benchSearch(args: readonly string[]): Promise<void> {
  const { part, counts, minutes } = parse(args);
  await install();
  const { opensearch } = await step('OpenSearch', () => up(dir, { which: ['opensearch'], asOperated: true }));
  if (opensearch === null) throw new Error('OpenSearch does not run');
  try {
    if (part !== 'speed') await measureQuality(opensearch.url);
    if (part !== 'quality')
      await withIndex(opensearch.url, madeEmbedder(), (index) => measureSpeed(index, counts, minutes, print));
  } finally {
    await down(dir, ['opensearch']);
  }
}

async function measureQuality(url: string): Promise<void> {
  const every = process.env['VDS_BENCH_EVERY'] === '1';
  const embedder = await openBenchEmbedder();
  try {
    await withIndex(url, embedder, (index) => judge({ index, embedder, print, every }));
  } finally {
    await embedder.close();
  }
}

async function withIndex(url: string, embedder: Embedder | undefined, work: (index: BenchIndex) => Promise<void>) {
  const index = await openBenchIndex(url, embedder);
  try {
    await work(index);
  } finally {
    await index.close();
  }
}

function print(line: string): void {
  return void process.stdout.write(`${line}\n`);
}

function parse(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '25' } },
  });
  const [part = 'both', ...given] = positionals;
  const counts = given.length > 0 ? given.map(Number) : [10_000, 1_000_000];
  const minutes = Number(values.minutes);
  if (!['both', 'quality', 'speed'].includes(part) || ![minutes, ...counts].every((number) => number > 0))
    throw new Error('usage: npm run bench -- search [quality | speed [documents …] [--minutes 25]]');
  return { part, counts, minutes };
}
