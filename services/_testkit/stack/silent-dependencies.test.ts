/** SIGTERM to every service while all of its dependencies are silent, and while they are unavailable. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { expect } from 'chai';
import { lasts } from '@vds/testkit/until';
import { openCuttingProxy, type CuttingProxy } from '../harness/cutting-proxy.ts';
import { openProxies } from '../servers/proxied.ts';
import { readServers } from '../servers/servers-file.ts';
import type { Environment, PlannedProcess } from './environment.ts';
import type { Exit } from './processes.ts';
import { startStack, type Stack } from './start-stack.ts';

const MAX_MS = 10_000;
type End = { readonly exit: Exit; readonly ms: number; readonly log: string };

describe('SIGTERM without dependencies', function () {
  this.timeout(240_000);
  const dir = mkdtempSync(join(tmpdir(), 'silent-'));
  const proxies: CuttingProxy[] = [];
  const ends = new Map<string, End>();
  let stack: Stack | undefined;

  /** Loses the dependencies, and ends every process. */
  const endAll = async (state: string, loseDependencies: () => void): Promise<void> => {
    const { processes } = stack ?? expect.fail('nothing runs');
    loseDependencies();
    await lasts(1_000); // whatever is periodic runs into it
    await Promise.all(
      processes.map(async (one) => {
        const begin = readFileSync(one.logFile, 'utf8').length;
        const from = performance.now();
        const exit = await one.kill('SIGTERM');
        const log = readFileSync(one.logFile, 'utf8').slice(begin);
        ends.set(`${one.service} ${state}`, { exit, ms: performance.now() - from, log });
      }),
    );
  };

  before(async () => {
    const env: Partial<Record<ServiceName, Environment>> = {};
    const { proxied: servers, proxies: ofServers } = await openProxies(readServers());
    proxies.push(...Object.values(ofServers));
    const targets = new Map<string, CuttingProxy>();
    for (const service of serviceNames)
      for (const peer of rowOf(service).peers) {
        const proxy = await openCuttingProxy();
        proxies.push(proxy);
        targets.set(`${service} ${peer}`, proxy);
        env[service] = { ...env[service], [`${peer.toUpperCase()}_RPC`]: `dns:///127.0.0.1:${proxy.port}` };
      }
    const onPlanned = (planned: readonly PlannedProcess[]): void => {
      for (const [pair, proxy] of targets)
        proxy.forwardTo(planned.find(({ service }) => service === pair.split(' ')[1])?.ports.rpc ?? 0);
    };
    stack = await startStack({ dir, servers, name: `silent${process.pid}`, env, onPlanned });
    await endAll('silent', () => proxies.forEach((proxy) => proxy.dropResponses()));
    proxies.forEach((proxy) => proxy.cut());
    stack.processes.forEach((one) => one.start());
    await Promise.all(stack.processes.map((one) => one.ready()));
    await endAll('away', () => proxies.forEach((proxy) => proxy.refuse()));
    proxies.forEach((proxy) => proxy.cut());
  });
  after(async () => {
    proxies.forEach((proxy) => proxy.cut()); // or the removal waits for the silent ones
    await stack?.remove();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    rmSync(dir, { recursive: true, force: true });
  });

  for (const service of serviceNames)
    for (const state of ['silent', 'away'])
      it(`SIGTERM ends ${service} with 0 within 10 s while its dependencies are ${state}`, () => {
        const { exit, ms, log } = ends.get(`${service} ${state}`) ?? expect.fail(`${service} was not seen`);
        expect(exit, log).to.equal(0);
        expect(ms, log).to.be.below(MAX_MS);
        expect(log.split('\n').find((line) => /did not close in time|uncaught exception/.test(line))).to.equal(
          undefined,
        );
      });
});
