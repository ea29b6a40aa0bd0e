/** Recognition of text on screen, with tesseract and without it. */
import { expect } from 'chai';
import { readServers } from '@vds/testkit/servers/servers-file';
import { makeClip } from '@vds/testkit/media/make-clip';
import { storeVideo, createMetadata } from './catalog.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';
import { makeFolder, removeFolder, render, type Renditions } from './renditions.ts';
import { metricOf } from '@vds/testkit/harness/metric-of';

const SECOND = 1_000;

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

describe('recognition of text on screen', function () {
  this.timeout(120_000);
  let harness: Harness;
  let folder: string;
  let worker: Worker;
  let clip: Renditions;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness();
    worker = await harness.startWorker();
    const input = await makeClip();
    const graph = '[0:v]null[picture];[0:a]anull[sound]';
    clip = await render(`${folder}/clip`, { input, graph, seconds: 25, sound: true });
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  it('cards, captions and the score of a match are recognized within a second of their times', async () => {
    const found = await createMetadata(harness, worker, await storeVideo(harness, clip));
    const wanted = [
      ['HARBOUR 2 - 2 VALLEY', 0, 14],
      ['SLOW MOTION', 9, 14],
      ['HARBOUR 3 - 2 VALLEY', 14, 25],
      ['GOAL!', 14, 19],
      ['CHAMPIONSHIP FINAL', 19, 25],
      ['FINAL SCORE 3 - 2', 19, 25],
    ] as const;
    for (const [text, from, to] of wanted) {
      const one = found.screenTexts.find((screenText) => screenText.text === text);
      expect(one, `${text} among ${JSON.stringify(found.screenTexts)}`).to.not.equal(undefined);
      expect(one?.startMs).to.be.closeTo(from * SECOND, SECOND);
      expect(one?.endMs).to.be.closeTo(to * SECOND, SECOND);
      expect(one?.confidence).to.be.within(0.6, 1);
    }
    expect(found.screenTexts.length, JSON.stringify(found.screenTexts)).to.be.at.most(wanted.length + 1);
    const names = found.labels.map(({ name }) => name);
    expect(names).to.include('shot:slow_motion').and.include('shot:graphic');
    expect(found.topics.find(({ name }) => name === 'slow motion')?.evidence[0]).to.deep.include({ where: 'screen' });
  });

  it('text within a shot and a card between two key pictures are recognized with their times', async () => {
    const renditions = await render(`${folder}/banner`, { graph: banner, seconds: 15.9, sound: false });
    const { screenTexts } = await createMetadata(harness, worker, await storeVideo(harness, renditions));
    const [name, card] = ['Maria Fernandez', 'HALF TIME'].map((text) =>
      screenTexts.find((screenText) => screenText.text === text),
    );
    expect(name?.startMs, JSON.stringify(screenTexts)).to.be.closeTo(3 * SECOND, SECOND);
    expect(name?.endMs).to.be.closeTo(7 * SECOND, SECOND);
    expect(card?.startMs, JSON.stringify(screenTexts)).to.be.closeTo(10.5 * SECOND, SECOND);
    expect(card?.endMs).to.be.closeTo(11.9 * SECOND, SECOND);
  });

  it('metadata completes without texts where tesseract does not run, and logs one warning', async () => {
    const ownHarness = await openHarness({ PATH: '/nonexistent', FFMPEG_PATH: readServers().ffmpeg ?? '' });
    try {
      const ownWorker = await ownHarness.startWorker();
      const found = await createMetadata(ownHarness, ownWorker, await storeVideo(ownHarness, clip));
      expect(found.screenTexts).to.deep.equal([]);
      expect(found.scenes.length).to.be.greaterThan(1);
      expect(ownWorker.output().split('no text on screen will be read')).to.have.length(2);
      expect(await metricOf(ownWorker, 'vds_metadata_unread_spans_total')).to.equal(1);
    } finally {
      await ownHarness.close();
    }
  });
});
