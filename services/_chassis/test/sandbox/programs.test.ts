import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { testSandbox } from '@vds/testkit/harness/sandbox';
import { createLogger } from '../../src/telemetry/log.ts';
import { byLine, findProgram, runProgram, type SandboxOptions } from '../../src/sandbox/programs.ts';

describe('finding and running programs', () => {
  let folder: string;
  let broken: string;
  let working: string;
  let options: SandboxOptions;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'programs-test-'));
    [broken, working] = [join(folder, 'broken'), join(folder, 'working')];
    await writeFile(broken, 'no program');
    await writeFile(working, '#!/bin/sh\necho "version $1"\necho more\n');
    await chmod(working, 0o755);
    options = { sandbox: await testSandbox(), memoryBytes: 2 ** 32, log: createLogger('test', 'fatal') };
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const request = { name: 'a-missing-program', variable: 'ITS_PATH', configured: undefined, versionArgs: ['-V'] };

  it('a configured program is used, and no other is tried', async () => {
    expect(await findProgram({ ...request, configured: working })).to.deep.equal({
      path: working,
      version: 'version -V',
    });
    const error: unknown = await findProgram({ ...request, configured: broken, candidates: [working] }).catch(
      (e: unknown) => e,
    );
    expect(error).to.have.property('message').that.includes('ITS_PATH').and.includes('does not run');
  });

  it('without a configured program the first working candidate is used, else the one on PATH', async () => {
    expect((await findProgram({ ...request, candidates: [null, broken, working] })).path).to.equal(working);
    expect((await findProgram({ ...request, name: 'env', versionArgs: ['--version'] })).version).to.match(/^env /);
  });

  it('the error for a missing program names it and its variable', async () => {
    const error: unknown = await findProgram(request).catch((e: unknown) => e);
    expect(error).to.have.property('message').that.includes('a-missing-program').and.includes('ITS_PATH');
  });

  const run = (command: string, ...args: string[]): Promise<string> =>
    runProgram(
      options,
      { name: 'it', command, args },
      { scratch: folder, signal: new AbortController().signal, timeoutMs: 10_000 },
    );

  it('running a program returns its output', async () => {
    expect(await run(working, 'x')).to.equal('version x\nmore\n');
  });

  it('a failed program does not reveal its output', async () => {
    const error: unknown = await run('/bin/sh', '-c', 'echo secret; echo secret >&2; exit 3').catch((e: unknown) => e);
    expect(error).to.include({ code: 'INTERNAL', reason: 'tool_failed', message: 'it ended with 3' });
  });

  it('output is read line by line, wherever its chunks end', async () => {
    const lines: string[] = [];
    const parts = ['a\nb', 'c\n', '\nd'].map((part) => Buffer.from(part));
    await byLine((line) => lines.push(line))(Readable.from(parts, { objectMode: false }));
    expect(lines).to.deep.equal(['a', 'bc', '', 'd']);
  });
});
