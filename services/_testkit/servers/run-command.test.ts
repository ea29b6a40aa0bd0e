import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipBecause } from '../skip.ts';
import { until } from '../until.ts';
import { runningPid, startDetached, stopDetached } from './detached.ts';
import { born } from './process-table.ts';

describe('a command', function () {
  this.timeout(60_000);
  const state = mkdtempSync(join(tmpdir(), 'vds-run-command-'));
  const dir = join(state, 'servers');
  const sleeper = { command: 'sleep', args: ['600'], env: process.env };

  before(() => mkdirSync(dir));
  after(async () => {
    for (const name of ['kept', 'own', 'slow']) await stopDetached(dir, name, 'SIGKILL');
    rmSync(state, { recursive: true });
  });

  /** Runs the body of a command's main function in a separate process; returns its exit code or signal. */
  const run = async (body: string): Promise<unknown> => {
    const here = JSON.stringify(import.meta.dirname);
    const code = `
      const { runCommand } = await import(${here} + '/run-command.ts');
      const { runningPid, startDetached, stopDetached } = await import(${here} + '/detached.ts');
      const { spareRunning } = await import(${here} + '/owned-processes.ts');
      const dir = ${JSON.stringify(dir)};
      const start = (name) => startDetached({ dir, name, command: 'sleep', args: ['600'], env: process.env });
      await runCommand(async (signal) => { ${body} });`;
    const env = { ...process.env, VDS_STATE: state };
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { env, stdio: 'ignore' });
    return await new Promise((resolve) => child.once('exit', (exit, signal) => resolve(exit ?? signal)));
  };

  it('the end of a command ends what it started, but not a server that ran before and that it restarted', async () => {
    startDetached({ dir, name: 'kept', ...sleeper });
    const spared = `spareRunning({ dir, name: 'kept' }, runningPid(dir, 'kept'));`;
    expect(await run(`${spared} await stopDetached(dir, 'kept'); start('kept'); start('own'); return 3;`)).to.equal(3);
    expect(runningPid(dir, 'own')).to.equal(null);
    expect(runningPid(dir, 'kept')).not.to.equal(null);
  });
  it('a command that fails ends what it started and returns 1', async () => {
    expect(await run(`start('own'); throw new Error('it fails');`)).to.equal(1);
    expect(runningPid(dir, 'own')).to.equal(null);
  });
  it('processes that a killed child of a command started and could not record are ended too', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'the environment of other processes is read from /proc');
    const pidFile = join(state, 'unrecorded.pid');
    // The shell ends at once, like a killed suite: what it started belongs to nobody.
    const script = `setsid sleep 600 & echo $! > ${pidFile}`;
    const orphan = `const { spawnSync } = await import('node:child_process');
      spawnSync('sh', ['-c', ${JSON.stringify(script)}], { stdio: 'ignore' });`;
    expect(await run(`${orphan} return 0;`)).to.equal(0);
    expect(born(Number(readFileSync(pidFile, 'utf8')))).to.equal(null);
  });
  it('a command that calls process.exit ends what it started', async () => {
    expect(await run(`start('own'); process.exit(4);`)).to.equal(4);
    // It cannot wait for what it has killed.
    await until(() => runningPid(dir, 'own') === null, { what: 'it has ended' });
  });
  it('a command starts nothing more once it ends', async () => {
    const late = `setTimeout(() => start('slow'), 200); process.kill(process.pid, 'SIGTERM');`;
    const stubborn = `const { spawn } = await import('node:child_process');
      spawn('sh', ['-c', 'trap "" TERM; sleep 1'], { stdio: 'ignore' }); await new Promise((r) => setTimeout(r, 100));`;
    expect(await run(`${stubborn} ${late} await new Promise(() => {});`)).to.be.oneOf([1, 143]);
    expect(runningPid(dir, 'slow')).to.equal(null);
  });
});
