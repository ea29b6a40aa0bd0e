import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findProgram } from '../src/programs.ts';

describe('programs', () => {
  let folder: string;
  let broken: string;
  let working: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'programs-test-'));
    [broken, working] = [join(folder, 'broken'), join(folder, 'working')];
    await writeFile(broken, 'no program');
    await writeFile(working, '#!/bin/sh\necho "version $1"\necho more\n');
    await chmod(working, 0o755);
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const wish = { name: 'a-program-that-nobody-has', variable: 'ITS_PATH', configured: undefined, versionArgs: ['-V'] };

  it('are the configured one and no other', async () => {
    expect(await findProgram({ ...wish, configured: working })).to.deep.equal({ path: working, version: 'version -V' });
    const error: unknown = await findProgram({ ...wish, configured: broken, candidates: [working] }).catch(
      (e: unknown) => e,
    );
    expect(error).to.have.property('message').that.includes('ITS_PATH').and.includes('does not run');
  });

  it('are else the first candidate that runs, else the one on PATH', async () => {
    expect((await findProgram({ ...wish, candidates: [null, broken, working] })).path).to.equal(working);
    expect((await findProgram({ ...wish, name: 'env', versionArgs: ['--version'] })).version).to.match(/^env /);
  });

  it('are named, with the variable to set, where there is none', async () => {
    const error: unknown = await findProgram(wish).catch((e: unknown) => e);
    expect(error).to.have.property('message').that.includes('a-program-that-nobody-has').and.includes('ITS_PATH');
  });
});
