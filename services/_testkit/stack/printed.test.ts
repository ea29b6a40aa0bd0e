import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { purposes } from '@vds/deploy-tools/installation';
import { provisionBuckets, provisionPolicies, provisionS3Users } from '@vds/deploy-tools/provision/buckets';
import { serverKeys } from '@vds/deploy-tools/provision/component-keys';
import { printed } from '@vds/deploy-tools/provision/print/print';
import { serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { MANAGED_ADMIN, startManagedPostgres, type ManagedPostgres } from '../harness/managed-postgres.ts';
import { makeSample } from '../media/make-samples.ts';
import type { Sample } from '../media/sample-list.ts';
import { mediaDir } from '../media/render.ts';
import { startOrigin, type Origin } from '../origin/origin.ts';
import { goProgram } from '../programs/go-programs.ts';
import { run } from '../servers/command.ts';
import { answers, startDetached, stopDetached, untilReady } from '../servers/detached.ts';
import { freePort } from '../servers/free-port.ts';
import { postgresClient } from '../servers/postgres.ts';
import { readServers, type Servers } from '../servers/servers-file.ts';
import { until } from '../until.ts';
import { removeBuckets } from './bucket-removal.ts';
import { removeIndexes } from './indexes.ts';
import { operatorOf } from './operator.ts';
import { partnerAt } from './partner.ts';
import { migrateAll } from './provision.ts';
import { startStack, type Stack } from './start-stack.ts';
import { openState, type StackState } from './state.ts';

/** Two seconds without sound. */
const CLIP: Sample = {
  ...{ name: 'mp4-h264-320x240-15fps-silent', container: 'mp4', codec: 'h264', audio: null },
  ...{ width: 320, height: 240, fps: 15, frames: 30, seconds: 2 },
};

describe('what provision prints for the administrators of servers', function () {
  this.timeout(300_000);
  const name = `printed${process.pid}`;
  const dir = mkdtempSync(join(tmpdir(), 'printed-'));
  const closers: (() => unknown)[] = [];
  let state: StackState;
  let postgres: ManagedPostgres;
  let servers: Servers;
  let origin: Origin;
  let stack: Stack;

  before(async () => {
    state = openState(join(dir, 'stack'), name);
    closers.push(() => rmSync(dir, { recursive: true, force: true }));
    postgres = await startManagedPostgres();
    closers.push(postgres.close);
  });
  after(async () => {
    for (const close of closers.reverse()) await close();
  });

  /** The Secrets as the cluster mounts them. */
  const secretFiles = (): string => {
    const folder = join(dir, 'components');
    for (const service of serviceNames) {
      mkdirSync(join(folder, service), { recursive: true });
      for (const [key, purpose] of serverKeys(service))
        writeFileSync(join(folder, service, key), state.secret(purpose));
    }
    return folder;
  };
  const environment = () => ({ PREFIX: name, SECRETS_DIR: secretFiles() });
  const psql = async (script: string): Promise<void> => {
    const file = join(dir, 'printed.sql');
    writeFileSync(file, script, { mode: 0o600 });
    const { host, port, adminPassword } = postgres.admin.postgres;
    const login = ['-h', host, '-p', String(port), '-U', MANAGED_ADMIN, '-d', 'postgres'];
    const env = { ...process.env, PGPASSWORD: adminPassword };
    await run(postgresClient('psql'), ['--no-psqlrc', '--quiet', ...login, '--file', file], { env });
  };
  /** A server with the printed account and nothing else. */
  const startNats = async (account: string): Promise<Servers['nats']> => {
    const [port, monitor] = [await freePort(), await freePort()];
    const folder = join(dir, 'nats');
    mkdirSync(folder);
    const config = [
      `listen: "127.0.0.1:${port}"\nhttp: "127.0.0.1:${monitor}"`,
      `jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))} }`,
      account,
    ];
    writeFileSync(join(folder, 'nats.conf'), config.join('\n'), { mode: 0o600 });
    const command = goProgram('nats-server') ?? 'nats-server';
    const monitorUrl = `http://127.0.0.1:${monitor}`;
    startDetached({ dir: folder, name: 'nats', command, args: ['-c', join(folder, 'nats.conf')], env: {} });
    closers.push(() => stopDetached(folder, 'nats'));
    await untilReady(folder, 'nats', () => answers(`${monitorUrl}/healthz`));
    return { ...readServers().nats, url: `nats://127.0.0.1:${port}`, monitorUrl, dir: folder };
  };

  it('the printed SQL runs in psql as an administrator that is not a superuser, twice in a row', async () => {
    const script = printed('sql', environment()) ?? '';
    await psql(script);
    await psql(script);
    const found = await postgres.query(`select datname from pg_database where datname like '${name}\\_%'`);
    expect(found).to.have.length(7);
  });
  it('the printed SQL contains no password, and sets none if it has none', () => {
    const passwords = serviceNames.flatMap((service) => [
      state.secret(purposes.owner(service)),
      state.secret(purposes.runtime(service)),
    ]);
    const script = printed('sql', environment()) ?? '';
    for (const password of passwords) expect(script).not.to.include(password);
    expect(script).to.include("login password 'SCRAM-SHA-256$");
    const without = printed('sql', { PREFIX: name }) ?? '';
    expect(without).not.to.match(/ password '/);
    expect(without).to.include(`--   \\password "${name}_catalog"`);
  });
  it('a stack on the printed SQL and the printed NATS account becomes ready', async () => {
    const nats = await startNats(printed('nats', environment()) ?? '');
    servers = { ...readServers(), postgres: postgres.admin.postgres, nats };
    closers.push(async () => {
      await removeBuckets(servers, name);
      await removeIndexes(servers, name);
    });
    await provisionS3Users(servers, state);
    await provisionBuckets(servers, name);
    await provisionPolicies(servers, name);
    const stores = [...serviceNames].filter((service) => serverKeys(service).has('DATABASE_PASSWORD'));
    await migrateAll(servers, state, stores);
    origin = await startOrigin({ root: mediaDir });
    closers.push(origin.close);
    const { PRIVATE_SOURCES } = origin.environment;
    const env: Record<string, Record<string, string>> = {};
    for (const service of serviceNames) env[service] = { NATS_PREFIX: name };
    Object.assign(env['gateway'] ?? {}, { PRIVATE_SOURCES });
    Object.assign(env['ingest'] ?? {}, origin.environment);
    stack = await startStack({ dir: state.dir, name, servers, provisioned: true, env });
    closers.push(stack.stop);
    expect(stack.processes.map((one) => one.name)).to.have.members([...serviceNames] satisfies ServiceName[]);
  });
  it('a stack on the printed SQL and the printed NATS account takes a clip to ready', async () => {
    const file = await makeSample(CLIP);
    const operator = operatorOf(stack);
    closers.push(operator.close);
    const key = await operator.key(await operator.publisher('printed', 'printed'));
    const partner = partnerAt(stack.url('gateway'), key);
    const { id } = await partner.submit({ source_url: origin.url(`/${basename(file)}`), title: 'A clip' });
    const ended = async () => {
      const { status } = await partner.read(id);
      return ['ready', 'failed'].includes(status) ? status : false;
    };
    expect(await until(ended, { what: 'the clip is ready', capMs: 180_000, everyMs: 500 })).to.equal('ready');
  });
  it('the streams of a running stack are those that the page on installation lists', async () => {
    const prefix = `${name.toUpperCase()}_`;
    const streams = async (): Promise<string[]> => {
      const response = await fetch(`${servers.nats.monitorUrl}/jsz?accounts=1&streams=1`);
      const { account_details: accounts = [] } = (await response.json()) as {
        account_details?: { stream_detail?: { name: string }[] }[];
      };
      return accounts.flatMap(({ stream_detail: found = [] }) => found.map((one) => one.name));
    };
    const page = readFileSync(new URL('../../../deploy/guide/install.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, stream = '']) => prefix + stream);
    expect(listed).to.have.length.greaterThan(10);
    // Playback is ready without its stream.
    const all = async (): Promise<boolean> => (await streams()).length >= listed.length;
    await until(all, { what: 'the streams of every service' });
    expect(await streams()).to.have.members(listed);
  });
});
