import { expect } from 'chai';
import type { NewJobRow } from '../../src/work/job-rows.ts';
import { addJobRows } from '../../src/work/job-rows.ts';
import type { ClaimOptions } from '../../src/work/claim.ts';
import { claimNext } from '@vds/testkit/harness/claim-next';
import { jobOf, workKit } from './work-kit.ts';

describe('the order of claims', () => {
  const { pool } = workKit();
  const add = (...jobs: NewJobRow[]): Promise<number> => addJobRows(pool(), jobs);
  const next = async (options: Partial<ClaimOptions> = {}): Promise<string | undefined> => {
    const job = await claimNext(pool(), 'q', options);
    return job && `${job.videoId} ${job.name}`;
  };
  const set = (values: string, videoId: string) =>
    pool().query(`UPDATE chassis.jobs SET ${values} WHERE video_id = $1`, [videoId]);

  it('the pieces of started videos go before the sound of others, and so does the sound of a started one', async () => {
    for (const video of ['first', 'second'])
      await add(jobOf(video, { name: 'sound', cost: 30 }), jobOf(video, { name: 'cut', cost: 18 }));
    expect(await next()).to.equal('first cut');
    await add(jobOf('first', { name: 'piece', cost: 600 }));
    expect([await next(), await next()]).to.deep.equal(['first sound', 'first piece']);
    expect(await next()).to.equal('second cut');
  });

  it('a long video is overtaken by shorter ones for a quarter of its length, not forever', async () => {
    await add(jobOf('game', { cost: 14_400 }));
    await set('rank = rank - 4 * 3500', 'game');
    await add(jobOf('early clip', { cost: 10 }));
    await set('rank = rank - 4 * 101', 'game');
    await add(jobOf('late clip', { cost: 10 }));
    expect([await next(), await next(), await next()]).to.deep.equal(['game j', 'early clip j', 'late clip j']);
  });

  it('a tenant that holds its share goes last, and one that may hold no more is not served at all', async () => {
    await add(
      jobOf('a1', { tenant: 'a', cost: 1 }),
      jobOf('a2', { tenant: 'a', cost: 1 }),
      jobOf('b', { tenant: 'b', cost: 9 }),
    );
    expect(await next({ crowdedTenants: ['a'] })).to.equal('b j');
    expect(await next({ crowdedTenants: ['a'] })).to.equal('a1 j');
    expect(await next({ closed: ['a'] })).to.equal(undefined);
    expect(await next()).to.equal('a2 j');
  });

  it('idle tenants take turns, whichever video has started', async () => {
    await add(...[1, 2, 3].map((n) => jobOf('a', { name: `piece${n}`, tenant: 'a' })));
    await set('video_started = true', 'a');
    await add(jobOf('b', { tenant: 'b', cost: 1_000 }), jobOf('c', { tenant: 'c', cost: 2_000 }));
    await pool().query("UPDATE chassis.jobs SET video_started = true WHERE video_id = 'c'");
    const turns = ['c', 'a'];
    const order: (string | undefined)[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const job = await claimNext(pool(), 'q', { served: turns });
      order.push(job?.videoId);
      if (job) await pool().query("UPDATE chassis.jobs SET state = 'done' WHERE id = $1", [job.id]);
    }
    // A tenant never served goes first, then the one served longest ago, however many jobs another has started.
    expect(order).to.deep.equal(['b', 'c', 'a', 'a', 'a']);
  });

  it('jobs of a crowded origin go last among one tenant’s jobs', async () => {
    await add(
      ...Array.from({ length: 9 }, (_, n) => jobOf(`slow${n}`, { tenant: 'a', origin: 'slow.example', cost: n })),
      jobOf('other', { tenant: 'a', origin: 'other.example', cost: 99 }),
    );
    expect(await next({ crowdedOrigins: ['slow.example'] })).to.equal('other j');
    expect(await next({ crowdedOrigins: ['slow.example'] })).to.equal('slow0 j');
  });

  it('jobs that are locked by other claims are passed over', async () => {
    await add(jobOf('a', { cost: 1 }), jobOf('b', { cost: 2 }));
    const other = await pool().connect();
    await other.query("BEGIN; SELECT 1 FROM chassis.jobs WHERE video_id = 'a' FOR UPDATE");
    expect(await next()).to.equal('b j');
    await other.query('COMMIT');
    other.release();
    expect(await next()).to.equal('a j');
  });

  it('an expired lease counts as a crash, but not while the job waited for its quarantine', async () => {
    await add(jobOf('a'));
    const crashes: number[] = [];
    for (const quarantined of [false, false, false, true, true]) {
      crashes.push((await claimNext(pool(), 'q'))?.crashes ?? -1);
      await set(`lease_until = now() - interval '1 second', quarantined = ${quarantined}`, 'a');
    }
    expect(crashes).to.deep.equal([0, 1, 2, 2, 3]);
    expect(await next({ expired: false })).to.equal(undefined);
  });

  it('a job that has crashed twice is claimed by an idle process, or by any after a while', async () => {
    await add(jobOf('a'));
    await set('crashes = 2', 'a');
    expect(await next({ idle: false })).to.equal(undefined);
    expect(await next({ idle: false, quarantineWaitMs: 0 })).to.equal('a j');
    await set("state = 'ready'", 'a');
    expect(await next({ idle: true })).to.equal('a j');
  });

  it('a claim reads a few rows of each tenant, however many are ready', async () => {
    await pool().query(`INSERT INTO chassis.jobs (stage, queue, video_id, attempt, name, tenant, rank)
      SELECT 's', 'q', 'v' || n, 1, 'j', 'tenant-' || n % 20, n FROM generate_series(1, 20000) n`);
    await pool().query('ANALYZE chassis.jobs');
    const client = await pool().connect();
    const notices: string[] = [];
    client.on('notice', ({ message }) => notices.push(message ?? ''));
    await client.query("LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on");
    await client.query('SET auto_explain.log_format = json; SET client_min_messages = log');
    const job = await claimNext({ query: client.query.bind(client) } as never, 'q');
    client.release(true);
    expect(job?.videoId).to.equal('v1');
    const rows = [...notices.join('').matchAll(/"Actual Rows": (\d+),\s+"Actual Loops": (\d+)/g)];
    expect(rows.length).to.be.greaterThan(5);
    const read = Math.max(...rows.map(([, count, loops]) => Number(count) * Number(loops)));
    expect(read).to.be.lessThan(500);
  });
});
