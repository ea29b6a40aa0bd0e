import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { chooseSandbox } from '../../src/sandbox/choose-sandbox.ts';
import { limitReached, limitsOnly, runChild, type ChildOptions, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { AppError } from '../../src/errors.ts';
import { currentPhases, withPhases } from '../../src/work/phases.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { skipBecause } from '@vds/testkit/skip';
import { confineSetting, testSandbox } from '@vds/testkit/harness/sandbox';
import { until } from '@vds/testkit/until';

describe('a sandboxed program', () => {
  let scratch: string;
  let sandbox: Sandbox;
  before(async () => void (sandbox = await testSandbox()));
  beforeEach(async () => void (scratch = await mkdtemp(join(tmpdir(), 'child-test-'))));
  afterEach(() => rm(scratch, { recursive: true }));
  const sh = (script: string, more: Partial<ChildOptions> = {}) =>
    runChild({
      command: '/usr/bin/dash',
      args: ['-c', script],
      scratch,
      sandbox,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      ...more,
    });

  it('exit code, output and the tail of stderr are returned', async () => {
    expect(await sh('echo out; echo err >&2; exit 3')).to.deep.equal({ code: 3, stdout: 'out\n', stderrTail: 'err\n' });
  });

  it('a program is a phase of the job in progress', async () => {
    const phases = await withPhases(async () => {
      await sh('sleep 0.1');
      return currentPhases();
    });
    expect(phases).to.have.all.keys('encode');
    expect(phases?.encode?.ms).to.be.at.least(95);
  });

  it('the level of the sandbox is a metric of the service', async () => {
    const metrics = createMetrics('test');
    const { level: name } = await chooseSandbox({ confinePath: confineSetting().CONFINE_PATH, metrics });
    const level = name === 'confined' ? 2 : 1;
    expect(await metrics.registry.metrics()).to.match(new RegExp(`^vds_sandbox_level\\S* ${level}$`, 'm'));
  });

  it('a program yields to the worker that runs it', async () => {
    const nicenessOf = async (more: Partial<ChildOptions>): Promise<number> =>
      Number((await sh('exec nice', more)).stdout);
    const below = (more: number): number => Math.min(19, getPriority() + more);
    expect([await nicenessOf({}), await nicenessOf({ niceness: 10 })]).to.deep.equal([below(5), below(10)]);
  });

  it('the working directory is the scratch folder', async () => {
    await writeFile(join(scratch, 'in.txt'), 'hello');
    await sh('cat in.txt > out.txt');
    expect(await readFile(join(scratch, 'out.txt'), 'utf8')).to.equal('hello');
  });

  it('each further descriptor has its own reader', async () => {
    const seen = ['', ''];
    const reader = (index: number) => async (stream: AsyncIterable<Buffer>) => {
      for await (const chunk of stream) seen[index] += String(chunk);
    };
    await sh('echo four >&4; echo three >&3', { pipes: [reader(0), reader(1)] });
    expect(seen).to.deep.equal(['three\n', 'four\n']);
  });

  it('a program reads its input to the end, and may end before', async () => {
    expect(await sh('cat', { input: Readable.from(['one\n', 'two\n']) })).to.include({ code: 0, stdout: 'one\ntwo\n' });
    const endless = Readable.from(Array.from({ length: 1_000 }, () => 'y'.repeat(65_536)));
    expect(await sh('head -c 3', { input: endless })).to.include({ code: 0, stdout: 'yyy' });
  });

  it('truncated input ends the program, which never takes half of it for all of it', async () => {
    const input = new PassThrough();
    input.write('half');
    const running = sh('cat', { input }).catch((error: unknown) => error);
    setTimeout(() => input.destroy(), 200);
    expect(await running).to.include({ reason: 'program_killed' });
    // Also if it broke off before the program was started.
    expect(await sh('cat', { input }).catch((error: unknown) => error)).to.include({ reason: 'program_killed' });
  });

  it('the environment is cleared', async () => {
    process.env['CHILD_TEST_SECRET'] = 'hunter2';
    const { stdout } = await sh('env');
    delete process.env['CHILD_TEST_SECRET'];
    expect(stdout).to.contain('LANG=C.UTF-8').and.not.contain('hunter2');
  });

  it('a program that was taken over finds no secret, no network, no other file, and nowhere to write but its folder', async function () {
    if (sandbox.level !== 'confined') return skipBecause(this, 'this kernel has no Landlock');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const foreign = await mkdtemp(join(tmpdir(), 'vds-child-foreign-'));
    await writeFile(join(foreign, 'canary'), 'canary');
    // As a shell would try it, which is no program of ours.
    const script = `
      try() { "$@" >/dev/null 2>&1 && echo "$*"; }
      try cat ${foreign}/canary; try ls ${foreign}; try ls /; try ls /tmp; try ls /root; try ls /home; try ls /var/run/secrets
      try cat /proc/${process.pid}/environ; try cat /proc/self/environ; try cat /proc/1/environ; try ls /proc
      try cat /etc/passwd; try touch ${foreign}/written; try touch /tmp/written; try touch /usr/written
      try kill -0 ${process.pid}; try mknod pipe-device c 1 5
      ln -s ${foreign}/canary link; try cat link; try ln ${foreign}/canary hard
      python3 -c 'import socket; socket.create_connection(("127.0.0.1", ${port}), 2)' 2>/dev/null && echo tcp
      python3 -c 'import socket; socket.socket(socket.AF_UNIX)' 2>/dev/null && echo unix
      python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)' 2>/dev/null && echo udp
      unshare -U true 2>/dev/null && echo namespace
      prlimit --pid ${process.pid} --nofile=10 2>/dev/null && echo limits-of-worker
      echo end; echo own > own && cat own`;
    const { stdout } = await sh(script);
    server.close();
    await rm(foreign, { recursive: true });
    expect(stdout).to.equal('end\nown\n');
    // The same succeeds without confinement, so that what is tried above can succeed.
    const { stdout: bare } = await sh(
      `cat /proc/${process.pid}/environ > /dev/null && kill -0 ${process.pid} && echo yes`,
      {
        sandbox: limitsOnly,
      },
    );
    expect(bare).to.equal('yes\n');
  });

  it('where confinement is required, a machine without it ends the start with the reason', async () => {
    const choosing = chooseSandbox({ sandbox: 'required', confinePath: '/no/such/launcher' }).catch(
      (error: unknown) => error,
    );
    expect(await choosing)
      .to.be.instanceOf(AppError)
      .with.property('message')
      .that.includes('SANDBOX is required');
    expect(await chooseSandbox({ confinePath: '/usr/bin/env' })).to.deep.equal(limitsOnly);
  });

  it('readable folders can be read and not written', async () => {
    const given = await mkdtemp(join(tmpdir(), 'vds-child-given-'));
    await writeFile(join(given, 'greeting'), 'hello');
    const { stdout } = await sh(`cat ${given}/greeting; echo more > ${given}/greeting || echo denied`, {
      readable: [given],
    });
    await rm(given, { recursive: true });
    expect(stdout).to.equal(sandbox.level === 'confined' ? 'hellodenied\n' : 'hello');
  });

  it('a program that takes too long is killed with all its children', async () => {
    const error: unknown = await sh('sleep 300 & sleep 300', { timeoutMs: 300 }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(AppError).with.property('code', 'DEADLINE_EXCEEDED');
  });

  it('a program that may take a month is not ended at once', async () => {
    for (const timeoutMs of [2 ** 31 + 5, 2 ** 33])
      expect(await sh('sleep 0.2', { timeoutMs })).to.include({ code: 0 });
  });

  it('no program is started if the signal has already aborted', async () => {
    const abort = new AbortController();
    const reason = new Error('not any more');
    abort.abort(reason);
    const running = sh('echo up > started', { signal: abort.signal }).catch((thrown: unknown) => thrown);
    expect(await running).to.equal(reason);
    const started = await readFile(join(scratch, 'started'), 'utf8').catch(({ code }: { code: string }) => code);
    expect(started).to.equal('ENOENT');
  });

  it('a program is killed when the signal aborts, and the signal’s reason is thrown', async () => {
    const abort = new AbortController();
    const running = sh('echo up > started; sleep 300', { signal: abort.signal }).catch((thrown: unknown) => thrown);
    await until(
      () =>
        readFile(join(scratch, 'started')).then(
          () => true,
          () => false,
        ),
      { what: 'the child' },
    );
    abort.abort(new Error('no longer wanted'));
    expect(await running).to.have.property('message', 'no longer wanted');
  });

  it('a program cannot exceed its memory limit', async () => {
    const result = await sh('x=$(head -c 400000000 /dev/zero | tr "\\0" a); echo ${#x}', {
      memoryBytes: 256 * 1024 * 1024,
    }).catch((error: { reason?: string }) => error);
    if ('stdout' in result) expect(result.stdout).not.to.contain('400000000');
    else expect(result).to.have.property('reason', 'program_killed');
  });

  it('the error names the program that cannot be started', async () => {
    const result = await sh('', { command: '/usr/bin/dash', args: ['-c', 'exec /no/such/program'] });
    expect(result.code).to.equal(127);
  });

  const reasonOf = (script: string, more: Partial<ChildOptions> = {}): Promise<unknown> =>
    sh(script, more).then(
      (result) => result,
      (error: { reason?: string }) => error.reason,
    );

  it('a program killed by a signal did not end by itself, whatever its sandbox reports', async () => {
    for (const signal of ['KILL', 'SEGV', 'TERM'])
      expect(await reasonOf(`kill -${signal} $$`), signal).to.equal('program_killed');
  });

  it('a program killed while its output is read counts as killed, whatever the reader reports', async () => {
    const onOutput: NonNullable<ChildOptions['onOutput']> = async (stdout) => {
      await Array.fromAsync(stdout);
      throw new Error('the output ends in the middle');
    };
    expect(await reasonOf('echo half; kill -KILL $$', { onOutput })).to.equal('program_killed');
    expect(await sh('echo half; exit 3', { onOutput })).to.include({ code: 3 });
    const whole = await sh('echo half', { onOutput }).catch((thrown: unknown) => thrown);
    expect(whole).to.have.property('message', 'the output ends in the middle');
  });

  it('a sandbox that cannot be set up is not mistaken for the program’s own error', async () => {
    expect(await reasonOf('true', { command: '/no/such/folder/program' })).to.equal('program_not_started');
    expect(await sh('echo "vds-confine: no" >&2; echo more >&2; exit 1')).to.include({ code: 1 });
  });

  it('a program that uses up its processor time or file size has reached a limit', async () => {
    expect(await reasonOf('while :; do :; done', { cpuSeconds: 1 })).to.equal(limitReached);
    expect(await reasonOf('exec head -c 2000000 /dev/zero > big', { fileBytes: 1_000_000 })).to.equal(limitReached);
  });

  it('the exit code 255 means the limit of processor time only if the program can have used it up', async () => {
    const caught = 'trap "exit 255" XCPU; while :; do :; done';
    expect(await reasonOf(caught, { cpuSeconds: 1 })).to.equal(limitReached);
    expect(await reasonOf('exit 255', { cpuSeconds: 300 })).to.include({ code: 255 });
    expect(await reasonOf('exit 255')).to.include({ code: 255 });
  });

  it('output can be read as a stream', async () => {
    let bytes = 0;
    const onOutput: NonNullable<ChildOptions['onOutput']> = async (stdout) => {
      for await (const chunk of stdout) bytes += (chunk as Buffer).length;
    };
    await sh('head -c 20000000 /dev/zero', { onOutput });
    expect(bytes).to.equal(20_000_000);
  });
});
