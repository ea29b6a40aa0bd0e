/** Search, feed, recommendations and reindexing over many documents: wall time and processor time of each. */
import { secondsSince } from '@vds/testkit/servers/progress';
import type { BenchIndex } from './bench-index.ts';
import { loadVideos } from './load.ts';
import { idOf } from './bench-index.ts';
import { manyVideos } from './many-videos.ts';
import { percentile } from './ndcg.ts';
import { measureReindex } from './reindex-speed.ts';

const QUESTIONS = 300;
const WARM_UP = 50;

type Print = (line: string) => void;
type Taken = { readonly wallMs: readonly number[]; readonly serverMs: number; readonly ownMs: number };

/**
 * Loads up to each count, or as many as fit into the minutes, and queries, one query after the other.
 * @param minutes for loading, in all
 */
export async function measureSpeed(index: BenchIndex, counts: readonly number[], minutes: number, print: Print) {
  const deadline = performance.now() + minutes * 60_000;
  let loaded = 0;
  for (const count of counts) {
    const started = performance.now();
    const before = loaded;
    loaded = await loadVideos(index, { from: loaded, to: count, deadline, print });
    const kib = ((await sizeOf(index)) / loaded / 1_024).toFixed(1);
    const rate = Math.round(((loaded - before) / (performance.now() - started)) * 1_000);
    print(`${loaded} documents of ${count}, ${kib} KiB each, loaded in ${secondsSince(started)}, ${rate} a second`);
    await measureQueries(index, loaded, print);
    if (loaded < count) break;
  }
  await measureReindex(index, print);
}

async function measureQueries(index: BenchIndex, loaded: number, print: Print): Promise<void> {
  const { discovery } = index;
  const videos = manyVideos(3);
  const page = { limit: 20, cursor: '' };
  const queries: Readonly<Record<string, () => Promise<unknown>>> = {
    search: () => discovery.search({ ...page, query: videos.question(), filters: {}, language: undefined }),
    'in a sport': () =>
      discovery.search({ ...page, query: videos.question(), filters: { sport: videos.sport() }, language: undefined }),
    feed: () => discovery.feed({ ...page, filters: {} }),
    'of a sport': () => discovery.feed({ ...page, filters: { sport: videos.sport() } }),
    recommend: () => {
      const seen = [{ videoId: idOf(Math.floor(videos.share() * loaded)), share: 1 }];
      return discovery.recommend({ ...page, seen, filters: {} });
    },
  };
  for (const [name, ask] of Object.entries(queries)) print(line(name, await measure(index, ask)));
}

function line(what: string, { wallMs, serverMs, ownMs }: Taken): string {
  const [p50, p95] = [percentile(wallMs, 0.5), percentile(wallMs, 0.95)];
  return `  ${what.padEnd(10)} p50 ${p50.toFixed(1)} ms   p95 ${p95.toFixed(1)} ms   processor ${serverMs.toFixed(1)} ms of OpenSearch, ${ownMs.toFixed(1)} ms of ours`;
}

async function sizeOf({ search, alias }: BenchIndex): Promise<number> {
  type Stats = { readonly _all: { readonly primaries: { readonly store: { readonly size_in_bytes: number } } } };
  const stats = await search.request<Stats>({ method: 'GET', path: `/${alias}/_stats/store` });
  return stats._all.primaries.store.size_in_bytes;
}

async function measure(index: BenchIndex, ask: () => Promise<unknown>): Promise<Taken> {
  for (let at = 0; at < WARM_UP; at += 1) await ask();
  const wallMs: number[] = [];
  const [server, own] = [await processorMs(index), process.cpuUsage()];
  for (let at = 0; at < QUESTIONS; at += 1) {
    const started = performance.now();
    await ask();
    wallMs.push(performance.now() - started);
  }
  const { user, system } = process.cpuUsage(own);
  const serverMs = ((await processorMs(index)) - server) / QUESTIONS;
  return { wallMs, serverMs, ownMs: (user + system) / 1_000 / QUESTIONS };
}

/** Of all nodes, since they started. */
async function processorMs({ search }: BenchIndex): Promise<number> {
  type Node = { readonly process: { readonly cpu: { readonly total_in_millis: number } } };
  const { nodes } = await search.request<{ nodes: Record<string, Node> }>({
    method: 'GET',
    path: '/_nodes/stats/process',
  });
  return Object.values(nodes).reduce((sum, node) => sum + node.process.cpu.total_in_millis, 0);
}
