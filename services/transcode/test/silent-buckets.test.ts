import { join } from 'node:path';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { requestInspect, uploadSource, waitForTerminalEvent } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';

describe('buckets that become silent', function () {
  this.timeout(60_000);
  let folder: string;
  let harness: Harness;
  let proxy: CuttingProxy;
  before(async () => {
    folder = await makeFolder();
    await ffmpeg(...picture('320x180', 25, 1), ...fastH264, join(folder, 'clip.mp4'));
    harness = await openHarness({ INSPECT_SLOTS: '1', S3_TIMEOUT: '500ms', WORK_RENEW: '200ms' });
    proxy = await openCuttingProxy();
    proxy.forwardTo(Number(new URL(harness.sources.endpoint).port));
  });
  after(async () => {
    await harness?.close();
    await proxy?.close();
    await removeFolder(folder);
  });
  const startBehindProxy = (more: Readonly<Record<string, string>> = {}) =>
    harness.startWorker({ S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`, ...more });
  const isRunning = (videoId: string) => async (): Promise<boolean> => {
    const sql = "SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND state = 'running'";
    return (await harness.pool.query(sql, [videoId])).rowCount === 1;
  };

  it('a job whose bucket is silent gives its slot back, and completes once the bucket answers', async () => {
    const worker = await startBehindProxy();
    const video = await uploadSource(harness, join(folder, 'clip.mp4'));
    proxy.dropResponses();
    await requestInspect(harness, video);
    await until(isRunning(video.videoId), { what: 'the job runs' });
    await until(async () => !(await isRunning(video.videoId)()), { what: 'the slot is free', capMs: 10_000 });
    proxy.cut();
    expect((await waitForTerminalEvent(harness, video.videoId, 'inspect')).subject).to.include('completed');
    await worker.stop();
  });

  it('a job whose lease is lost while its bucket is silent stops at once, and so does one of a process that ends', async () => {
    const worker = await startBehindProxy({ S3_TIMEOUT: '10m' });
    const begin = async (): Promise<string> => {
      const video = await uploadSource(harness, join(folder, 'clip.mp4'));
      await requestInspect(harness, video);
      await until(isRunning(video.videoId), { what: 'the job runs' });
      return video.videoId;
    };
    proxy.dropResponses();
    const lost = await begin();
    await harness.pool.query("UPDATE chassis.jobs SET state = 'cancelled', lease_until = NULL WHERE video_id = $1", [
      lost,
    ]);
    await begin(); // there is one slot
    const from = performance.now();
    expect(await worker.stop()).to.equal(0);
    expect(performance.now() - from).to.be.below(10_000);
  });
});
