import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { requestInspect, uploadSource, waitForTerminalEvent } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';

/** An address of object storage whose responses arrive slowly: so many bytes every tenth of a second. */
async function openSlowWay(endpoint: string, bytes: number) {
  const { hostname, port } = new URL(endpoint);
  const slowed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks)
      for (let at = 0; at < chunk.length; at += bytes) {
        yield chunk.subarray(at, at + bytes);
        await sleep(100);
      }
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).on('error', () => near.destroy());
    pipeline(far, slowed, near).catch(() => far.destroy()); // the worker closed its connection
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

describe('buckets that become silent', function () {
  this.timeout(60_000);
  let folder: string;
  let harness: Harness;
  let proxy: CuttingProxy;
  before(async () => {
    folder = await makeFolder();
    await ffmpeg(...picture('320x180', 25, 1), ...fastH264, join(folder, 'clip.mp4'));
    harness = await openHarness({ INSPECT_SLOTS: '1', TIME_SCALE: 's3Timeout=500ms,renew=200ms' });
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

  it('a source whose copy takes longer than the stall time is not a stall', async () => {
    const video = await uploadSource(harness, join(folder, 'clip.mp4'));
    // Copying takes six seconds.
    const way = await openSlowWay(harness.sources.endpoint, Math.ceil(video.sourceBytes / 60));
    const worker = await harness.startWorker({ S3_ENDPOINT: way.url, TIME_SCALE: 's3Timeout=10s,stall=2s' });
    await requestInspect(harness, video);
    expect((await waitForTerminalEvent(harness, video.videoId, 'inspect')).subject).to.include('completed');
    await worker.stop();
    way.close();
  });

  it('a job whose lease is lost while its bucket is silent stops at once, and so does one of a process that ends', async () => {
    const worker = await startBehindProxy({ TIME_SCALE: 's3Timeout=10m' });
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
