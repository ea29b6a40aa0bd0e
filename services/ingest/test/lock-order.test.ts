/** The end of a fetch, its cancellation, purges and the sweep for overdue ones, all at the same moment. */
import { expect } from 'chai';
import { openPool, withTransaction } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { runs } from '@vds/testkit/counts';
import { countDeadlocks, countRefused } from '@vds/testkit/harness/deadlocks';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { claim, enqueue, finish, type Claimed } from '@vds/chassis/work/job-rows';
import { claimFetch, endCompleted, type ClaimedFetch } from '../src/outbound/claimed-fetch.ts';
import { addFetch, cancelFetches, moveOverdue } from '../src/outbound/fetches.ts';
import { requestPurge } from '../src/outbound/purges.ts';

const log = createLogger('test', 'error');
describe('what happens to a fetch at the same moment', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof poolOf>;
  const poolOf = (databasePoolSize: number) =>
    openPool({ databaseUrl: database.url, databasePassword: database.password, databasePoolSize }, 'test', log);

  beforeEach(async () => {
    database = await testDatabase(new URL('..', import.meta.url));
    const one = poolOf(1);
    await one.query(`ALTER DATABASE ${database.poolConfig.database} SET deadlock_timeout = '20ms'`);
    await one.end();
    pool = poolOf(24);
  });
  afterEach(async () => {
    if (!pool.ended) await pool.end();
    await database.drop();
  });

  const add = async (videoId: string, acceptedAt = new Date()): Promise<void> =>
    withTransaction(pool, async (client) => {
      await addFetch(client, { videoId, attempt: 1, publisherId: 'p', sourceUrl: 'https://a', acceptedAt });
      await enqueue(client, [{ queue: 'fetch', groupKey: videoId, attempt: 1, unit: 'source.1' }]);
    });
  const take = async (): Promise<{ readonly job: Claimed; readonly fetch: ClaimedFetch }> => {
    const job = (await claim(pool, 'fetch', 60_000))!;
    return { job, fetch: (await claimFetch(pool, { videoId: job.groupKey, attempt: job.attempt }))! };
  };
  const deadlocks = (): Promise<number> => countDeadlocks(pool, () => poolOf(1));

  it('never makes its end and its cancellation wait for each other', async () => {
    const refused: Record<string, number> = {};
    for (let round = 0; round < runs(25); round += 1) {
      const names = Array.from({ length: 8 }, (_one, index) => `v-${round}-${index}`);
      for (const name of names) await add(name);
      const taken = [];
      for (const _name of names) taken.push(await take());
      const ends = taken.flatMap(({ job, fetch }, index) => {
        const id = fetch.videoId;
        return [
          finish(pool, job, 'done', {}, (client) => endCompleted(client, fetch, 'd')),
          ...(index % 2 === 0
            ? [1, 2].map(() => withTransaction(pool, (client) => cancelFetches(client, id)))
            : [
                withTransaction(pool, (client) =>
                  requestPurge(
                    client,
                    {
                      videoId: id,
                      scope: index % 4 === 1 ? 'PURGE_SCOPE_VIDEO' : 'PURGE_SCOPE_OTHER_ATTEMPTS',
                      keepAttempt: 2,
                    },
                    'r',
                  ),
                ),
              ]),
        ];
      });
      await countRefused(ends, refused);
    }
    expect({ refused, deadlocks: await deadlocks() }).to.deep.equal({ refused: {}, deadlocks: 0 });
  });

  it('never makes sweeps wait for each other', async () => {
    const refused: Record<string, number> = {};
    let moved = 0;
    for (let round = 0; round < runs(25); round += 1) {
      const names = Array.from({ length: 60 }, (_one, index) => `w-${round}-${index}`);
      await Promise.all(names.map((name) => add(name, new Date(Date.now() - 3_600_000))));
      const sweep = async (): Promise<void> => {
        const n = await moveOverdue(pool, 1_000);
        moved += n;
      };
      const nudge = async (name: string) =>
        pool.query("UPDATE chassis.work SET progress = progress + 1 WHERE group_key = $1 AND queue = 'fetch'", [name]);
      await countRefused(
        [...names.slice(0, 20).map(nudge), ...[1, 2, 3, 4].map(sweep), ...names.slice(20).map(nudge)],
        refused,
      );
      await sweep();
    }
    expect({ refused, moved, deadlocks: await deadlocks() }).to.deep.equal({
      refused: {},
      moved: 60 * runs(25),
      deadlocks: 0,
    });
  });
});
