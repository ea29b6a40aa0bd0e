import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { chassisRetention, pruneTables } from '../../src/database/retention.ts';
import { openObjects, type Objects } from '../../src/objects/objects.ts';
import { bindStage } from '../../src/stage/run-stages.ts';
import { isTombstoned } from '../../src/stage/tombstones.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { setLegalHold, testBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';
import { all, purgeKit } from './purge-kit.ts';
import { requestOf, weighStage, type WeighDefinition } from './stage-kit.ts';

const ofVideo = 'PURGE_SCOPE_VIDEO-0';
const isSweep = `starts_with(name, '${ofVideo}-final-sweep-')`;

describe('a purge', () => {
  const { pool, take, read, complete, published, facts, jobs, objects, put, start, stop, purged, swept, left } =
    purgeKit();

  /** Now and not after an hour, so that what the test does before it comes before it. */
  const sweepNow = () => pool().query(`UPDATE chassis.jobs SET run_after = now() WHERE name LIKE '%-final-sweep-%'`);

  it('a purge of a video stops its work at once, removes its objects, rows and jobs, and is confirmed', async () => {
    await take(requestOf());
    await start(0)(all);
    expect(await read(requestOf())).to.include({ state: 'cancelled' });
    start(1);
    await purged();
    expect(await left()).to.deep.equal(['b/1/x']);
    expect(await read(requestOf())).to.equal(undefined);
    expect((await jobs()).filter((job) => job.startsWith('pan'))).to.deep.equal([]);
    expect(await isTombstoned(pool(), 'a')).to.equal(true);
  });

  it('a purge requested only of other owners is ignored', async () => {
    await take(requestOf());
    await start(1)(all, ['elsewhere']);
    expect(await read(requestOf())).to.include({ state: 'open' });
  });

  it('a purge of other attempts stops and removes only earlier attempts, and the video remains', async () => {
    await take(requestOf());
    await take(requestOf({ attempt: 2 }));
    await start(0)({ videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 2 });
    expect((await jobs()).slice(0, 2)).to.deep.equal(['pan cancelled', 'pan ready']);
    start(1);
    await purged();
    expect(await left()).to.deep.equal(['a/2/x', 'b/1/x']);
    expect(await read(requestOf())).to.equal(undefined);
    expect(await read(requestOf({ attempt: 2 }))).to.include({ state: 'open' });
    expect(await isTombstoned(pool(), 'a')).to.equal(false);
  });

  it('a request that is heard again after its attempt was purged has its jobs again, and ends', async () => {
    await take(requestOf());
    const request = start(1);
    await request({ videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 2 });
    await purged();
    expect(await take(requestOf())).to.equal('opened');
    expect((await jobs()).filter((job) => job.startsWith('pan'))).to.deep.equal(['pan ready']);
    expect(await complete(requestOf())).to.equal(true);
  });

  it('a purge of the source ends the work on earlier attempts and keeps its rows', async () => {
    await take(requestOf());
    await take(requestOf({ attempt: 2 }));
    const source = { videoId: 'a', scope: 'PURGE_SCOPE_SOURCE', keepAttempt: 2 } as const;
    const holds = { removeSourceRows: async () => {} };
    await start(0, holds)(source);
    start(1, holds);
    await purged();
    expect(await read(requestOf())).to.include({ state: 'cancelled' });
    expect(await read(requestOf({ attempt: 2 }))).to.include({ state: 'open' });
    expect(await left()).to.deep.equal(['a/2/x', 'b/1/x']);
  });

  it('a purge of the source stops and removes nothing in a service that keeps none', async () => {
    await take(requestOf());
    await start(1)({ videoId: 'a', scope: 'PURGE_SCOPE_SOURCE', keepAttempt: 2 });
    await purged();
    expect(await left()).to.include('a/1/x');
    expect(await read(requestOf())).to.include({ state: 'open' });
  });

  it('a purge runs once for requests repeated while it waits, and again for a repeat after its confirmation', async () => {
    const request = start(0);
    await request(all);
    await request(all);
    const again = start(1);
    await purged();
    await pool().query(`UPDATE chassis.jobs SET run_after = now() + interval '1 min' WHERE ${isSweep}`);
    await again(all);
    await purged(2);
    const late = `SELECT 1 FROM chassis.jobs WHERE ${isSweep} AND run_after > now() + interval '50 min'`;
    expect((await pool().query(late)).rowCount).to.equal(1);
    const { rows } = await pool().query<{ ids: number }>(
      'SELECT count(DISTINCT message_id) AS ids FROM chassis.outbox',
    );
    expect(rows[0]?.ids).to.equal(2);
    const states = await pool().query(`SELECT state FROM chassis.jobs WHERE ${isSweep}`);
    expect(states.rows).to.deep.equal([{ state: 'ready' }]);
  });

  it('the final sweep of a purge removes what a worker wrote after losing its lease, and publishes nothing', async () => {
    const request = start(1);
    await request(all);
    await purged();
    await objects().putBytes('videos/a/1/late', 'x', { contentType: 'a/b' });
    await sweepNow();
    const swept = async (): Promise<boolean> => (await jobs()).filter((job) => job.endsWith(' done')).length === 2;
    await until(swept, { what: 'the final sweep' });
    expect(await objects().list('videos/a/')).to.deep.equal([]);
    expect(await facts()).to.deep.equal(['purged']);
    const sweepId = async () => (await pool().query(`SELECT id FROM chassis.jobs WHERE ${isSweep}`)).rows[0];
    const first = await sweepId();
    await request(all);
    await purged(2);
    expect(await sweepId()).not.to.deep.equal(first);
  });

  it('a purge of other attempts removes from the kept attempt what no row names, even if written afterwards', async () => {
    const request = start(1, { findWinners: async () => new Set(['pan.2']) });
    for (const file of ['1/pan.1/x', '2/pan.1/x', '2/pan.2/x', '3/pan.1/x'])
      await objects().putBytes(`videos/a/${file}`, 'x', { contentType: 'a/b' });
    await request({ videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 2 });
    await purged();
    expect(await left()).to.deep.equal(['a/2/pan.2/x', 'a/3/pan.1/x', 'b/1/x']);
    await objects().putBytes('videos/a/2/pan.1/late', 'x', { contentType: 'a/b' });
    await sweepNow();
    const swept = async (): Promise<boolean> => (await jobs()).filter((job) => job.endsWith(' done')).length === 2;
    await until(swept, { what: 'the final sweep' });
    expect(await left()).to.deep.equal(['a/2/pan.2/x', 'a/3/pan.1/x', 'b/1/x']);
  });

  it('a purge of other attempts keeps what unfinished jobs write, and an attempt without a result', async () => {
    await take(requestOf());
    for (const file of ['1/pan.1/x', '1/bowl.1/x'])
      await objects().putBytes(`videos/a/${file}`, 'x', { contentType: 'a/b' });
    const request = { videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 1 } as const;
    await start(1, { findWinners: async () => undefined })(request);
    await purged();
    expect(await left()).to.include.members(['a/1/pan.1/x', 'a/1/bowl.1/x']);
    await stop();
    await start(1, { findWinners: async () => new Set() })(request);
    await purged(2);
    expect((await left()).filter((key) => key.startsWith('a/1/'))).to.deep.equal(['a/1/pan.1/x']);
  });

  it('a later request of the same purge is answered for itself, and its repeats are not', async () => {
    const keep = { videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 2 } as const;
    const request = start(0);
    for (const requestId of ['first', 'later', 'first', 'later']) await request({ ...keep, requestId });
    start(1);
    await purged(2);
    const idle = async (): Promise<boolean> => !(await jobs()).some((job) => / (ready|running)$/.test(job));
    await pool().query(`UPDATE chassis.jobs SET run_after = now() WHERE state = 'ready'`);
    await until(idle, { what: 'nothing is left to do' });
    expect((await published()).map(({ payload }) => payload['requestId'])).to.have.members(['first', 'later']);
  });

  it('a final sweep judges the kept attempt only if the purge did, and does once a later purge did', async () => {
    const rows: { winners?: ReadonlySet<string> } = {};
    const request = start(1, { findWinners: async () => rows.winners }, 200);
    const keep = { videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 1 } as const;
    await request(keep);
    await purged();
    rows.winners = new Set(['pan.2']);
    await swept(`${keep.scope}-1`);
    expect(await left()).to.include('a/1/x');
    await objects().putBytes('videos/a/1/pan.1/x', 'x', { contentType: 'a/b' });
    await request(keep);
    await purged(2);
    expect(await left()).not.to.include('a/1/pan.1/x');
  });

  it('a final sweep that keeps failing is retried until it succeeds', async () => {
    const request = start(1, {}, 3_600_000, { retryDelaysMs: [1] });
    await request(all);
    await purged();
    await pool().query('ALTER TABLE chassis.stages RENAME TO stages_away');
    await sweepNow();
    const waits = async () =>
      (
        await pool().query(
          `SELECT 1 FROM chassis.jobs WHERE ${isSweep} AND state = 'ready' AND run_after > now() + interval '30 s'`,
        )
      ).rowCount === 1;
    await until(waits, { what: 'no try is left' });
    await pool().query('ALTER TABLE chassis.stages_away RENAME TO stages');
    await objects().putBytes('videos/a/1/late', 'x', { contentType: 'a/b' });
    await pool().query('UPDATE chassis.jobs SET run_after = now()');
    await swept(ofVideo);
    expect(await objects().list('videos/a/')).to.deep.equal([]);
  });

  it('a purge that ends during the final sweep of an earlier one has its own final sweep', async () => {
    const keep = { videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 1 } as const;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let judged = 0;
    const findWinners = async (): Promise<ReadonlySet<string>> => {
      judged += 1;
      if (judged === 2) await released;
      return new Set();
    };
    const request = start(2, { findWinners }, 200);
    await request({ ...keep, requestId: 'first' });
    await until(() => judged === 2, { what: 'the final sweep has listed the objects' });
    await request({ ...keep, requestId: 'later' });
    await purged(2);
    await put('videos/a/1/pan.1/late');
    release();
    const isGone = async (): Promise<boolean> => !(await left()).includes('a/1/pan.1/late');
    await until(isGone, { what: 'the final sweep of the later purge' });
  });

  it('a purge that the storage refuses waits with the reason in its row and in the metric, and ends once it is allowed', async () => {
    const locked = await testBucket({ versions: true });
    const keys = { s3AccessKey: locked.accessKey, s3SecretKey: locked.secretKey };
    const held = openObjects({ s3Endpoint: locked.endpoint, s3Region: locked.region, ...keys }, locked.bucket);
    await held.putBytes('videos/a/1/x', 'x', { contentType: 'a/b' });
    await setLegalHold(locked, 'videos/a/1/x', 'ON');
    const metrics = createMetrics('test');
    const refused = async (): Promise<boolean> => /^vds_purges_refused.* 1$/m.test(await metrics.registry.metrics());
    await start(1, { objects: held }, 3_600_000, { metrics })(all);
    await until(refused, { what: 'the metric' });
    const row = `SELECT error, run_after > now() + interval '30 s' AS later FROM chassis.jobs WHERE stage = 'purge'`;
    const { rows } = await pool().query<{ error: string; later: boolean }>(row);
    expect(rows).to.have.lengthOf(1);
    expect(rows[0]).to.include({ later: true });
    expect(rows[0]?.error).to.match(/keeps 1 version/);
    expect(await facts()).to.deep.equal([]);
    await setLegalHold(locked, 'videos/a/1/x', 'OFF');
    await pool().query('UPDATE chassis.jobs SET run_after = now()');
    await purged();
    expect(await metrics.registry.metrics()).to.match(/^vds_purges_refused.* 0$/m);
    await locked.drop();
  });

  it('retention leaves nothing but tombstones of twenty requested and deleted videos', async () => {
    const request = start(4, {}, 1);
    const videos = Array.from({ length: 20 }, (_video, index) => `v${index}`);
    for (const videoId of videos) {
      await take(requestOf({ videoId }));
      await request({ ...all, videoId });
    }
    await purged(videos.length);
    const areSwept = async (): Promise<boolean> =>
      (await pool().query(`SELECT 1 FROM chassis.jobs WHERE ${isSweep} AND state = 'done'`)).rowCount === videos.length;
    await until(areSwept, { what: 'the final sweeps' });
    await pool().query(`UPDATE chassis.jobs SET finished_at = now() - interval '8 days'`);
    const days = { jobsKeepMs: 7 * 86_400_000, tombstonesKeepMs: 90 * 86_400_000 };
    await pruneTables(pool(), chassisRetention(days), new AbortController().signal);
    const { rows } = await pool().query(`SELECT (SELECT count(*) FROM chassis.jobs) AS jobs,
      (SELECT count(*) FROM chassis.stages) AS stages, (SELECT count(*) FROM chassis.tombstones) AS tombstones`);
    expect(rows).to.deep.equal([{ jobs: 0, stages: 0, tombstones: 20 }]);
  });

  it('a purge is confirmed only once its bucket is empty and the service’s own rows are removed', async () => {
    await pool().query('CREATE TABLE weights (video_id text, attempt int); INSERT INTO weights VALUES ($$a$$, 1)');
    await pool().query('ALTER TABLE weights RENAME TO weights_away');
    await start(1, { tables: ['weights'] })(all);
    await until(async () => (await jobs()).some((job) => job.endsWith(' ready')), { what: 'a first try that failed' });
    expect(await facts()).to.deep.equal([]);
    await pool().query('ALTER TABLE weights_away RENAME TO weights');
    await purged();
    expect((await pool().query('SELECT 1 FROM weights')).rowCount).to.equal(0);
  });

  it('a purge is not confirmed while the bucket still lists an object, though no removal was refused', async () => {
    let removals = 0;
    let isOverloaded = true;
    // As a storage that answers single removals with a transient error.
    const overloaded: Objects = {
      ...objects(),
      removePrefix: async (prefix, matches) => {
        removals += 1;
        if (!isOverloaded) await objects().removePrefix(prefix, matches);
      },
    };
    await start(1, { objects: overloaded })(all);
    await until(() => removals > 1, { what: 'another try' });
    expect(await facts()).to.deep.equal([]);
    isOverloaded = false;
    await purged();
    expect(await left()).to.deep.equal(['b/1/x']);
  });

  it('a purge of the whole video aborts its running jobs at once, and one of other attempts aborts none', async () => {
    await take(requestOf());
    await take(requestOf({ attempt: 2 }));
    const running: number[] = [];
    const aborted: number[] = [];
    const run: WeighDefinition['jobs']['pan']['run'] = async ({ attempt, signal }) => {
      running.push(attempt);
      await sleep(60_000, undefined, { signal }).catch(() => aborted.push(attempt));
      signal.throwIfAborted();
    };
    const stages = [bindStage(weighStage({ jobs: { pan: { run } } }), null)];
    // No lease is renewed during the test: only the purge itself can abort.
    const request = start(0, {}, 1, { stages, queues: { weigh: { slots: 2 } }, leaseMs: 600_000 });
    await until(() => running.length === 2, { what: 'both jobs run' });
    await request({ videoId: 'a', scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 2 });
    await sleep(100);
    expect(aborted).to.deep.equal([]);
    await request(all);
    await until(() => aborted.length === 2, { what: 'both jobs are aborted' });
  });
});
