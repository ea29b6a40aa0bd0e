/** Work that one replica does for as long as it holds a lock. */
import { expect } from 'chai';
import { openTestPool, testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { pause } from '../../src/async.ts';
import { workAsLeader } from '../../src/database/leader-lock.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { noteEvent, quiet, useBuses, type Note } from '../fixtures.ts';

const note = { ...noteEvent(), consumers: { beta: 'batches' } as const };
const limits = { maxMessages: 50, maxBytes: 1_000_000, everyMs: 300 };

describe('work under a lock', function () {
  this.timeout(60_000);
  const { fixture, open } = useBuses();
  let database: TestDatabase;
  let pool: ReturnType<typeof openTestPool>;
  const stopping = new AbortController();
  before(async () => {
    database = await testDatabase();
    pool = openTestPool(database.poolConfig);
  });
  after(async () => {
    stopping.abort();
    await pool.end();
    await database.drop();
  });
  /** Another replica takes the lock, and lets it expire. */
  const lose = (name: string) =>
    pool.query('UPDATE chassis.leader_locks SET acquired_at = clock_timestamp() WHERE name = $1', [name]);

  it('batches that are consumed under a lock arrive each time that it is lost and taken, five times', async () => {
    const bus = await open('beta');
    let taken = 0;
    const stored: string[] = [];
    const ended = workAsLeader({ pool, name: 'notes', leaseMs: 900, log: quiet }, stopping.signal, async (signal) => {
      taken += 1;
      const store = async (notes: readonly Note[]) => void stored.push(...notes.map(({ text }) => text));
      await bus.batches({ event: note, limits, store }, signal);
    });
    for (let round = 1; round <= 5; round += 1) {
      await until(() => taken === round, { what: `the lock is taken for time ${round}`, capMs: 10_000 });
      await fixture().owner.publish(note, { text: `${round}` }, `id-${round}`);
      await until(() => stored.includes(`${round}`), { what: `message ${round} is stored`, capMs: 10_000 });
      await lose('notes');
    }
    stopping.abort();
    await ended;
    expect(stored).to.deep.equal(['1', '2', '3', '4', '5']);
  });

  it('work that fails is logged and taken up again, and the lock is free in between', async () => {
    const ending = new AbortController();
    const lines: string[] = [];
    let begun = 0;
    const log = createLogger('test', 'warn', { write: (line) => void lines.push(line) });
    const ended = workAsLeader({ pool, name: 'failing', leaseMs: 90, log }, ending.signal, async (signal) => {
      begun += 1;
      if (begun <= 5) throw new Error('the bucket is gone');
      await pause(60_000, signal);
    });
    await until(() => begun >= 6, { what: 'it is taken up six times', capMs: 10_000 });
    ending.abort();
    await ended;
    expect(lines.filter((line) => line.includes('the bucket is gone'))).to.have.length(5);
    expect((await pool.query("SELECT 1 FROM chassis.leader_locks WHERE name = 'failing'")).rowCount).to.equal(0);
  });
});
