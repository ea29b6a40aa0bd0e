/** Recognition of text on screen, with tesseract and without it. */
import { expect } from 'chai';
import { makeClip } from '@vds/testkit/media/make-clip';
import { bring, understand } from './catalog.ts';
import { openHouse, type House, type Worker } from './harness.ts';
import { makeFolder, removeFolder, render, type Made } from './renditions.ts';
import { metricOf } from './metrics.ts';

const second = 1_000;

/**
 * A name for four seconds over a moving picture, in the middle of a shot; then a card between two key pictures, which
 * come every other second.
 */
const banner = [
  'testsrc2=s=1280x720:r=30,trim=0:10.5,boxblur=12,setsar=1,format=yuv420p[back]',
  "[back]drawbox=x=80:y=560:w=760:h=100:c=black:t=fill:enable='between(t,3,7)'," +
    "drawtext=text='Maria Fernandez':fontsize=56:fontcolor=white:x=110:y=580:enable='between(t,3,7)'[a]",
  "color=c=0x102040:s=1280x720:r=30,trim=0:1.4,drawtext=text='HALF TIME':fontsize=90:fontcolor=white:x=380:y=300,setsar=1[b]",
  'testsrc2=s=1280x720:r=30,trim=0:4,boxblur=12,hue=h=120,setsar=1,format=yuv420p[c]',
  '[a][b][c]concat=n=3:v=1:a=0[picture]',
].join(';');

describe('metadata: text on screen', function () {
  this.timeout(120_000);
  let house: House;
  let folder: string;
  let worker: Worker;
  let clip: Made;
  before(async () => {
    folder = await makeFolder();
    house = await openHouse();
    worker = await house.startWorker();
    const input = await makeClip();
    const graph = '[0:v]null[picture];[0:a]anull[sound]';
    clip = await render(`${folder}/clip`, { input, graph, seconds: 25, sound: true });
  });
  after(async () => {
    await house?.close();
    await removeFolder(folder);
  });

  it('reads cards, captions and the score of a match at the right second', async () => {
    const found = await understand(house, worker, await bring(house, clip));
    const wanted = [
      ['HARBOUR 2 - 2 VALLEY', 0, 14],
      ['SLOW MOTION', 9, 14],
      ['HARBOUR 3 - 2 VALLEY', 14, 25],
      ['GOAL!', 14, 19],
      ['CHAMPIONSHIP FINAL', 19, 25],
      ['FINAL SCORE 3 - 2', 19, 25],
    ] as const;
    for (const [text, from, to] of wanted) {
      const one = found.screenTexts.find((seen) => seen.text === text);
      expect(one, `${text} among ${JSON.stringify(found.screenTexts)}`).to.not.equal(undefined);
      expect(one?.startMs).to.be.closeTo(from * second, second);
      expect(one?.endMs).to.be.closeTo(to * second, second);
      expect(one?.confidence).to.be.within(0.6, 1);
    }
    expect(found.screenTexts.length, JSON.stringify(found.screenTexts)).to.be.at.most(wanted.length + 1);
    const names = found.labels.map(({ name }) => name);
    expect(names).to.include('shot:slow_motion').and.include('shot:graphic');
    expect(found.topics.find(({ name }) => name === 'slow motion')?.evidence[0]).to.deep.include({ where: 'screen' });
  });

  it('reads what comes and goes in the middle of a shot, and what is shown between two key pictures', async () => {
    const made = await render(`${folder}/banner`, { graph: banner, seconds: 15.9, sound: false });
    const { screenTexts } = await understand(house, worker, await bring(house, made));
    const [name, card] = ['Maria Fernandez', 'HALF TIME'].map((text) => screenTexts.find((seen) => seen.text === text));
    expect(name?.startMs, JSON.stringify(screenTexts)).to.be.closeTo(3 * second, second);
    expect(name?.endMs).to.be.closeTo(7 * second, second);
    expect(card?.startMs, JSON.stringify(screenTexts)).to.be.closeTo(10.5 * second, second);
    expect(card?.endMs).to.be.closeTo(11.9 * second, second);
  });

  it('completes without texts where there is no program to read them with, and says so once', async () => {
    const own = await openHouse({ TESSERACT_PATH: '/nonexistent/tesseract' });
    try {
      const blind = await own.startWorker();
      const found = await understand(own, blind, await bring(own, clip));
      expect(found.screenTexts).to.deep.equal([]);
      expect(found.scenes.length).to.be.greaterThan(1);
      expect(blind.output().split('no text on screen will be read')).to.have.length(2);
      expect(await metricOf(blind, 'vds_metadata_unread_spans_total')).to.equal(1);
    } finally {
      await own.close();
    }
  });
});
