import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder, useHouse } from './staff.ts';

describe('vdsctl', function () {
  this.timeout(60_000);
  useHouse();

  it('runs as a program, takes its environment from the file of a running house, and ends at once', () => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const start = (...given: string[]) =>
      spawnSync(process.execPath, [main, ...given], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
        timeout: 20_000,
      });
    const listed = start('publisher', 'list', '--json', '--env', join(folder(), 'vdsctl.env'));
    expect(listed.status, listed.stderr).to.equal(0);
    expect(JSON.parse(listed.stdout)).to.have.property('publishers');
    const cut = spawnSync('sh', ['-c', `'${process.execPath}' '${main}' --help | true`], { encoding: 'utf8' });
    expect(cut.stderr, 'a reader that stops early').to.equal('');
    const lost = start('publisher', 'list');
    expect(lost.status).to.equal(2);
    expect(lost.stderr).to.contain('VDSCTL_TOKEN is not set').and.contain('--env');
    const help = start('--help');
    expect(help.status).to.equal(0);
    expect(help.stdout)
      .to.match(/^Usage: vdsctl/)
      .and.contain('Exit codes');
  });
});
