/**
 * A command that is interrupted leaves no process. The judge does not read the commands' records: it searches every
 * process of this machine for a mark in the environment, which all that a command starts inherit.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeServers } from '@vds/testkit/servers/up';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';

const root = fileURLToPath(new URL('..', import.meta.url));
const SERVICE = /src\/main\.ts/;
const SERVER = /nats-server|versitygw|SingleNode|bin\/postgres -D/;
const START_MS = 400_000;
const END_MS = 120_000;

type Command = {
  readonly args: readonly string[];
  /** Command lines that must run, with their minimum number, before the command is ended. */
  readonly middle: readonly (readonly [line: RegExp, least: number])[];
  /** The folders of its servers below the state folder. */
  readonly servers: string;
};

const whole = [[SERVER, 4], [SERVICE, 3]] as const; // prettier-ignore
/** Those that every developer runs; the others end in the same way, by `runCommand`. */
const commands: Readonly<Record<string, Command>> = {
  bench: { args: ['api'], middle: whole, servers: 'servers' },
  dev: { args: [], middle: whole, servers: 'dev/servers' },
  demo: { args: [], middle: whole, servers: 'demo/servers' },
  test: { args: ['servers/nats-accounts'], middle: [[SERVER, 5], [/mocha/, 1]], servers: 'servers' }, // prettier-ignore
};

type Started = { readonly child: ChildProcess; readonly printed: () => string; readonly ended: Promise<unknown> };

describe('the end of a command in the middle', function () {
  this.timeout(START_MS + END_MS);
  let state: string;

  before(function () {
    if (process.platform !== 'linux') skipBecause(this, 'the environment of other processes is read from /proc');
  });
  beforeEach(() => void (state = mkdtempSync(join(tmpdir(), 'vds-command-'))));
  afterEach(async () => {
    for (const pid of processesOf(state).keys()) spawnSync('kill', ['-9', String(pid)]);
    for (const { servers } of Object.values(commands)) await removeServers(join(state, servers));
    rmSync(state, { recursive: true, force: true });
  });

  const start = (verb: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Started => {
    const { VDS_SERVERS: _, npm_lifecycle_event: __, ...inherited } = process.env;
    // Processes of a command are identified by this folder on their PATH.
    const PATH = [join(state, 'mark'), inherited['PATH']].join(delimiter);
    const env = { ...inherited, PATH, VDS_STATE: state, ...more };
    const child = spawn('sh', ['scripts/bootstrap.sh', verb, ...args], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += String(data)));
    return { child, printed: () => printed, ended: new Promise((resolve) => child.once('exit', resolve)) };
  };
  /** Starts the command and waits until it is in the middle of its work. */
  const startedInTheMiddle = async (verb: string, more?: NodeJS.ProcessEnv): Promise<Started> => {
    const { args, middle } = commands[verb] ?? expect.fail(verb);
    const started = start(verb, args, more);
    const isInTheMiddle = (): boolean => {
      if (started.child.exitCode !== null) return true;
      const lines = [...processesOf(state).values()];
      return middle.every(([line, least]) => lines.filter((one) => line.test(one)).length >= least);
    };
    await until(isInTheMiddle, { what: `${verb} runs: ${started.printed()}`, capMs: START_MS, everyMs: 50 });
    expect(started.child.exitCode, started.printed()).to.equal(null);
    return started;
  };
  /** What still runs once the command itself has ended. */
  const left = async ({ child, ended, printed }: Started): Promise<readonly string[]> => {
    await until(() => child.exitCode !== null || child.signalCode !== null, {
      what: `the command ends: ${printed()}`,
      capMs: END_MS,
    });
    await ended;
    return [...processesOf(state).values()];
  };
  const isLong = process.env['VDS_LONG'] === '1';

  for (const verb of Object.keys(commands)) {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      it(`${verb} ended by ${signal} in the middle leaves no process`, async function () {
        if (signal !== 'SIGTERM' && !isLong) skipBecause(this, 'takes minutes: npm run test:long');
        const command = await startedInTheMiddle(verb);
        command.child.kill(signal);
        expect(await left(command), command.printed()).to.deep.equal([]);
      });
    it(`${verb} that crashes in the middle leaves no process`, async function () {
      if (!isLong) skipBecause(this, 'takes minutes: npm run test:long');
      const command = await startedInTheMiddle(verb, crashOn(state));
      writeFileSync(join(state, 'crash'), '');
      expect(await left(command), command.printed()).to.deep.equal([]);
      expect(command.printed()).to.include('injected crash');
      expect(command.child.exitCode).to.equal(1);
    });
  }

  it('`servers -- down` ends what a killed command left, and nothing of a running one', async () => {
    const command = await startedInTheMiddle('bench');
    const down = async (): Promise<string> => {
      const { ended, printed } = start('servers', ['down', '--dir', join(state, 'none')]);
      await ended;
      return printed();
    };
    await down();
    expect([...processesOf(state).values()].filter((line) => SERVER.test(line))).to.have.length.of.at.least(4);
    command.child.kill('SIGKILL');
    await command.ended;
    expect(processesOf(state).size).to.be.greaterThan(4);
    expect(await down()).to.match(/left by bench-\d+, which was killed, and ended now: .*catalog.*nats/s);
    expect([...processesOf(state).values()]).to.deep.equal([]);
  });
});

/** Command lines of the processes whose environment has the mark, by pid. */
function processesOf(state: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const pid of readdirSync('/proc')
    .map(Number)
    .filter((number) => number > 0)) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(join(state, 'mark'))) continue;
      found.set(pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
    } catch {
      // it has just ended
    }
  }
  return found;
}

/** Variables that make the command itself, and not its children, throw once a file appears. */
function crashOn(state: string): NodeJS.ProcessEnv {
  const file = join(state, 'crash.mjs');
  const when = JSON.stringify(join(state, 'crash'));
  writeFileSync(
    file,
    `import { existsSync } from 'node:fs';
    delete process.env.NODE_OPTIONS;
    setInterval(() => { if (existsSync(${when})) throw new Error('injected crash'); }, 50).unref();`,
  );
  return { NODE_OPTIONS: `--import=${file}` };
}
