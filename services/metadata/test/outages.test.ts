/** What is nobody's fault costs nothing: object storage that is unavailable, and tools that the kernel kills. */
import { expect } from 'chai';
import { outlastKilledFfmpeg, outlastStorage } from '@vds/testkit/harness/outages';
import { requestMetadata, storeVideo, terminalEventOf, type TestVideo } from './catalog.ts';
import { openHarness, type Harness } from './harness.ts';
import { makeFolder, removeFolder, render, type Renditions } from './renditions.ts';

describe('outages of what metadata needs', function () {
  this.timeout(120_000);
  let harness: Harness;
  let folder: string;
  let renditions: Renditions;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({ TIME_SCALE: 'breakerPause=200ms', READINGS_PER_MINUTE: '0' });
    const graph = 'testsrc2=s=256x144:r=10,trim=0:2,setsar=1[picture]';
    renditions = await render(folder, { graph, seconds: 2, sound: false, rungs: [[256, 144]], rate: 10 });
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });
  const stage = {
    request: async (): Promise<TestVideo> => {
      const video = await storeVideo(harness, renditions);
      await requestMetadata(harness, video);
      return video;
    },
    completed: async ({ videoId }: TestVideo): Promise<void> => {
      const { subject, payload } = await terminalEventOf(harness, videoId);
      expect(subject, JSON.stringify(payload)).to.equal('metadata.metadata.completed.v1');
    },
  };

  it('while object storage is unavailable the analyses pause at no cost, and are made when it is back', async () => {
    const costs = await outlastStorage(harness, harness.media.endpoint, stage);
    expect(costs).to.deep.equal({ tries: 0, crashes: 0, failed: 0 });
  });

  it('an ffmpeg that is killed costs no try', async () => {
    const { crashes, ...others } = await outlastKilledFfmpeg(harness, folder, stage);
    expect(crashes).to.be.greaterThan(0);
    expect(others).to.deep.equal({ tries: 0, failed: 0 });
  });
});
