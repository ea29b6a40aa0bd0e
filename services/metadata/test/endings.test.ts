/** Work that ends early: cancelled, purged, or continued by another process; and that a purge leaves nothing. */
import { expect } from 'chai';
import { events } from '@vds/proto/events';
import { endAtWork, released, runningIn } from '@vds/testkit/harness/end-at-work';
import { until } from '@vds/testkit/until';
import { ask, bring, getMetadata, lastWord, understand, type Title } from './catalog.ts';
import { openHouse, type House, type Worker } from './harness.ts';
import { makeFolder, removeFolder, render, upload, type Made } from './renditions.ts';

function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no error',
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

describe('metadata, when its work ends early', function () {
  this.timeout(90_000);
  let house: House;
  let folder: string;
  let worker: Worker;
  let made: Made;
  let long: Made;
  before(async () => {
    folder = await makeFolder();
    house = await openHouse({
      WORK_LEASE: '3s',
      WORK_RENEW: '1s',
      PURGE_AGAIN_AFTER: '1h',
      ANALYZE_SLOTS: '1',
      READINGS_PER_MINUTE: '0',
    });
    worker = await house.startWorker();
    const rungs = [[256, 144]] as const;
    const picture = (seconds: number): string => `testsrc2=s=256x144:r=10,trim=0:${seconds},setsar=1[picture]`;
    made = await render(`${folder}/short`, { graph: picture(6), seconds: 6, sound: false, rungs, rate: 10 });
    long = await render(`${folder}/long`, { graph: picture(900), seconds: 900, sound: false, rungs, rate: 10 });
  });
  after(async () => {
    await house?.close();
    await removeFolder(folder);
  });

  const rowsOf = async (videoId: string): Promise<number> => {
    const tables = [
      'analyses WHERE video_id',
      'revisions WHERE video_id',
      'chassis.stages WHERE video_id',
      "chassis.jobs WHERE stage <> 'purge' AND video_id",
    ];
    const counts = await Promise.all(tables.map((table) => house.pool.query(`SELECT 1 FROM ${table} = $1`, [videoId])));
    return counts.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
  };

  const looking = async (): Promise<Title> => {
    const title = await bring(house, long);
    await ask(house, title);
    await until(() => house.of(title.videoId, 'metadata.started')[0], { what: 'a look has begun' });
    return title;
  };

  it('stops at once when the video is cancelled, and says no more of it', async () => {
    const { videoId } = await looking();
    await house.bus.publish(events.videoCancelled, { videoId }, `cancel-${videoId}`);
    await until(
      async () =>
        (
          await house.pool.query("SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND state IN ('ready', 'running')", [
            videoId,
          ])
        ).rowCount === 0,
      { what: 'no job of the video is left' },
    );
    await understand(house, worker, await bring(house, made));
    expect(house.of(videoId, 'metadata.completed')).to.deep.equal([]);
    expect(house.of(videoId, 'metadata.failed')).to.deep.equal([]);
    expect(await codeOf(getMetadata(worker, videoId))).to.equal('NOT_FOUND');
  });

  it('leaves nothing of a removed video, also while it is looked at, and refuses it from then on', async () => {
    const title = await looking();
    const { videoId } = title;
    const purge = { videoId, scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0, owners: ['catalog', 'metadata'] };
    await house.bus.publish(events.purgeRequested, purge, `purge-${videoId}`);
    await until(() => house.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    await ask(house, title);
    await house.bus.publish(events.purgeRequested, purge, `purge-again-${videoId}`);
    await until(() => house.of(videoId, 'video.purged').length === 2, { what: 'a repeated purge is confirmed again' });
    expect(await rowsOf(videoId)).to.equal(0);
    const { rows } = await house.pool.query('SELECT video_id FROM chassis.tombstones WHERE video_id = $1', [videoId]);
    expect(rows).to.have.length(1);
  });

  it('forgets what earlier attempts left and keeps the attempt that lives, until that is removed too', async () => {
    const title = await bring(house, made);
    await understand(house, worker, title);
    await ask(house, { ...title, attempt: 2, ladderKey: await upload(house, title.videoId, made, 2) });
    await lastWord(house, title.videoId, 1);
    const purge = {
      videoId: title.videoId,
      scope: 'PURGE_SCOPE_OTHER_ATTEMPTS' as const,
      keepAttempt: 2,
      owners: ['metadata'],
    };
    await house.bus.publish(events.purgeRequested, purge, `others-${title.videoId}`);
    await until(() => house.of(title.videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect((await getMetadata(worker, title.videoId)).attempt).to.equal(2);
    const { rows } = await house.pool.query('SELECT attempt FROM analyses WHERE video_id = $1', [title.videoId]);
    expect(rows).to.deep.equal([{ attempt: 2 }]);
    const all = { ...purge, scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0 };
    await house.bus.publish(events.purgeRequested, all, `all-${title.videoId}`);
    await until(() => house.of(title.videoId, 'video.purged')[1], { what: 'the second purge is confirmed' });
    expect(await rowsOf(title.videoId)).to.equal(0);
  });

  it('gives a look back at SIGTERM at no cost of a try, and another process takes it up', async () => {
    const { videoId } = await looking();
    const { code, ms, jobs } = await endAtWork(house.pool, videoId, worker.process);
    expect(code).to.equal(0);
    expect(ms).to.be.below(10_000);
    expect(jobs).to.deep.equal([released]);
    worker = await house.startWorker();
    await until(async () => (await runningIn(house.pool, videoId)).length > 0, { what: 'it is looked at again' });
    await house.bus.publish(events.videoCancelled, { videoId }, `cancel-${videoId}`);
  });

  it('lets another process finish what one that was killed had begun', async () => {
    const title = await looking();
    worker.process.kill('SIGKILL');
    worker = await house.startWorker();
    const { subject } = await lastWord(house, title.videoId);
    expect(subject).to.equal('metadata.metadata.completed.v1');
    const { rows } = await house.pool.query('SELECT span FROM analyses WHERE video_id = $1 ORDER BY span', [
      title.videoId,
    ]);
    expect(rows).to.deep.equal([{ span: 0 }, { span: 1 }, { span: 2 }]);
    const { scenes } = await getMetadata(worker, title.videoId);
    expect(scenes.at(-1)?.endMs).to.equal(900_000);
    const percents = house.of(title.videoId, 'metadata.progressed').map(({ payload }) => Number(payload['percent']));
    expect(percents).to.deep.equal([...percents].sort((a, b) => a - b));
  });
});
