/** A job whose program takes all memory of its container, until the kernel kills it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { addJobRows } from '../../src/work/job-rows.ts';
import { jobOf, workKit } from './work-kit.ts';

const script = fileURLToPath(new URL('hungry-worker.ts', import.meta.url));
const neighbours = ['one', 'two', 'three'];
const MEMORY = 400 * 1024 * 1024;

/** The memory controller of both versions of cgroups: https://docs.kernel.org/admin-guide/cgroup-v2.html#memory */
const controllers = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  { root: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events' },
];

/** A process group with this much memory, like a container; undefined if this user may not create one. */
function openMemoryGroup(bytes: number) {
  for (const { root, limit, events } of controllers) {
    const folder = join(root, `vds-test-${process.pid}`);
    try {
      mkdirSync(folder);
      if (!existsSync(join(folder, limit))) throw new Error('this controller is not delegated');
      writeFileSync(join(folder, limit), String(bytes));
      return {
        processes: join(folder, 'cgroup.procs'),
        kills: (): number => Number(/oom_kill (\d+)/.exec(readFileSync(join(folder, events), 'utf8'))?.[1]),
        remove: (): void => rmdirSync(folder),
      };
    } catch {
      if (existsSync(folder)) rmdirSync(folder);
    }
  }
  return undefined;
}

describe('a job that takes all memory of its container', function () {
  this.timeout(60_000);
  const { pool, database } = workKit();
  let group: ReturnType<typeof openMemoryGroup>;
  let worker: ChildProcess | undefined;
  before(function () {
    group = openMemoryGroup(MEMORY);
    if (!group) skipBecause(this, 'this user may not limit the memory of a group of processes');
  });
  afterEach(async () => {
    worker?.kill('SIGKILL');
    const isGone = () => readFileSync(group?.processes ?? '/dev/null', 'utf8') === '';
    await until(isGone, { what: 'the end of the worker and its programs' });
  });
  after(() => group?.remove());

  it('a job that exhausts the memory ends as killed after two crashes alone, and its three neighbours lose nothing', async () => {
    const { url, password } = database();
    await pool().query('CREATE TABLE failed_jobs (name text, reason text)');
    await addJobRows(
      pool(),
      [...neighbours, 'poison'].map((name) => jobOf(name, { name, tenant: name, payload: name })),
    );
    const inGroup = `echo $$ > ${group?.processes} && exec "$@"`;
    worker = spawn('/bin/sh', ['-c', inGroup, 'sh', process.execPath, script, url, password], { stdio: 'ignore' });
    const open = "SELECT 1 FROM chassis.jobs WHERE state IN ('ready', 'running')";
    await until(async () => (await pool().query(open)).rowCount === 0, { what: 'all jobs have ended', capMs: 50_000 });
    const { rows } = await pool().query('SELECT name, state, tries, crashes, fence FROM chassis.jobs ORDER BY id');
    expect(rows).to.deep.equal([
      ...neighbours.map((name) => ({ name, state: 'done', tries: 0, crashes: 0, fence: 1 })),
      { name: 'poison', state: 'failed', tries: 0, crashes: 3, fence: 4 },
    ]);
    expect((await pool().query('SELECT * FROM failed_jobs')).rows).to.deep.equal([
      { name: 'poison', reason: 'program_killed' },
    ]);
    expect(group?.kills()).to.equal(4);
    expect(worker.exitCode ?? worker.signalCode).to.equal(null);
  });
});
