import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
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

describe('a slow bucket', function () {
  this.timeout(60_000);
  let folder: string;
  let harness: Harness;
  before(async () => {
    folder = await makeFolder();
    await ffmpeg(...picture('320x180', 25, 1), ...fastH264, join(folder, 'clip.mp4'));
    harness = await openHarness();
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
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
});
