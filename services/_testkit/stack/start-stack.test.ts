import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServers } from '../servers/servers-file.ts';
import { until } from '../until.ts';
import { migrate } from '@vds/deploy-tools/migrate/migrations';
import { startStack, type Stack } from './start-stack.ts';

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // no such process
  }
}

describe('a stack on this host', function () {
  this.timeout(120_000);
  const dirs: string[] = [];
  const open = async (name: string, dir = mkdtempSync(join(tmpdir(), 'stack-'))): Promise<Stack> => {
    dirs.push(dir);
    return await startStack({ dir, name, servers: readServers(), services: ['auth', 'catalog', 'gateway'] });
  };
  const names = [`a${process.pid}`, `b${process.pid}`] as const;
  let stack: Stack;
  let other: Stack | undefined;

  before(async () => {
    stack = await open(names[0]);
  });
  after(async () => {
    for (const one of [stack, other]) await one?.remove();
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
  });

  it('a stack answers at its endpoints', async () => {
    expect(await statusOf(`${stack.url('gateway')}/v1/videos/x`)).to.equal(401);
    for (const { adminUrl } of stack.processes) expect(await statusOf(`${adminUrl}/readyz`)).to.equal(200);
  });

  it('a process of a stack is back at the same port after kill -9', async () => {
    const auth = stack.process('auth');
    const first = auth.pid();
    expect(await auth.kill()).to.equal('SIGKILL');
    expect(auth.pid()).to.equal(undefined);
    await auth.restart();
    expect(auth.pid()).not.to.equal(first);
    expect(await statusOf(`${auth.adminUrl}/readyz`)).to.equal(200);
  });

  it('a superuser’s pool of a stack outlives its connections', async () => {
    const [pool, other] = [stack.adminPool('catalog'), stack.adminPool('auth')];
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await until(() => pool.totalCount === 0, { what: 'the pool has noticed' });
    expect((await pool.query('SELECT 1')).rowCount).to.equal(1);
  });

  it('a process of a stack that does not become ready is named with what it waits for', async () => {
    const auth = stack.process('auth');
    const pid = auth.pid() ?? 0;
    process.kill(pid, 'SIGSTOP');
    const error = await auth.ready(500).catch(String);
    process.kill(pid, 'SIGCONT');
    expect(error).to.match(/auth is ready \(log: .*auth\.log\): not within 500 ms .*\/readyz does not answer/);
    await auth.ready();
  });

  it('no log or argument list of a stack contains a secret', () => {
    const { password } = stack.login('auth');
    const secrets = [password, ...Object.values(stack.tokens)];
    for (const one of stack.processes) {
      const seen = [readFileSync(one.logFile, 'utf8')];
      if (process.platform === 'linux') seen.push(readFileSync(`/proc/${one.pid()}/cmdline`, 'utf8'));
      for (const text of seen) for (const secret of secrets) expect(text).not.to.contain(secret);
    }
  });

  it('a stack has nothing to migrate at its second start', async () => {
    const { url } = stack.login('auth');
    const owner = JSON.parse(readFileSync(join(stack.dir, 'stack.json'), 'utf8')) as {
      secrets: Record<string, string>;
    };
    const password = owner.secrets['database owner of auth'] ?? '';
    expect(await migrate('auth', url.replace('_auth@', '_auth_owner@'), password)).to.deep.equal([]);
  });

  it('two stacks run side by side', async () => {
    other = await open(names[1]);
    await stack
      .adminPool('auth')
      .query(`insert into staff (id, name, secret_hash) values ('only-here', 'a', sha256('a'))`);
    const { rows } = await other.adminPool('auth').query(`select 1 from staff where id = 'only-here'`);
    expect(rows).to.deep.equal([]);
    expect(await statusOf(`${other.url('gateway')}/v1/videos/x`)).to.equal(401);
  });

  it('a stopped stack keeps its data and ports for the next start', async () => {
    const url = stack.url('gateway');
    expect(await stack.stop()).to.deep.equal({ auth: 0, catalog: 0, gateway: 0 });
    await until(
      async () =>
        await statusOf(url).then(
          () => false,
          () => true,
        ),
      { what: 'the gateway does not listen' },
    );
    const again = await open(names[0], stack.dir);
    expect(again.url('gateway')).to.equal(url);
    const { rows } = await again.adminPool('auth').query(`select name from staff where id = 'only-here'`);
    expect(rows).to.deep.equal([{ name: 'a' }]);
    stack = again;
  });

  it('starting a stack ends the processes of a killed one', async () => {
    const left = stack.process('gateway').pid() ?? 0;
    const again = await open(names[0], stack.dir);
    expect(lives(left)).to.equal(false);
    expect(again.process('gateway').pid()).not.to.equal(left);
    stack = again;
  });
});
