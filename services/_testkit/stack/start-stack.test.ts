import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServers } from '../servers/servers-file.ts';
import { until } from '../until.ts';
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
  const dir = mkdtempSync(join(tmpdir(), 'stack-'));
  const name = `a${process.pid}`;
  const open = (): Promise<Stack> =>
    startStack({ dir, name, servers: readServers(), services: ['auth', 'catalog', 'gateway'] });
  let stack: Stack;

  before(async () => {
    stack = await open();
  });
  after(async () => {
    await stack?.remove();
    rmSync(dir, { recursive: true, force: true });
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

  it('a stopped stack keeps its data and ports for the next start', async () => {
    const url = stack.url('gateway');
    await stack.adminPool('auth').query(`insert into staff (id, name, secret_hash) values ('kept', 'a', sha256('a'))`);
    expect(await stack.stop()).to.deep.equal({ auth: 0, catalog: 0, gateway: 0 });
    await until(
      async () =>
        await statusOf(url).then(
          () => false,
          () => true,
        ),
      { what: 'the gateway does not listen' },
    );
    const again = await open();
    expect(again.url('gateway')).to.equal(url);
    const { rows } = await again.adminPool('auth').query(`select name from staff where id = 'kept'`);
    expect(rows).to.deep.equal([{ name: 'a' }]);
    stack = again;
  });

  it('starting a stack ends the processes of a killed one', async () => {
    const left = stack.process('gateway').pid() ?? 0;
    const again = await open();
    expect(lives(left)).to.equal(false);
    expect(again.process('gateway').pid()).not.to.equal(left);
    stack = again;
  });
});
