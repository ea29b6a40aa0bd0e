/** The completion scripts, executed by the shells themselves. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { skipBecause } from '@vds/testkit/skip';
import { expect } from 'chai';
import { vdsctl } from '../src/inbound/vdsctl.ts';

const run = promisify(execFile);

describe('the completion of vdsctl', function () {
  this.timeout(30_000);
  let dir: string;

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'vdsctl-completion-'));
    for (const shell of ['bash', 'zsh']) {
      let text = '';
      const io = { environment: {}, out: (part: string) => void (text += part), err: () => undefined };
      expect(await vdsctl(['completion', shell], io)).to.equal(0);
      writeFileSync(join(dir, shell), text);
    }
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  /** What bash offers for the last of the words. */
  async function offered(...words: string[]): Promise<string[]> {
    const script = `source "$1"; shift; COMP_WORDS=(vdsctl "$@"); COMP_CWORD=$#; _vdsctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run('bash', ['--norc', '-uc', script, 'bash', join(dir, 'bash'), ...words]);
    return stdout.split('\n').filter((line) => line !== '');
  }

  it('bash completes groups, verbs and options of what has been typed', async () => {
    expect(await offered('')).to.include.members(['video', 'jobs', 'completion', '--json', '--env', '--help']);
    expect(await offered('vid')).to.deep.equal(['video']);
    expect(await offered('video', 're')).to.have.members(['retry', 'rerun', 'release', 'remove']);
    expect(await offered('video', 'show', '--w')).to.deep.equal(['--watch']);
    expect(await offered('--json', 'video', 'list', '--pub')).to.deep.equal(['--publisher']);
    expect(await offered('video', 'show', '01jd3m8q0c7e5b9x2k4n6p8rst', '--js')).to.deep.equal(['--json']);
    expect(await offered('nothing', 'li')).to.deep.equal([]);
  });

  it('bash completes the values of an option that takes one of a few, and files of --env', async () => {
    expect(await offered('video', 'list', '--state', 'f')).to.deep.equal(['failed']);
    expect(await offered('completion', '')).to.include.members(['bash', 'zsh']);
    expect(await offered('--env', join(dir, 'b'))).to.deep.equal([join(dir, 'bash')]);
  });

  it('bash has the completion once the script is sourced', async () => {
    const script = `source <(cat "$1"); complete -p vdsctl`;
    expect((await run('bash', ['--norc', '-euc', script, 'bash', join(dir, 'bash')])).stdout).to.equal(
      'complete -F _vdsctl vdsctl\n',
    );
  });

  it('zsh offers the same words', function () {
    if (spawnSync('zsh', ['--version']).error) skipBecause(this, 'zsh is not installed');
    const script = `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; source ${join(dir, 'zsh')}
      words=(vdsctl video ''); CURRENT=3; _vdsctl`;
    const { stdout, stderr } = spawnSync('zsh', ['-fc', script], { encoding: 'utf8' });
    expect(stderr).to.equal('');
    expect(stdout.split('\n')).to.include.members(['show', 'list', 'retry', '--json']);
  });

  it('another shell is wrong usage', async () => {
    expect(
      await vdsctl(['completion', 'fish'], { environment: {}, out: () => undefined, err: () => undefined }),
    ).to.equal(2);
  });
});
