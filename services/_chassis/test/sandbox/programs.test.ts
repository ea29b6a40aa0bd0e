import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { chooseSandbox } from '../../src/sandbox/sandbox.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { byLine, findProgram, runProgram, type SandboxOptions } from '../../src/sandbox/programs.ts';

describe('programs', () => {
  let folder: string;
  let broken: string;
  let working: string;
  let confinement: SandboxOptions;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'programs-test-'));
    [broken, working] = [join(folder, 'broken'), join(folder, 'working')];
    await writeFile(broken, 'no program');
    await writeFile(working, '#!/bin/sh\necho "version $1"\necho more\n');
    await chmod(working, 0o755);
    confinement = { sandbox: await chooseSandbox(), memoryBytes: 2 ** 32, log: createLogger('test', 'fatal') };
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

  const run = (command: string, ...args: string[]): Promise<string> =>
    runProgram(
      confinement,
      { name: 'it', command, args },
      { scratch: folder, signal: new AbortController().signal, timeoutMs: 10_000 },
    );

  it('are run to their end, and what they print comes back', async () => {
    expect(await run(working, 'x')).to.equal('version x\nmore\n');
  });

  it('fail without a word of what they printed', async () => {
    const error: unknown = await run('/bin/sh', '-c', 'echo secret; echo secret >&2; exit 3').catch((e: unknown) => e);
    expect(error).to.include({ code: 'INTERNAL', reason: 'tool_failed', message: 'it ended with 3' });
  });

  it('are read line by line, wherever what they print is cut', async () => {
    const lines: string[] = [];
    const parts = ['a\nb', 'c\n', '\nd'].map((part) => Buffer.from(part));
    await byLine((line) => lines.push(line))(Readable.from(parts, { objectMode: false }));
    expect(lines).to.deep.equal(['a', 'bc', '', 'd']);
  });
});
