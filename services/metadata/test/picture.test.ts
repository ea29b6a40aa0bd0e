/** Analysis of the pictures of real renditions. */
import { expect } from 'chai';
import { storeVideo, createMetadata } from './catalog.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';
import { makeFolder, removeFolder, render } from './renditions.ts';

const RATE = 30;
const PICTURE = 1_000 / RATE + 1;
function source(filter: string, seconds: number, label: string): string {
  return `${filter}${filter.includes('=') ? ':' : '='}s=640x360:r=${RATE},trim=0:${seconds},setpts=PTS-STARTPTS,format=yuv420p,setsar=1[${label}]`;
}

/** A still picture of two colours. */
function still(from: string, to: string): string {
  return `gradients=c0=${from}:c1=${to}:x0=0:y0=0:x1=640:y1=360:n=2:speed=0.00001`;
}

/** A moving test picture, other colours, black, a still picture, and the first again. */
const intervals = [
  source('testsrc2', 5, 'a'),
  source('rgbtestsrc', 4, 'b'),
  source('color=c=black', 3, 'c'),
  source(still('0xcc3311', '0xffdd00'), 5, 'd'),
  source('testsrc2', 4, 'e'),
  '[a][b][c][d][e]concat=n=5:v=1:a=0[picture]',
].join(';');

/** A white flash of two pictures at 2 s, a slow change from one picture to the other around 6 s, a cut at 11 s. */
const changes = [
  source('mandelbrot=end_scale=0.3', 6, 'a0'),
  `[a0]drawbox=c=white:t=fill:enable='between(t,2,2.05)'[a]`,
  source(still('0x0033aa', '0x00ccff'), 5.5, 'b'),
  `[a][b]xfade=transition=fade:duration=1:offset=5[ab]`,
  source('testsrc2', 4, 'c'),
  '[ab]trim=0:11,setpts=PTS-STARTPTS[d]',
  '[d][c]concat=n=2:v=1:a=0[picture]',
].join(';');

/** Motion of 8 s, a still picture of 3 s, motion with each picture twice of 6 s, another picture. */
const slowed = [
  source('testsrc2', 8, 'a'),
  source(still('0x0033aa', '0x00ccff'), 3, 'b'),
  `testsrc2=s=640x360:r=${RATE / 2},trim=0:6,hue=h=120,fps=${RATE},setpts=PTS-STARTPTS,format=yuv420p,setsar=1[c]`,
  source('rgbtestsrc', 10, 'd'),
  '[a][b][c][d]concat=n=4:v=1:a=0[picture]',
].join(';');

describe('analysis of pictures', function () {
  this.timeout(90_000);
  let harness: Harness;
  let folder: string;
  let worker: Worker;
  const rungs = [[426, 240]] as const;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness();
    worker = await harness.startWorker();
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  const startsOf = (found: { shots: { startMs: number }[] }): number[] => found.shots.map(({ startMs }) => startMs);
  const expectTimes = (times: readonly number[], wanted: readonly number[], within: number): void => {
    expect(times, times.join(' ')).to.have.length(wanted.length);
    wanted.forEach((atMs, index) => expect(times[index]).to.be.closeTo(atMs, within));
  };

  it('the analysis finds every cut to within one picture, and black and frozen intervals', async () => {
    const renditions = await render(`${folder}/intervals`, { graph: intervals, seconds: 21, sound: false, rungs });
    const found = await createMetadata(harness, worker, await storeVideo(harness, renditions));
    expectTimes(startsOf(found), [0, 5_000, 9_000, 12_000, 17_000], PICTURE);
    expect(found.intervals.map(({ kind }) => kind)).to.deep.equal(['frozen', 'black', 'frozen']);
    const edges = found.intervals.flatMap(({ startMs, endMs }) => [startMs, endMs]);
    expectTimes(edges, [5_000, 9_000, 9_000, 12_000, 12_000, 17_000], 2 * PICTURE);
    const dark = found.scenes.find(({ startMs }) => Math.abs(startMs - 9_000) < PICTURE);
    for (const scene of found.scenes.filter((one) => one !== dark))
      expect(scene.thumbnailMs, 'a thumbnail is not taken from black').to.satisfy(
        (atMs: number) => atMs < 9_000 || atMs > 12_000,
      );
  });

  it('a flash is not a cut, and a dissolve between two pictures is one', async () => {
    const renditions = await render(`${folder}/changes`, { graph: changes, seconds: 15, sound: false, rungs });
    const found = await createMetadata(harness, worker, await storeVideo(harness, renditions));
    expect(startsOf(found), startsOf(found).join(' ')).to.have.length(3);
    expect(startsOf(found)[1]).to.be.closeTo(5_500, 600);
    expect(startsOf(found)[2]).to.be.closeTo(10_500, 600);
  });

  it('a shot that repeats its pictures is slow motion', async () => {
    const renditions = await render(`${folder}/slowed`, { graph: slowed, seconds: 27, sound: false, rungs });
    const { labels } = await createMetadata(harness, worker, await storeVideo(harness, renditions));
    const slow = labels.find(({ name }) => name === 'shot:slow_motion');
    expect(slow?.source, JSON.stringify(labels)).to.equal('picture');
    expectTimes(slow?.spans.flatMap(({ startMs, endMs }) => [startMs, endMs]) ?? [], [11_000, 17_000], 3 * PICTURE);
  });

  it('scenes cover a video from its first to its last millisecond without gap or overlap', async () => {
    const renditions = await render(`${folder}/short`, { graph: intervals, seconds: 7, sound: false, rungs });
    const { scenes } = await createMetadata(harness, worker, await storeVideo(harness, renditions));
    expect(scenes[0]?.startMs).to.equal(0);
    expect(scenes.at(-1)?.endMs).to.equal(7_000);
    scenes.slice(1).forEach(({ startMs }, index) => expect(startMs).to.equal(scenes[index]?.endMs));
    for (const { startMs, endMs, thumbnailMs } of scenes) expect(thumbnailMs).to.be.within(startMs, endMs - 1);
  });
});
