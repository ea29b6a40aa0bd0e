import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@vds/testkit/servers/free-port';
import { until } from '@vds/testkit/until';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** Runs a small service in its own process and collects its output. */
function start(dir: string, boot: string, env: Record<string, string>) {
  const file = join(dir, `${Math.random().toString(36).slice(2)}.ts`);
  writeFileSync(
    file,
    `import { run } from '${source}/process/run.ts';
     import { text } from '${source}/config/config.ts';
     await run('probe', { greeting: ['GREETING', text] }, async ({ config, log, own, health, signal, forceClose }) => { ${boot} });`,
  );
  const child: ChildProcess = spawn(process.execPath, [file], { env: { PATH: process.env['PATH'] ?? '', ...env } });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { child, exit, output: () => output };
}

describe('run', () => {
  let dir: string;
  let port: number;
  before(() => void (dir = mkdtempSync(join(tmpdir(), 'run-test-'))));
  after(() => rmSync(dir, { recursive: true }));
  beforeEach(async () => void (port = await freePort()));
  const env = (): Record<string, string> => ({ ADMIN_PORT: String(port), GREETING: 'hi' });
  const get = (path: string): Promise<number> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (r) => r.status,
      () => 0,
    );

  const alive = async (probe: { output: () => string }): Promise<void> =>
    void (await until(() => probe.output().includes('"msg":"ready"'), { what: 'ready' }));

  it('a service with invalid configuration lists every invalid variable and exits with 1', async () => {
    const probe = start(dir, '', { ADMIN_PORT: 'x' });
    expect(await probe.exit).to.equal(1);
    expect(probe.output()).to.contain('GREETING is not set').and.contain('ADMIN_PORT must be a whole number');
  });

  it('a service is live while it starts, ready afterwards, and serves metrics', async () => {
    const boot = `const go = new Promise((r) => process.once('SIGUSR2', r)); console.log('booting'); await go;`;
    const probe = start(dir, boot, env());
    await until(() => probe.output().includes('booting'), { what: 'the start' });
    expect([await get('/livez'), await get('/readyz')]).to.deep.equal([200, 503]);
    probe.child.kill('SIGUSR2');
    await until(async () => (await get('/readyz')) === 200, { what: '/readyz' });
    expect(await get('/metrics')).to.equal(200);
    probe.child.kill('SIGTERM');
    expect(await probe.exit).to.equal(0);
  });

  it('a service is not live while a reason for a restart lasts, which /livez states', async () => {
    const probe = start(
      dir,
      `let reason; health.addLiveness(async () => reason); process.once('SIGUSR2', () => (reason = 'the pool is stuck'));`,
      env(),
    );
    await alive(probe);
    expect(await get('/livez')).to.equal(200);
    probe.child.kill('SIGUSR2');
    await until(async () => (await get('/livez')) === 503, { what: 'not live' });
    expect(await fetch(`http://127.0.0.1:${port}/livez`).then((r) => r.text())).to.equal('the pool is stuck\n');
    probe.child.kill('SIGTERM');
    expect(await probe.exit).to.equal(0);
  });

  it('a service is not ready while a check fails, and names the check and no more: its reason is in the log', async () => {
    const probe = start(dir, `health.add('store', () => Promise.reject(new Error('user=vds at db.internal')));`, env());
    const body = () => fetch(`http://127.0.0.1:${port}/readyz`).then((r) => r.text(), String);
    await until(async () => (await body()).includes('"phase":"serving"'), { what: 'it serves' });
    expect(await body()).to.equal('{"ready":false,"phase":"serving","checks":{"store":"failing"}}\n');
    await until(() => probe.output().includes('user=vds at db.internal'), { what: 'the reason in the log' });
    expect(await get('/livez')).to.equal(200);
    probe.child.kill('SIGTERM');
    await probe.exit;
  });

  it('SIGTERM closes the components in reverse order and exits with 0', async () => {
    const boot = `for (const name of ['first', 'second']) own(name, { close: async () => console.log('closed ' + name) });`;
    const probe = start(dir, boot, env());
    await until(async () => (await get('/readyz')) === 200, { what: '/readyz' });
    probe.child.kill('SIGTERM');
    expect(await probe.exit).to.equal(0);
    expect(probe.output()).to.match(/closed second\n[\s\S]*closed first/);
  });

  it('a service that fails to start closes what it has opened and exits with 1', async () => {
    const probe = start(
      dir,
      `own('first', { close: async () => console.log('closed first') }); throw new Error('no database');`,
      env(),
    );
    expect(await probe.exit).to.equal(1);
    expect(probe.output()).to.contain('could not start: no database').and.contain('closed first');
  });

  it('an uncaught error ends the process with 1', async () => {
    const probe = start(dir, `setTimeout(() => void Promise.reject(new Error('stray')), 50);`, env());
    expect(await probe.exit).to.equal(1);
    expect(probe.output()).to.contain('stray');
  });

  it('SIGTERM turns readiness off at once, requests are served until the drain delay ends, and a second SIGTERM has no effect', async () => {
    const boot = `own('server', { close: async () => console.log('closed server') });`;
    const probe = start(dir, boot, { ...env(), DRAIN_DELAY: '3s' });
    await alive(probe);
    const from = performance.now();
    probe.child.kill('SIGTERM');
    await until(async () => (await get('/readyz')) === 503, { what: 'not ready' });
    expect(probe.output()).not.to.contain('closed server');
    probe.child.kill('SIGTERM');
    expect(await probe.exit).to.equal(0);
    expect(performance.now() - from).to.be.within(2_990, 12_000);
    expect(probe.output().split('closed server')).to.have.length(2);
  });

  it('SIGTERM during startup skips the drain delay, opens nothing further and exits with 0', async () => {
    const boot = `own('first', { close: async () => console.log('closed first') });
      console.log('booting'); await new Promise((r) => signal.addEventListener('abort', r));
      own('second', { close: async () => console.log('closed second') }); console.log('opened a third');`;
    const probe = start(dir, boot, { ...env(), DRAIN_DELAY: '1h' });
    await until(() => probe.output().includes('booting'), { what: 'the start' });
    probe.child.kill('SIGTERM');
    expect(await probe.exit).to.equal(0);
    expect(probe.output()).to.contain('closed first').and.contain('closed second');
    expect(probe.output()).not.to.contain('opened a third').and.not.contain('could not start');
  });

  it('connections on which components still wait are cut while they close, and the process exits with 0', async () => {
    const boot = `own('waiting', { close: () => new Promise((resolve) => {
      const pending = setInterval(() => {}, 1_000);
      forceClose.addEventListener('abort', () => { clearInterval(pending); resolve(); });
    }) });`;
    const probe = start(dir, boot, env());
    await alive(probe);
    probe.child.kill('SIGTERM');
    expect(await probe.exit).to.equal(0);
  });

  it('a component that does not close in time is logged, and the process exits with 1', async () => {
    const boot = `own('stuck', { close: () => new Promise(() => setInterval(() => {}, 1_000)) });`;
    const probe = start(dir, boot, { ...env(), CLOSE_TIMEOUT: '200ms' });
    await alive(probe);
    probe.child.kill('SIGTERM');
    expect(await probe.exit).to.equal(1);
    expect(probe.output()).to.contain('did not close in time');
  });
});
