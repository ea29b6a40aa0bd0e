/** POST and GET through gateway, auth and catalog beside a bare handler with the same statements, one after the other in one run. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { auth } from '@vds/proto';
import { rpcClient } from '@vds/shared/rpc-client';
import { say, step } from '../servers/progress.ts';
import { withHouse, type BenchHouse } from './with-house.ts';

const CONNECTIONS = 32;
const SECONDS = 10;
const KEYS = 200;

type Figures = { readonly perSecond: number; readonly p50: number; readonly p99: number; readonly bad: number };

/** Keys without practical limits, so that the house does its whole work for every request. */
const issueKeys = async ({ house }: BenchHouse): Promise<string[]> => {
  const config = { rpcToken: house.tokens.vdsctl, tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
  const admin = rpcClient(auth.AuthAdmin, { target: house.rpc('auth', 'adminRpc'), config });
  const { id: publisherId } = await admin.CreatePublisher({ name: 'Bench', organization: 'Bench' });
  const scopes = ['videos:read', 'videos:write'];
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n += 1)
    keys.push((await admin.IssueKey({ publisherId, scopes, minuteLimit: 10_000, dailyLimit: 1_000_000 })).secretKey);
  await admin.close();
  return keys;
};

const fire = async (
  url: string,
  keys: readonly string[],
  request: { method: 'GET' | 'POST'; path: string; body?: string },
): Promise<Figures> => {
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
    bad: result.non2xx + result.errors,
  };
};

const withBare = async ({ house }: BenchHouse, pepper: string, work: (url: string) => Promise<void>): Promise<void> => {
  const databaseOf = (service: 'auth' | 'catalog'): string => {
    const { url, password } = house.login(service);
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
    await work(`http://127.0.0.1:${port}`);
  } finally {
    child.kill('SIGTERM');
  }
};

const line = (what: string, ours: Figures, bare: Figures): string =>
  [
    what.padEnd(16),
    `house ${ours.perSecond.toFixed(0)}/s p50 ${ours.p50} ms p99 ${ours.p99} ms`,
    `bare ${bare.perSecond.toFixed(0)}/s p50 ${bare.p50} ms p99 ${bare.p99} ms`,
    `ratio ${(ours.perSecond / bare.perSecond).toFixed(2)}`,
    ...(ours.bad + bare.bad > 0 ? [`NOT 2xx: ${ours.bad} and ${bare.bad}`] : []),
  ].join('   ');

export const benchApi = async (): Promise<void> => {
  const pepper = randomBytes(32).toString('base64');
  const options = {
    services: ['auth' as const, 'catalog' as const, 'gateway' as const],
    env: { auth: { KEY_PEPPERS: `1:${pepper}` }, gateway: { PLAYBACK_PUBLIC_URL: 'https://play.example.com' } },
  };
  await withHouse(options, async (bench) => {
    const keys = await step(`${KEYS} keys`, () => issueKeys(bench));
    const body = JSON.stringify({ source_url: 'https://media.example.com/final.mp4', title: 'Championship final' });
    await withBare(bench, pepper, async (bareUrl) => {
      const gateway = bench.house.url('gateway');
      const made = await fetch(`${gateway}/v1/videos`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' },
      });
      const { id } = (await made.json()) as { id: string };
      const requests = [
        ['POST /v1/videos', { method: 'POST', path: '/v1/videos', body }],
        ['GET /v1/videos', { method: 'GET', path: `/v1/videos/${id}` }],
      ] as const;
      for (const [what, request] of requests) {
        say(`… ${what}, ${CONNECTIONS} connections, ${SECONDS} s each`);
        await fire(gateway, keys, request); // warms both caches and the compiler
        const ours = await fire(gateway, keys, request);
        await fire(bareUrl, keys, request);
        const bare = await fire(bareUrl, keys, request);
        process.stdout.write(`${line(what, ours, bare)}\n`);
      }
    });
  });
};
