import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSuite, type SuiteResult } from './run-suite.ts';
import { runFailed, summary } from './summary.ts';
import { needsServers } from './needs-servers.ts';
import { allSuites, chosenSuites, longestFirst, unmatchedNames } from './suites.ts';

const skipUrl = fileURLToPath(import.meta.resolve('@vds/testkit/skip'));

async function run(body: string, signal = new AbortController().signal): Promise<SuiteResult> {
  const dir = mkdtempSync(join(tmpdir(), 'run-suite-'));
  try {
    writeFileSync(join(dir, 'one.test.mjs'), `import { skipBecause } from ${JSON.stringify(skipUrl)};\n${body}`);
    const suite = { name: 'sample', cwd: dir, files: ['one.test.mjs'] };
    return await runSuite(suite, process.env, signal, { capMs: 15_000, lingerMs: 3_000, print: 'never' });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function lastLine(result: SuiteResult): string {
  return summary([result]).split('\n').at(-1) ?? '';
}
function errors(result: SuiteResult): string[] {
  return result.tests.flatMap(({ error }) => error ?? []);
}

describe('a suite run', function () {
  this.timeout(30_000);

  it('a suite run counts passed, failed and skipped tests, with reasons', async () => {
    const result = await run(`
      it('passes', () => {});
      it('fails', () => { throw new Error('broken on purpose'); });
      it('is skipped', function () { skipBecause(this, 'no such machine'); });
      describe('a block', () => { before(function () { skipBecause(this, 'no such block'); }); it('waits', () => {}); });
    `);
    expect(lastLine(result)).to.equal('1 passed, 1 failed, 2 skipped');
    expect(errors(result)).to.deep.equal(['broken on purpose']);
    expect(result.tests.flatMap(({ reason }) => reason ?? [])).to.deep.equal(['no such machine', 'no such block']);
    expect(runFailed([result])).to.equal(true);
  });

  it('a suite run fails when its process dies before it reports', async () => {
    const result = await run(`it('passes', () => {}); it('dies', () => process.kill(process.pid, 'SIGKILL'));`);
    expect(errors(result)).to.deep.equal(['its process ended with SIGKILL before it could report']);
  });

  it('a suite run fails when a file does not load', async () => {
    const result = await run(`throw new Error('cannot load');`);
    expect(errors(result)[0]).to.match(/ended with \d+ before it could report/);
  });

  it('a suite run fails when an exclusive test keeps others from running', async () => {
    const result = await run(`it${'.only'}('passes', () => {}); it('is left out', () => {});`);
    expect(runFailed([result])).to.equal(true);
  });

  it('a suite run fails when something is left open after the last test, and ends its child processes', async () => {
    const result = await run(`
      import { spawn } from 'node:child_process';
      it('leaves a child', () => { spawn('sleep', ['600'], { stdio: 'ignore' }); });
    `);
    expect(errors(result)[0]).to.match(/something was left open/);
    expect(lastLine(result)).to.equal('1 passed, 1 failed, 0 skipped');
  });

  it('a suite run fails when its process dies after the report although every test passed', async () => {
    const result = await run(`it('passes', () => void setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_000));`);
    expect(errors(result)).to.deep.equal(['its process ended with SIGKILL although no test failed']);
  });

  it('a suite run ends at once when it is interrupted', async () => {
    const result = await run(`it('waits', (done) => void setTimeout(done, 10_000));`, AbortSignal.timeout(700));
    expect(errors(result)).to.deep.equal(['interrupted']);
  });

  it('a suite run without any test counts as failed', () => {
    expect(runFailed([])).to.equal(true);
  });

  it('suites are chosen by name, and files by a part of their path', () => {
    const suites = [
      { name: 'auth', cwd: '/vds/services/auth', files: ['test/keys.test.ts', 'test/auth-log.test.ts'] },
      { name: 'test-e2e/stories', cwd: '/vds/test-e2e', files: ['stories/auth.test.ts', 'stories/demo.test.ts'] },
    ];
    const names = (...wanted: string[]) =>
      chosenSuites('/vds', suites, wanted).map(({ name, files }) => `${name}:${files.length}`);
    expect(names()).to.deep.equal(['auth:2', 'test-e2e/stories:2']);
    expect(names('test-e2e')).to.deep.equal(['test-e2e/stories:2']);
    expect(names('stories/demo')).to.deep.equal(['test-e2e/stories:1']);
    expect(names('test-e2e/stories/demo')).to.deep.equal(['test-e2e/stories:1']);
    expect(names('auth/test/keys')).to.deep.equal(['auth:1']);
    expect(names('services/auth/test/keys.test.ts')).to.deep.equal(['auth:1']);
    expect(names('vds')).to.deep.equal([]);
    expect(unmatchedNames('/vds', suites, ['auth', 'nothing', 'stories/demo'])).to.deep.equal(['nothing']);
  });

  it('suites that take minutes run before the others, and none is left out', () => {
    const all = allSuites(fileURLToPath(new URL('../..', import.meta.url)));
    const names = longestFirst(all).map(({ name }) => name);
    expect(names.indexOf('transcode')).to.equal(0);
    expect(names.toSorted()).to.deep.equal(all.map(({ name }) => name).toSorted());
  });

  it('tests that import neither servers nor programs start none, and a pattern chooses among them', () => {
    const all = allSuites(fileURLToPath(new URL('../..', import.meta.url)));
    const needs = (name: string): boolean =>
      needsServers(chosenSuites(fileURLToPath(new URL('../..', import.meta.url)), all, [name]));
    expect([needs('services/catalog/test/domain'), needs('services/gateway/test/domain')]).to.deep.equal([
      false,
      false,
    ]);
    expect([needs('services/catalog/test/service'), needs('_chassis/test/bus')]).to.deep.equal([true, true]);
    const script = fileURLToPath(new URL('../test.ts', import.meta.url));
    const args = [script, 'services/gateway/test/domain', '--grep', 'no test has this title'];
    const { stdout } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, VDS_SERVERS: '/nowhere' },
    });
    expect(stdout).to.include('0 passing').and.not.include('servers');
  });

  it('npm test ends with exit code 2 before it starts servers when a name matches nothing', () => {
    const args = [fileURLToPath(new URL('../test.ts', import.meta.url)), 'auth', 'no-such-suite'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ status, stdout, stderr }).to.deep.equal({
      status: 2,
      stdout: '',
      stderr: 'no suite or test file matches: no-such-suite\n',
    });
  });
});
