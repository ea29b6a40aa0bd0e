/** Graceful termination of every service: on a rollout, on a node's drain, and during startup. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../servers/free-port.ts';
import { readServers } from '../servers/servers-file.ts';
import { testDatabase } from '../harness/database.ts';
import { until } from '../until.ts';
import { expect } from 'chai';
import { environmentOf, type PlannedProcess } from './environment.ts';
import { stackProcess, type Exit, type StackProcess } from './processes.ts';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { startStack, type Stack } from './start-stack.ts';
import { openState } from './state.ts';

function statusOf(url: string): Promise<number> {
  return fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
    ({ status }) => status,
    () => 0,
  );
}

/** gRPC's health method, whose request and response are empty but for their frame; returns the response's `:status`. */
function callHealth(session: ClientHttp2Session): Promise<number> {
  return new Promise((resolve) => {
    const call = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('response', (headers) => resolve(Number(headers[':status'])));
    call.on('error', () => resolve(0));
    call.resume().end(Buffer.alloc(5));
  });
}

type Seen = {
  readonly readyAfter: number;
  readonly endpoint: string;
  readonly drained: boolean;
  readonly exit: Exit;
  readonly ms: number;
  readonly log: string;
};

/** A client that stays connected to the service until after its exit. */
async function openClient({ ports, url }: StackProcess) {
  const rpcPort = ports.rpc ?? ports.adminRpc;
  if (rpcPort !== undefined) {
    const session = connectHttp2(`http://127.0.0.1:${rpcPort}`);
    let drained = false;
    session.on('error', () => undefined).on('goaway', () => void (drained = true));
    await callHealth(session);
    const probe = async (): Promise<string> => ((await callHealth(session)) === 200 ? 'serves' : 'closed');
    return { probe, drained: () => drained, close: () => session.destroy() };
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let drained = false;
  const probe = (): Promise<string> =>
    new Promise((resolve) => {
      get(`${url}/not-found`, { agent }, (answer) => {
        drained ||= answer.headers.connection === 'close';
        answer.resume().once('end', () => resolve('serves'));
      }).once('error', () => resolve('closed'));
    });
  await probe();
  return { probe, drained: () => drained, close: () => agent.destroy() };
}

const DRAIN_MS = 4_000;
const AT_ONCE_MS = 1_500;

async function endOne(one: StackProcess): Promise<Seen> {
  const client = await openClient(one);
  const from = performance.now();
  const ended = one.kill('SIGTERM');
  await until(async () => (await statusOf(`${one.adminUrl}/readyz`)) === 503, {
    what: `${one.name} is unready`,
    everyMs: 10,
  });
  const readyAfter = performance.now() - from;
  const endpoint = await client.probe();
  const pid = one.pid();
  if (pid !== undefined) process.kill(pid, 'SIGTERM');
  const exit = await ended;
  const ms = performance.now() - from;
  await sleep(50);
  client.close();
  return { readyAfter, endpoint, drained: client.drained(), exit, ms, log: readFileSync(one.logFile, 'utf8') };
}

describe('SIGTERM', function () {
  this.timeout(120_000);
  const dirs: string[] = [];
  const newDir = (): string => {
    const dir = mkdtempSync(join(tmpdir(), 'sigterm-'));
    dirs.push(dir);
    return dir;
  };
  after(() => dirs.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

  describe('SIGTERM to a running service', () => {
    let stack: Stack | undefined;
    const seen = new Map<string, Seen>();
    before(async () => {
      const env = { DRAIN_DELAY: `${DRAIN_MS}ms`, CLOSE_TIMEOUT: '15s' };
      const all = Object.fromEntries(serviceNames.map((name) => [name, env]));
      stack = await startStack({ dir: newDir(), servers: readServers(), name: `term${process.pid}`, env: all });
      const ends = stack.processes.map(async (one) => void seen.set(one.service, await endOne(one)));
      await Promise.all(ends);
    });
    after(() => stack?.remove());

    const of = (service: ServiceName): Seen => seen.get(service) ?? expect.fail(`${service} was not seen`);
    for (const service of serviceNames) {
      it(`SIGTERM makes ${service} unready at once, while its endpoint still serves`, () => {
        expect(of(service).readyAfter).to.be.below(AT_ONCE_MS);
        expect(of(service).endpoint).to.equal('serves');
      });
      it(`SIGTERM makes ${service} send its callers elsewhere before it closes`, () => {
        expect(of(service).drained).to.equal(true);
      });
      it(`repeated SIGTERM ends ${service} with 0 after its drain delay, every component closed`, () => {
        const { exit, ms, log } = of(service);
        expect(exit).to.equal(0);
        expect(ms).to.be.within(DRAIN_MS - 10, DRAIN_MS + 12_000);
        expect(log.split('"msg":"stopping"').length).to.be.greaterThan(2);
        expect(log).not.to.match(/failed to close|did not close in time|calls were cancelled|uncaught exception/);
      });
    }
  });

  describe('SIGTERM to a service that waits for its dependencies', () => {
    const begun: StackProcess[] = [];
    after(() => Promise.all(begun.map((one) => one.kill())));

    /** A service all of whose servers and peers are closed ports. */
    const withoutServers = async (service: ServiceName, more: Record<string, string> = {}): Promise<StackProcess> => {
      const real = readServers();
      const closed = await freePort();
      const url = `http://127.0.0.1:${closed}`;
      const servers = {
        ...real,
        postgres: { ...real.postgres, host: '127.0.0.1', port: closed },
        nats: { ...real.nats, url: `nats://127.0.0.1:${closed}` },
        s3: { ...real.s3, endpoint: url },
        opensearch: { url },
      };
      const dir = newDir();
      const state = openState(dir, `alone${service}`);
      const planned: PlannedProcess[] = [];
      for (const name of serviceNames) planned.push({ name, service: name, ports: await state.ports(name, name) });
      const own = planned.find(({ name }) => name === service) ?? expect.fail(service);
      const env = { DRAIN_DELAY: '1h', ...more };
      const one = stackProcess(dir, own, environmentOf(servers, state, planned, own, env));
      begun.push(one);
      one.start();
      await until(async () => (await statusOf(`${one.adminUrl}/livez`)) === 200, { what: `${service} lives` });
      return one;
    };
    const logOf = (one: StackProcess): string => readFileSync(one.logFile, 'utf8');

    const ends = new Map<ServiceName, { ready: number; exit: Exit; ms: number; log: string }>();
    const endWithoutServers = async (service: ServiceName): Promise<void> => {
      const one = await withoutServers(service);
      if (rowOf(service).database)
        await until(() => logOf(one).includes('waiting for the schema'), { what: `${service} logs what it waits for` });
      const ready = await statusOf(`${one.adminUrl}/readyz`);
      const from = performance.now();
      const exit = await one.kill('SIGTERM');
      ends.set(service, { ready, exit, ms: performance.now() - from, log: logOf(one) });
    };
    // One at a time: ten programs that are loaded at once take a busy machine half a minute.
    before(async () => {
      for (const service of serviceNames) await endWithoutServers(service);
    });

    for (const service of serviceNames) {
      it(`SIGTERM ends ${service} with 0 at once while it is alive but waits for its dependencies`, () => {
        const { ready, exit, ms, log } = ends.get(service) ?? expect.fail(`${service} was not seen`);
        expect([ready, exit]).to.deep.equal([503, 0]);
        expect(ms).to.be.below(5_000);
        expect(log).not.to.match(/could not start|uncaught exception/);
      });
    }

    it('SIGTERM ends a service with 0 that waits for migrations, and /readyz names the database', async () => {
      const database = await testDatabase();
      try {
        const one = await withoutServers('auth', { DATABASE_URL: database.url, DATABASE_PASSWORD: database.password });
        const readiness = async (): Promise<string> => (await fetch(`${one.adminUrl}/readyz`)).text();
        await until(async () => (await readiness()).includes('"database":"failing"'), { what: 'it names the check' });
        expect(await statusOf(`${one.adminUrl}/livez`)).to.equal(200);
        expect(await one.kill('SIGTERM')).to.equal(0);
      } finally {
        await database.drop();
      }
    });
  });
});
