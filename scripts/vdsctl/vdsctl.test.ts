import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  codeOf,
  ctl,
  FAILED,
  folder,
  json,
  newVideoId,
  publisher,
  useHouse,
  video,
  type IssuedJson,
  type KeyJson,
} from './staff.ts';

describe('vdsctl', function () {
  this.timeout(60_000);
  useHouse();

  it('changes nothing in a dry run, and says what it would do', async () => {
    const id = await publisher();
    const { key, secret_key: secretKey } = await json<IssuedJson>(`key issue ${id}`);
    const before = [await json('publisher list'), await json(`key list ${id}`)];
    const lines = [
      'publisher create Other --organization Other',
      `key issue ${id} --scopes videos:read`,
      `key rotate ${key.id}`,
      `key revoke ${key.id}`,
      `key limits ${key.id} --minute-limit 1`,
      'signing-key rotate',
      `video retry ${await video('failed', FAILED)} --reason x`,
    ];
    for (const line of lines) {
      const { exit, out, err } = await ctl(`${line} --dry-run`);
      expect(exit, err).to.equal(0);
      expect(out).to.match(/^would /);
    }
    expect([await json('publisher list'), await json(`key list ${id}`)]).to.deep.equal(before);
    expect(await codeOf(secretKey)).to.equal('OK');
  });

  it('finds in a dry run what the verb itself would stumble over', async () => {
    const { key } = await json<IssuedJson>(`key issue ${await publisher()}`);
    await json<KeyJson>(`key revoke ${key.id}`);
    expect((await ctl(`key rotate ${key.id} --dry-run`)).exit).to.equal(1);
    expect((await ctl(`key revoke ${'n'.repeat(24)} --dry-run`)).exit).to.equal(3);
    expect((await ctl('key issue pub_none --dry-run')).exit).to.equal(3);
    expect((await ctl(`video retry ${await video('ready')} --reason x --dry-run`)).exit).to.equal(1);
  });

  it('ends with 3 for what is not there', async () => {
    const lines = [
      'key list pub_none',
      'key issue pub_none',
      `key revoke ${'n'.repeat(24)}`,
      `video show ${newVideoId()}`,
      `video history ${newVideoId()}`,
      `video retry ${newVideoId()} --reason x`,
      `token mint ${newVideoId()}`,
    ];
    for (const line of lines) expect(await ctl(line), line).to.include({ exit: 3, out: '' });
  });

  it('ends with 2 for a call that is wrong', async () => {
    const lines = [
      'key',
      'key fly',
      'key issue',
      `key issue ${await publisher()} --scopes videos:all`,
      `key issue ${await publisher()} --minute-limit 0`,
      `key limits ${'n'.repeat(24)}`,
      'publisher create Name',
      `video retry ${newVideoId()}`,
      'publisher list --env /nowhere',
    ];
    for (const line of lines) expect(await ctl(line), line).to.include({ exit: 2, out: '' });
  });

  it('says its errors in JSON where that is asked for', async () => {
    expect(JSON.parse((await ctl('key list pub_none --json')).err)).to.deep.equal({
      error: { code: 'NOT_FOUND', message: 'publisher pub_none does not exist' },
    });
    expect(JSON.parse((await ctl('key fly --json')).err)).to.have.nested.property('error.code', 'INVALID_ARGUMENT');
  });

  it('ends with 1 where a service is away or refuses the token', async () => {
    const refused = await ctl('publisher list', [], { VDSCTL_TOKEN: 'wrong' });
    const away = await ctl('publisher list', [], { VDSCTL_AUTH: '127.0.0.1:1' });
    expect(refused).to.include({ exit: 1 }).and.to.have.property('err').that.contains('token');
    expect(away).to.include({ exit: 1, out: '' });
  });

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
