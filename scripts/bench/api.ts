/**
 * POST and GET through gateway, auth and catalog next to a bare handler with the same statements, in sequence in one
 * run, with each part's CPU time per request.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { print, step } from '@vds/testkit/servers/progress';
import { costReader, costTable, perRequest, sumOf, type CpuSeconds } from './api-cost.ts';
import { LARGEST_LIMITS } from '@vds/testkit/stack/operator';
import { partnerAt } from '@vds/testkit/stack/partner';
import { withStack, type BenchStack } from '@vds/testkit/stack/with-stack';

const CONNECTIONS = 32;
/** Each side of a call is measured this often, in turns: others on the machine then weigh on both alike. */
const ROUNDS = 4;
const SECONDS = 4;
const KEYS = 200;
/** Processor time of POST and GET over the bare handler's: throughput varies with whoever shares the machine. */
const MAX_TIMES_BARE = 1.7;
/** p99 over p50. */
const MAX_SPREAD = 3;

type Figures = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly good: number;
  readonly bad: number;
};
type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string };
type Measured = { readonly figures: Figures; readonly cost: CpuSeconds };

/** Exit code 1 if a ratio misses its target. */
export async function benchApi(): Promise<void> {
  const pepper = randomBytes(32);
  const options = {
    services: ['auth' as const, 'catalog' as const, 'gateway' as const],
    env: {
      auth: { KEY_PEPPERS: `1:${pepper.toString('base64')}` },
      // Nobody works on the videos here, and unanswered requests to stages are repeated: not a cost of the interface.
      catalog: { REPUBLISH_FIRST_MS: '3600000', REPUBLISH_MAX_MS: '3600000' },
      gateway: { PLAYBACK_PUBLIC_URL: 'https://play.example.com' },
    },
  };
  await withStack(options, async (bench) => {
    const keys = await step(`${KEYS} keys`, () => issueKeys(bench, KEYS));
    let enough = false;
    await withBare(bench, pepper.toString('base64'), async (url, pid) => {
      enough = await benchOperations(bench, keys, { url, pid });
    });
    if (enough) return;
    print(`Bars: ${MAX_TIMES_BARE} × the bare handler's processor time, p99 at most ${MAX_SPREAD} × p50, only 2xx.`);
    process.exitCode = 1;
  });
}

/** Keys without practical limits, so that every request does the stack's full work. */
async function issueKeys({ operator }: BenchStack, count: number): Promise<string[]> {
  const publisherId = await operator.publisher('Bench', 'Bench');
  const keys: string[] = [];
  for (let n = 0; n < count; n += 1) keys.push(await operator.key(publisherId, LARGEST_LIMITS));
  return keys;
}

