import { execFileSync } from 'node:child_process';
import { link, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readLeftFile, writeFreshFile } from '../../src/objects/left-file.ts';

describe('what a program left in its scratch folder', () => {
  let scratch: string;
  let secret: string;
  beforeEach(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'vds-left-'));
    secret = join(await mkdtemp(join(tmpdir(), 'vds-secret-')), 'secret');
    await writeFile(secret, 'canary');
  });
  afterEach(() => rm(scratch, { recursive: true }));

  const outcomeOf = (name: string, maxBytes = 100): Promise<string> =>
    readLeftFile(join(scratch, name), maxBytes).then(
      (bytes) => bytes.toString(),
      (error: { reason?: string; code?: string }) => error.reason ?? error.code ?? 'another error',
    );

  it('a regular file is read, and one that is not there is ENOENT', async () => {
    await writeFile(join(scratch, 'own'), 'own');
    expect([await outcomeOf('own'), await outcomeOf('none')]).to.deep.equal(['own', 'ENOENT']);
  });

  it('links to the worker’s environment and to files, pipes, folders and files that are too large are refused at once', async () => {
    await symlink('/proc/self/environ', join(scratch, 'environment'));
    await symlink(secret, join(scratch, 'link'));
    await link(secret, join(scratch, 'hard')).catch(() => expect.fail('no hard link could be made'));
    execFileSync('mkfifo', [join(scratch, 'pipe')]);
    await writeFile(join(scratch, 'large'), Buffer.alloc(101));
    for (const name of ['environment', 'link', 'hard', 'pipe', '.', 'large'])
      expect(await outcomeOf(name), name).to.equal('tool_failed');
  });

  it('a new file takes the place of a link, and does not follow it', async () => {
    await symlink(secret, join(scratch, 'sound.wav'));
    await writeFreshFile(join(scratch, 'sound.wav'), 'sound');
    expect([await outcomeOf('sound.wav'), await readFile(secret, 'utf8')]).to.deep.equal(['sound', 'canary']);
  });
});
