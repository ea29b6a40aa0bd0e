import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder, useStack } from './harness.ts';

describe('the program vdsctl', function () {
  this.timeout(60_000);
  useStack();

  it('vdsctl reads the environment file of a running stack, prints the reply and exits', () => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const start = (...argv: string[]) =>
      spawnSync(process.execPath, [main, ...argv], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
        timeout: 20_000,
      });
    const listed = start('publisher', 'list', '--json', '--env', join(folder(), 'vdsctl.env'));
    expect(listed.status, listed.stderr).to.equal(0);
    expect(JSON.parse(listed.stdout)).to.have.property('publishers');
    const cut = spawnSync('sh', ['-c', `'${process.execPath}' '${main}' --help | true`], { encoding: 'utf8' });
    expect(cut.stderr, 'the reader of the pipe stops early').to.equal('');
    const unset = start('publisher', 'list');
    expect(unset.status).to.equal(2);
    expect(unset.stderr).to.contain('VDSCTL_TOKEN is not set').and.contain('--env');
    const help = start('--help');
    expect(help.status).to.equal(0);
    expect(help.stdout)
      .to.match(/^Usage: vdsctl/)
      .and.contain('Exit codes');
  });
});
