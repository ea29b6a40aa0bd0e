/**
 * POST and GET through gateway, auth and catalog next to a bare handler with the same statements, in sequence in one
 * run, with each part's CPU time per request; then only the limiter.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { print, step } from '@vds/testkit/servers/progress';
import { costReader, costTable, perRequest, type CpuSeconds } from './api-cost.ts';
import { benchLimiter } from './auth/limiter.ts';
import { LARGEST_LIMITS } from '@vds/testkit/stack/operator';
import { partnerAt } from '@vds/testkit/stack/partner';
import { withStack, type BenchStack } from '@vds/testkit/stack/with-stack';

const CONNECTIONS = 32;
const SECONDS = 10;
const KEYS = 200;
/** The least share of the bare handler's throughput that POST and GET each must reach. */
const MIN_RATIO = 0.4;

type Figures = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly good: number;
  readonly bad: number;
};
type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string };
type Measured = { readonly figures: Figures; readonly cost: CpuSeconds };

/** Exit code 1 if a ratio or the limiter misses its target. */
export async function benchApi(): Promise<void> {
  const pepper = randomBytes(32);
  const options = {
    services: ['auth' as const, 'catalog' as const, 'gateway' as const],
    env: {
      auth: { KEY_PEPPERS: `1:${pepper.toString('base64')}` },
      gateway: { PLAYBACK_PUBLIC_URL: 'https://play.example.com' },
    },
  };
  await withStack(options, async (bench) => {
    const keys = await step(`${KEYS} keys`, () => issueKeys(bench, KEYS));
    let enough = false;
    await withBare(bench, pepper.toString('base64'), async (url, pid) => {
      enough = await benchOperations(bench, keys, { url, pid });
    });
    print('… only the limiter');
    const quick = await benchLimiter(bench.stack, [{ id: '1', key: pepper }], (count) => issueKeys(bench, count));
    if (enough && quick) return;
    print(`Under its bar: each ratio must be at least ${MIN_RATIO}, with only 2xx.`);
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
    ['POST /v1/videos', { method: 'POST', path: '/v1/videos', body }],
    ['GET /v1/videos', { method: 'GET', path: `/v1/videos/${id}` }],
  ];
  let enough = true;
  for (const [what, call] of calls) {
    print(`… ${what}, ${CONNECTIONS} connections, ${SECONDS} s each`);
    const ours = await measure(gateway, keys, call, read);
    const other = await measure(bare.url, keys, call, read);
    process.stdout.write(`${line(what, ours.figures, other.figures)}\n`);
    process.stdout.write(`${costTable('processor ms a request', { stack: ours.cost, bare: other.cost })}\n`);
    enough &&= ours.figures.perSecond >= MIN_RATIO * other.figures.perSecond;
    enough &&= ours.figures.bad + other.figures.bad === 0;
  }
  return enough;
}

/** The second of two runs: the first warms up caches and the compiler. */
async function measure(
  url: string,
  keys: readonly string[],
  request: Call,
  read: () => Promise<CpuSeconds>,
): Promise<Measured> {
  await fire(url, keys, request);
  const before = await read();
  const figures = await fire(url, keys, request);
  return { figures, cost: perRequest(before, await read(), figures.good) };
}

async function fire(url: string, keys: readonly string[], request: Call): Promise<Figures> {
  const requests = keys.map((key) => ({
    ...request,
    headers: {
      authorization: `Bearer ${key}`,
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    },
  }));
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, requests });
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
