/** What is found in the pictures of real renditions. */
import { expect } from 'chai';
import { bring, understand } from './catalog.ts';
import { openHouse, type House, type Worker } from './house.ts';
import { makeFolder, removeFolder, render, type Made } from './renditions.ts';

const rate = 30;
const source = (filter: string, seconds: number, label: string): string =>
  `${filter}${filter.includes('=') ? ':' : '='}s=640x360:r=${rate},trim=0:${seconds},setpts=PTS-STARTPTS,format=yuv420p,setsar=1[${label}]`;

/** A moving test picture, other colours, black, a picture that stands still, and the first again. */
const graph = [
  source('testsrc2', 5, 'a'),
  source('rgbtestsrc', 4, 'b'),
  source('color=c=black', 3, 'c'),
  source('gradients=c0=0xcc3311:c1=0xffdd00:x0=0:y0=0:x1=640:y1=360:n=2:speed=0.00001', 5, 'd'),
  source('testsrc2', 4, 'e'),
  '[a][b][c][d][e]concat=n=5:v=1:a=0[picture]',
].join(';');

describe('metadata: pictures', function () {
  this.timeout(90_000);
  let house: House;
  let folder: string;
  let worker: Worker;
  let made: Made;
  before(async () => {
    folder = await makeFolder();
    house = await openHouse();
    worker = await house.startWorker();
    made = await render(folder, { graph, seconds: 21, sound: false, rungs: [[426, 240]] });
  });
  after(async () => {
    await house?.close();
    await removeFolder(folder);
  });

  it('finds every cut within one picture, and black and frozen stretches', async () => {
    const found = await understand(house, worker, await bring(house, made));
    const starts = found.shots.map(({ startMs }) => startMs);
    const expected = [0, 5_000, 9_000, 12_000, 17_000];
    expect(starts).to.have.length(expected.length);
    expected.forEach((atMs, place) => expect(starts[place]).to.be.closeTo(atMs, 1_000 / rate + 1));
    expect(found.stretches.map(({ kind }) => kind)).to.deep.equal(['frozen', 'black', 'frozen']);
    const edges = found.stretches.map(({ startMs, endMs }) => [startMs, endMs]);
    const wanted = [
      [5_000, 9_000],
      [9_000, 12_000],
      [12_000, 17_000],
    ];
    wanted.flat().forEach((atMs, place) => expect(edges.flat()[place]).to.be.closeTo(atMs, 70));
  });
});
