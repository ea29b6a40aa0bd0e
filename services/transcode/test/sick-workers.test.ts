/**
 * A worker that lacks a permission, the right time or room on its disk, and objects that appear late: nothing of it is a
 * video's fault, nothing costs a try, and the worker says what it lacks.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { jobCosts } from '@vds/testkit/harness/job-costs';
import { testS3User } from '@vds/testkit/harness/objects';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { requestEncode, requestInspect, uploadSource, waitForTerminalEvent } from './catalog.ts';
import { sourceOf, type UploadedVideo } from './stored-source.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder } from './clips.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';

const PAUSED = 'dependency unavailable: queue paused';
const clockSkew = new URL(import.meta.resolve('@vds/testkit/harness/clock-skew'));

/** An S3 endpoint that lists nothing until it catches up. */
async function openLateListing(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  let isLate = true;
  const server = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming;
    if (isLate && method === 'GET' && url.includes('list-type=2'))
      return void response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
    const outgoing = send({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    catchUp: (): void => void (isLate = false),
    close: (): void => server.close().closeAllConnections(),
  };
}

describe('workers that lack something', function () {
  this.timeout(120_000);
  let harness: Harness;
  let folder: string;
  let clip: string;
  before(async () => {
    folder = await makeFolder();
    clip = join(folder, 'clip.mp4');
    await ffmpeg(...picture('160x90', 10, 1), ...fastH264, clip);
    harness = await openHarness({ TIME_SCALE: 'breakerPause=200ms' });
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });
  const requestThree = async (): Promise<UploadedVideo[]> => {
    const videos = await Promise.all([1, 2, 3].map(() => uploadSource(harness, clip)));
    for (const video of videos) await requestInspect(harness, video);
    return videos;
  };
  const areInspected = async (videos: readonly UploadedVideo[]): Promise<void> => {
    for (const { videoId } of videos)
      expect((await waitForTerminalEvent(harness, videoId, 'inspect')).subject).to.include('completed');
    const costs = await jobCosts(
      harness.pool,
      videos.map(({ videoId }) => videoId),
    );
    expect(costs).to.deep.equal({ tries: 0, crashes: 0, failed: 0 });
  };
  const reasonsOf = ({ lines }: Worker): string =>
    lines.flatMap(({ msg, err }) => (msg === 'job failed' ? [JSON.stringify(err)] : [])).join('\n');

  it('sources that appear late are inspected then, and do not delay others until then', async () => {
    const worker = await harness.startWorker({ INSPECT_SLOTS: '1' });
    const late = await Promise.all([1, 2, 3].map(() => sourceOf(clip)));
    for (const video of late) await requestInspect(harness, video);
    const missing = "SELECT 1 FROM chassis.jobs WHERE blocked_by = 'missing' AND video_id = ANY ($1)";
    const isMissed = async () =>
      (await harness.pool.query(missing, [late.map(({ videoId }) => videoId)])).rowCount === 3;
    await until(isMissed, { what: 'each is missed' });
    const other = await uploadSource(harness, clip);
    await requestInspect(harness, other);
    await areInspected([other]);
    for (const { videoId } of late) await uploadSource(harness, clip, videoId);
    await areInspected(late);
    expect(worker.lines.map(({ msg }) => msg)).not.to.include(PAUSED);
    await worker.stop();
  });

  it('a video whose files object storage lists late is encoded then, at no cost', async () => {
    const storage = await openLateListing(harness.media.endpoint);
    const worker = await harness.startWorker({ S3_ENDPOINT: storage.url });
    const video = await uploadSource(harness, clip);
    await requestInspect(harness, video);
    await areInspected([video]);
    await requestEncode(harness, video, 1_000);
    const tried = "SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND name = 'assemble' AND fence > 1";
    await until(async () => (await harness.pool.query(tried, [video.videoId])).rowCount, { what: 'a second try' });
    storage.catchUp();
    expect((await waitForTerminalEvent(harness, video.videoId, 'encode')).subject).to.include('completed');
    await areInspected([video]); // nor has it cost anything
    await worker.stop();
    storage.close();
  });

  it('a worker that object storage denies access pauses, and resumes when it is admitted', async () => {
    const user = await testS3User();
    const worker = await harness.startWorker(user.environment);
    const videos = await requestThree();
    await worker.logged(PAUSED);
    expect(reasonsOf(worker)).to.include('no access to object');
    await user.admitTo(harness.sources);
    await areInspected(videos);
    await worker.stop();
    await user.remove();
  });

  it('a worker whose clock is wrong pauses and says so, and another one does its work', async () => {
    const sick = await harness.startWorker({ NODE_OPTIONS: `--import=${clockSkew.href}` });
    sick.process.kill('SIGUSR2');
    const videos = await requestThree();
    await sick.logged(PAUSED);
    expect(reasonsOf(sick)).to.include('set the clock of this machine');
    const well = await harness.startWorker();
    await areInspected(videos);
    await Promise.all([sick.stop('SIGKILL'), well.stop()]);
  });

  it('a worker whose disk is full pauses and says so, and resumes when there is room', async function () {
    const scratch = join(folder, 'small');
    mkdirSync(scratch);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', scratch], { stdio: 'ignore' });
    } catch {
      skipBecause(this, 'only root can mount a small file system');
    }
    const ballast = join(scratch, 'ballast');
    try {
      expect(() => writeFileSync(ballast, Buffer.alloc(64 * 2 ** 20))).to.throw('ENOSPC');
      const worker = await harness.startWorker({ SCRATCH_DIR: scratch });
      const videos = await requestThree();
      await worker.logged(PAUSED);
      expect(reasonsOf(worker)).to.match(/ENOSPC|the scratch folder is full/);
      rmSync(ballast);
      await areInspected(videos);
      await worker.stop();
    } finally {
      execFileSync('umount', ['-l', scratch], { stdio: 'ignore' });
    }
  });
});