async function withBare(
  { stack }: BenchStack,
  pepper: string,
  work: (url: string, pid: number) => Promise<void>,
): Promise<void> {
  const databaseOf = (service: 'auth' | 'catalog'): string => {
    const { url, password } = stack.login(service);
    const target = new URL(url);
    target.password = password;
    return target.href;
  };
  const env = {
    PATH: process.env['PATH'],
    AUTH_DATABASE: databaseOf('auth'),
    CATALOG_DATABASE: databaseOf('catalog'),
    PEPPER: pepper,
  };
  const child = fork(fileURLToPath(new URL('./bare-api.ts', import.meta.url)), { env, execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  try {
    await work(`http://127.0.0.1:${port}`, child.pid ?? 0);
  } finally {
    child.kill('SIGTERM');
  }
}

/** Prints the ratio and costs of each operation. Returns whether every ratio reaches its target. */
async function benchOperations(
  { stack }: BenchStack,
  keys: readonly string[],
  bare: { readonly url: string; readonly pid: number },
): Promise<boolean> {
  const video = { source_url: 'https://media.example.com/final.mp4', title: 'Championship final' };
  const body = JSON.stringify(video);
  const gateway = stack.url('gateway');
  const { id } = await partnerAt(gateway, keys[0] ?? '').submit(video);
  const read = costReader(stack, { 'bare handler': bare.pid, 'load generator': process.pid });
  const calls: readonly (readonly [string, Call])[] = [
    ['GET /v1/videos', { method: 'GET', path: `/v1/videos/${id}` }],
    ['POST /v1/videos', { method: 'POST', path: '/v1/videos', body }],
  ];
  let enough = true;
  for (const [what, call] of calls) {
    print(`… ${what}, ${CONNECTIONS} connections, ${ROUNDS} × ${SECONDS} s each`);
    const [ours, other] = await measureBoth([gateway, bare.url], keys, call, read);
    process.stdout.write(`${line(what, ours.figures, other.figures)}\n`);
    process.stdout.write(`processor time ${(serverTime(ours) / serverTime(other)).toFixed(2)} × the bare handler's\n`);
    process.stdout.write(`${costTable('processor ms a request', { stack: ours.cost, bare: other.cost })}\n`);
    enough &&= serverTime(ours) <= MAX_TIMES_BARE * serverTime(other);
    enough &&= ours.figures.p99 <= MAX_SPREAD * ours.figures.p50;
    enough &&= ours.figures.bad + other.figures.bad === 0;
  }
  return enough;
}

/** Processor milliseconds a request of everything but the load generator. */
function serverTime({ cost }: Measured): number {
  return sumOf(cost) - (cost['load generator'] ?? 0);
}

/** Both sides in turns; a first turn warms up keys, caches and the compiler. */
async function measureBoth(
  urls: readonly [string, string],
  keys: readonly string[],
  request: Call,
  read: () => Promise<CpuSeconds>,
): Promise<readonly [Measured, Measured]> {
  const rounds: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [side, url] of urls.entries()) {
      const before = await read();
      const figures = await fire(url, keys, request);
      const cost = perRequest(before, await read(), figures.good);
      if (round > 0) rounds[side]?.push({ figures, cost });
    }
  return [together(rounds[0]), together(rounds[1])];
}

/** The median of every figure; the sum of what failed. */
function together(rounds: readonly Measured[]): Measured {
  const median = (of: (one: Measured) => number): number =>
    rounds.map(of).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
  const parts = [...new Set(rounds.flatMap(({ cost }) => Object.keys(cost)))];
  const figure = (name: keyof Figures): number => median(({ figures }) => figures[name]);
  return {
    figures: {
      ...{ perSecond: figure('perSecond'), p50: figure('p50'), p99: figure('p99'), good: figure('good') },
      bad: rounds.reduce((sum, { figures }) => sum + figures.bad, 0),
    },
    cost: Object.fromEntries(parts.map((part) => [part, median(({ cost }) => cost[part] ?? 0)])),
  };
}

async function fire(url: string, keys: readonly string[], request: Call): Promise<Figures> {
  const requests = keys.map((key) => ({
    ...request,
    headers: {
      authorization: `Bearer ${key}`,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    },
  }));
  // In step, connections would queue on the row of one key: each has an order of its own.
  let connection = 0;
  const setupClient = (client: { setRequests: (all: typeof requests) => void }): void => {
    const from = (connection++ * requests.length) / CONNECTIONS;
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
  };
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, requests, setupClient });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    good: result['2xx'],
    bad: result.non2xx + result.errors,
  };
}

function line(what: string, ours: Figures, bare: Figures): string {
  return [
    what.padEnd(16),
    `stack ${ours.perSecond.toFixed(0)}/s p50 ${ours.p50} ms p99 ${ours.p99} ms`,
    `bare ${bare.perSecond.toFixed(0)}/s p50 ${bare.p50} ms p99 ${bare.p99} ms`,
    `ratio ${(ours.perSecond / bare.perSecond).toFixed(2)}`,
    ...(ours.bad + bare.bad > 0 ? [`NOT 2xx: ${ours.bad} and ${bare.bad}`] : []),
  ].join('   ');
}
