/**
 * Archive, republish and DELETE compared with GET: processor time a request of all processes, and no failure at 16 at a
 * time.
 */
import { print, step } from '@vds/testkit/servers/progress';
import { LARGEST_LIMITS } from '@vds/testkit/stack/operator';
import { partnerAt } from '@vds/testkit/stack/partner';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { withStack } from '@vds/testkit/stack/with-stack';
import { costReader, costTable, perRequest, sumOf, type CpuSeconds } from './api-cost.ts';

const VIDEOS = 1_000;
const AT_A_TIME = 16;
/** Enough that the window of each key's minute limit stays as short as a partner's. */
const KEYS = 100;
/** The most processor time of a write, in multiples of that of a GET. */
const MAX_RATIO = 3;

type Call = { readonly method: 'GET' | 'POST' | 'DELETE'; readonly suffix: string };
type Target = { readonly gateway: string; readonly keys: readonly string[]; readonly ids: readonly string[] };

const calls: Readonly<Record<string, Call>> = {
  GET: { method: 'GET', suffix: '' },
  archive: { method: 'POST', suffix: '/archive' },
  republish: { method: 'POST', suffix: '/republish' },
  DELETE: { method: 'DELETE', suffix: '' },
};

/** Exit code 1 for any failure, or for a write that takes more than `MAX_RATIO` times a GET. */
export async function benchWrites(): Promise<void> {
  const env = { gateway: { PLAYBACK_PUBLIC_URL: 'https://play.example.com' } };
  await withStack({ services: ['auth', 'catalog', 'gateway'], env }, async ({ stack, operator }) => {
    const publisherId = await operator.publisher('Bench', 'Bench');
    const keys = await inTurns(Array.from({ length: KEYS }), () => operator.key(publisherId, LARGEST_LIMITS));
    const gateway = stack.url('gateway');
    const ids = await step(`${VIDEOS} ready videos`, () => readyVideos(stack, gateway, keys[0] ?? ''));
    const read = costReader(stack, { 'load generator': process.pid });
    const costs: Record<string, CpuSeconds> = {};
    let failures = 0;
    // Warms up caches and the compiler, and leaves the videos as they were.
    for (const call of [calls['GET'], calls['archive'], calls['republish']] as Call[])
      failures += (await fire({ gateway, keys, ids }, call)).length;
    for (const [name, call] of Object.entries(calls)) {
      const before = await read();
      const failed = await fire({ gateway, keys, ids }, call);
      costs[name] = perRequest(before, await read(), VIDEOS);
      failures += failed.length;
      if (failed.length > 0) print(`${name}: ${failed.length} failed, such as ${failed[0]}`);
    }
    process.stdout.write(`${costTable('processor ms a request', costs)}\n`);
    const ratios = Object.entries(costs).map(([name, cost]) => [name, sumOf(cost) / sumOf(costs['GET'])] as const);
    const shown = ratios.map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`).join(', ');
    process.stdout.write(`multiples of GET: ${shown}; ${failures} of ${7 * VIDEOS} requests failed\n`);
    if (failures > 0 || ratios.some(([, ratio]) => ratio > MAX_RATIO)) process.exitCode = 1;
  });
}

/** Accepted like any video, then made ready in the database: the pipeline would take an hour. */
async function readyVideos(stack: Stack, gateway: string, key: string): Promise<string[]> {
  const partner = partnerAt(gateway, key);
  const submission = { source_url: 'https://media.example.com/final.mp4', title: 'Championship final' };
  const numbers = Array.from({ length: VIDEOS }, (_, n) => n);
  const ids = await inTurns(numbers, async () => (await partner.submit(submission)).id);
  const catalog = stack.adminPool('catalog');
  await catalog.query(`UPDATE stages SET state = 'completed', finished_at = now(), next_republish_at = NULL`);
  await catalog.query(`UPDATE videos SET state = 'ready', version = version + 1, playback_id = md5(id), ladder_key = id,
    thumbnail_key = id, duration_ms = 60000, published_at = now(), ended_at = now()`);
  await catalog.query(`INSERT INTO clips (video_id, publisher_id, title, tags, language_code, duration_ms, playback_id, published_at)
    SELECT id, publisher_id, title, tags, language_code, duration_ms, playback_id, published_at FROM videos`);
  return ids;
}

/** Calls each video once, 16 at a time. Returns what failed. */
async function fire({ gateway, keys, ids }: Target, { method, suffix }: Call): Promise<string[]> {
  const replies = await inTurns(ids, async (id, n) => {
    const headers = { authorization: `Bearer ${keys[n % keys.length]}` };
    const reply = await fetch(`${gateway}/v1/videos/${id}${suffix}`, { method, headers });
    const text = await reply.text();
    return reply.ok ? [] : [`${reply.status} ${text}`];
  });
  return replies.flat();
}

async function inTurns<I, O>(items: readonly I[], work: (item: I, n: number) => Promise<O>): Promise<O[]> {
  const left = items.entries();
  const results: O[] = [];
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return results;
}
