/** What analytics goes through: locks that are lost, an older JetStream, processes that were killed. */
import { mkdtemp, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { openHarness, type Harness } from './harness.ts';
import { report } from './rows.ts';

const FAST = { TIME_SCALE: 'flushEvery=1s' };

describe('analytics in trouble', function () {
  this.timeout(120_000);
  let harness: Harness;
  before(async () => void (harness = await openHarness()));
  after(() => harness?.close());

  /** Ten reports of a second each. */
  const publish = async (viewId: string): Promise<void> => {
    const numbers = Array.from({ length: 10 }, (_second, index) => index + 1);
    for (const n of numbers) {
      const one = report({ viewId, videoId: 'a-1', eventId: `${viewId}-${n}`, watchedMs: n * 1_000 });
      await until(() => harness.publish(one).then(() => true), { what: 'a report is acknowledged' });
    }
  };
  type Replica = Awaited<ReturnType<Harness['start']>>;
  const arrived = (replica: Replica, viewId: string) => {
    const found = () => replica.query(`SELECT watched_ms::int AS watched FROM plays WHERE view_id = '${viewId}'`);
    return until(async () => (await found())[0]?.['watched'] === 10_000, { what: viewId, capMs: 20_000, everyMs: 250 });
  };

  it('after JetStream was restored to an earlier moment no stored event vanishes, and none counts twice', async () => {
    const replica = await harness.start(FAST);
    const restore = await harness.copyNats();
    await publish('behind');
    await arrived(replica, 'behind');
    await until(harness.isStored, { what: 'all is acknowledged' });
    await restore();
    // They get the same sequences.
    await publish('again');
    await arrived(replica, 'again');
    expect(
      await replica.query(`SELECT view_id, count(*)::int AS reports FROM events
        WHERE view_id IN ('behind', 'again') GROUP BY view_id ORDER BY view_id`),
    ).to.deep.equal([
      { view_id: 'again', reports: 10 },
      { view_id: 'behind', reports: 10 },
    ]);
    expect(await replica.end()).to.equal(0);
  });

  it('scratch of a killed process is removed at the next start, that of a running one stays', async () => {
    const root = await mkdtemp(join(tmpdir(), 'scratch-'));
    try {
      const [killed, running] = ['vds-analytics-999999999-abc', `vds-analytics-${process.pid}-abc`];
      for (const folder of [killed, running]) await mkdir(join(root, folder, 'files'), { recursive: true });
      const replica = await harness.start({ ...FAST, SCRATCH_DIR: root });
      // Its own may be there besides.
      expect(await readdir(root))
        .to.include(running)
        .and.not.include(killed);
      expect(await replica.end()).to.equal(0);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('a process that loses its lock five times goes on writing each time it has it again', async () => {
    const replica = await harness.start(FAST);
    const taken = (): number => replica.lines.filter(({ msg }) => msg === 'writing events').length;
    for (let round = 1; round <= 6; round += 1) {
      await until(() => taken() >= round, { what: `the lock is taken for time ${round}`, capMs: 10_000 });
      await publish(`round-${round}`);
      await arrived(replica, `round-${round}`);
      await harness.takeLock();
    }
    expect(await replica.end()).to.equal(0);
  });
});
