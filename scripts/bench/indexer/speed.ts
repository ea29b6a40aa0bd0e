/** p95 of search and feed over many documents. */
import { print, secondsSince } from '@vds/testkit/servers/progress';
import { manyVideos } from './many-videos.ts';
import { percentile } from './ndcg.ts';
import { documentFor, type BenchIndex } from './bench-index.ts';

const BATCH = 200;
const QUESTIONS = 300;
const WARM_UP = 50;
const YEAR_MS = 365 * 86_400_000;

/** Loads up to each count and queries, one query after the other. */
export async function measureSpeed(index: BenchIndex, counts: readonly number[], print: (line: string) => void) {
  const videos = manyVideos(3);
  let loaded = 0;
  for (const count of counts) {
    const started = performance.now();
    await load(index, loaded, count, videos);
    const path = `/${index.alias}/_stats/store`;
    const stats = await index.search.request<{ _all: { primaries: { store: { size_in_bytes: number } } } }>({
      method: 'GET',
      path,
    });
    const bytes = stats._all.primaries.store.size_in_bytes;
    print(`${count} documents, ${(bytes / count / 1_024).toFixed(1)} KiB each, loaded in ${secondsSince(started)}`);
    loaded = count;
    const search = () =>
      index.discovery.search({ query: videos.question(), filters: {}, language: undefined, limit: 20, cursor: '' });
    const feed = () => index.discovery.feed({ filters: { sport: videos.sport() }, limit: 20, cursor: '' });
    print(line('search', await measure(QUESTIONS, search)));
    print(line('feed', await measure(QUESTIONS, feed)));
  }
}

function line(what: string, taken: readonly number[]): string {
  return `  ${what.padEnd(8)} p50 ${percentile(taken, 0.5).toFixed(0)} ms   p95 ${percentile(taken, 0.95).toFixed(0)} ms   of ${taken.length}`;
}

async function load(index: BenchIndex, from: number, to: number, videos: ReturnType<typeof manyVideos>): Promise<void> {
  const started = performance.now();
  const now = Date.now();
  for (let at = from; at < to; at += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, to - at) }, (_empty, more) => at + more);
    const published = (number: number): Date => new Date(now - ((number * 7_919) % 1_000_003) * (YEAR_MS / 1_000_003));
    await index.write(numbers.map((number) => documentFor(number, videos.next(), published(number))));
    if (at % 20_000 === 0) print(`  ${at} documents (${secondsSince(started)})`);
  }
  await index.refresh();
}

async function measure(times: number, ask: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < times + WARM_UP; at += 1) {
    const started = performance.now();
    await ask();
    if (at >= WARM_UP) taken.push(performance.now() - started);
  }
  return taken;
}
