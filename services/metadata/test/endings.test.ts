/** Work that ends early: cancelled, purged, or continued by another process; and that a purge leaves nothing. */
import { expect } from 'chai';
import { events } from '@vds/proto/events';
import { terminateDuringWork, released, runningIn } from '@vds/testkit/harness/terminate-during-work';
import { until } from '@vds/testkit/until';
import {
  requestMetadata,
  storeVideo,
  getMetadata,
  terminalEventOf,
  createMetadata,
  type TestVideo,
} from './catalog.ts';
import { codeOf, openHarness, type Harness, type Worker } from './harness.ts';
import { makeFolder, removeFolder, render, upload, type Renditions } from './renditions.ts';

describe('the end of metadata work', function () {
  this.timeout(90_000);
  let harness: Harness;
  let folder: string;
  let worker: Worker;
  let short: Renditions;
  let long: Renditions;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({
      TIME_SCALE: '0.05,purgeAgain=1h',
      ANALYZE_SLOTS: '1',
      READINGS_PER_MINUTE: '0',
    });
    worker = await harness.startWorker();
    const rungs = [[256, 144]] as const;
    const picture = (seconds: number): string => `testsrc2=s=256x144:r=10,trim=0:${seconds},setsar=1[picture]`;
    short = await render(`${folder}/short`, { graph: picture(6), seconds: 6, sound: false, rungs, rate: 10 });
    long = await render(`${folder}/long`, { graph: picture(900), seconds: 900, sound: false, rungs, rate: 10 });
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  const rowsOf = async (videoId: string): Promise<number> => {
    const tables = [
      'analyses WHERE video_id',
      'revisions WHERE video_id',
      'chassis.stages WHERE video_id',
      "chassis.jobs WHERE stage <> 'purge' AND video_id",
    ];
    const counts = await Promise.all(
      tables.map((table) => harness.pool.query(`SELECT 1 FROM ${table} = $1`, [videoId])),
    );
    return counts.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
  };

  const startAnalysis = async (): Promise<TestVideo> => {
    const video = await storeVideo(harness, long);
    await requestMetadata(harness, video);
    await until(() => harness.of(video.videoId, 'metadata.started')[0], { what: 'the analysis has started' });
    return video;
  };

  it('metadata of a cancelled video stops at once and publishes no terminal event', async () => {
    const { videoId } = await startAnalysis();
    await harness.bus.publish(events.videoCancelled, { videoId }, `cancel-${videoId}`);
    await until(
      async () =>
        (
          await harness.pool.query("SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND state IN ('ready', 'running')", [
            videoId,
          ])
        ).rowCount === 0,
      { what: 'no job of the video is left' },
    );
    await createMetadata(harness, worker, await storeVideo(harness, short));
    expect(harness.of(videoId, 'metadata.completed')).to.deep.equal([]);
    expect(harness.of(videoId, 'metadata.failed')).to.deep.equal([]);
    expect(await codeOf(getMetadata(worker, videoId))).to.equal('NOT_FOUND');
  });

  it('a purge during an analysis removes every row of the video, and later requests for it are ignored', async () => {
    const video = await startAnalysis();
    const { videoId } = video;
    const purge = { videoId, scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0, owners: ['catalog', 'metadata'] };
    await harness.bus.publish(events.purgeRequested, purge, `purge-${videoId}`);
    await until(() => harness.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    await requestMetadata(harness, video);
    await harness.bus.publish(events.purgeRequested, purge, `purge-again-${videoId}`);
    await until(() => harness.of(videoId, 'video.purged').length === 2, {
      what: 'a repeated purge is confirmed again',
    });
    expect(await rowsOf(videoId)).to.equal(0);
    const { rows } = await harness.pool.query('SELECT video_id FROM chassis.tombstones WHERE video_id = $1', [videoId]);
    expect(rows).to.have.length(1);
  });

  it('a purge of other attempts removes earlier ones and keeps the current one until the video is purged', async () => {
    const video = await storeVideo(harness, short);
    await createMetadata(harness, worker, video);
    await requestMetadata(harness, { ...video, attempt: 2, ladderKey: await upload(harness, video.videoId, short, 2) });
    await terminalEventOf(harness, video.videoId, 1);
    const purge = {
      videoId: video.videoId,
      scope: 'PURGE_SCOPE_OTHER_ATTEMPTS' as const,
      keepAttempt: 2,
      owners: ['metadata'],
    };
    await harness.bus.publish(events.purgeRequested, purge, `others-${video.videoId}`);
    await until(() => harness.of(video.videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect((await getMetadata(worker, video.videoId)).attempt).to.equal(2);
    const { rows } = await harness.pool.query('SELECT attempt FROM analyses WHERE video_id = $1', [video.videoId]);
    expect(rows).to.deep.equal([{ attempt: 2 }]);
    const all = { ...purge, scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0 };
    await harness.bus.publish(events.purgeRequested, all, `all-${video.videoId}`);
    await until(() => harness.of(video.videoId, 'video.purged')[1], { what: 'the second purge is confirmed' });
    expect(await rowsOf(video.videoId)).to.equal(0);
  });

  it('SIGTERM releases a running analysis without counting a try, and another process claims it', async () => {
    const { videoId } = await startAnalysis();
    const { code, ms, jobs } = await terminateDuringWork(harness.pool, videoId, worker.process);
    expect(code).to.equal(0);
    expect(ms).to.be.below(10_000);
    expect(jobs).to.deep.equal([released]);
    worker = await harness.startWorker();
    await until(async () => (await runningIn(harness.pool, videoId)).length > 0, { what: 'the analysis runs again' });
    await harness.bus.publish(events.videoCancelled, { videoId }, `cancel-${videoId}`);
  });

  it('another process finishes the analysis of a killed one, with every span once and rising progress', async () => {
    const video = await startAnalysis();
    worker.process.kill('SIGKILL');
    worker = await harness.startWorker();
    const { subject } = await terminalEventOf(harness, video.videoId);
    expect(subject).to.equal('metadata.metadata.completed.v1');
    const { rows } = await harness.pool.query('SELECT span FROM analyses WHERE video_id = $1 ORDER BY span', [
      video.videoId,
    ]);
    expect(rows).to.deep.equal([{ span: 0 }, { span: 1 }, { span: 2 }]);
    const { scenes } = await getMetadata(worker, video.videoId);
    expect(scenes.at(-1)?.endMs).to.equal(900_000);
    const percents = harness.of(video.videoId, 'metadata.progressed').map(({ payload }) => Number(payload['percent']));
    expect(percents).to.deep.equal([...percents].sort((a, b) => a - b));
  });
});
