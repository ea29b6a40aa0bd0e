/** Analysis of real sound: speech, a crowd, chords, silence, each at a known time. */
import { expect } from 'chai';
import { trackDocument } from '@vds/proto/documents/track';
import { storeVideo, createMetadata } from './catalog.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';
import { makeFolder, removeFolder, render, type Renditions } from './renditions.ts';

const words =
  'the goalkeeper makes a brilliant save in the final minute of the championship match and the whole stadium is on its feet while the captain runs back';

function chord(first: number, name: string): string {
  return (
    [1, 1.26, 1.5]
      .map((step, at) => `sine=f=${Math.round(first * step)}:r=48000:d=4,volume=0.2[${name}${at}]`)
      .join(';') + `;[${name}0][${name}1][${name}2]amix=inputs=3:normalize=0[${name}]`
  );
}

/**
 * Speech 0 to 9 s, a crowd 9 to 14 s, silence 14 to 18 s, three chords 18 to 30 s, a crowd 30 to 34 s, low hum to 40 s.
 */
const graph = [
  'testsrc2=s=426x240:r=30,trim=0:40,setsar=1[picture]',
  `flite=text='${words}':voice=slt,aresample=48000,apad,atrim=0:9[speech]`,
  'anoisesrc=c=pink:a=0.6:r=48000:d=5:seed=1,bandpass=f=1200:width_type=h:w=2400[roar]',
  'anullsrc=r=48000:cl=mono,atrim=0:4[silence]',
  ...[262, 294, 330].map((first, at) => chord(first, `c${at}`)),
  'anoisesrc=c=brown:a=0.9:r=48000:d=4:seed=2[cheer]',
  'sine=f=110:r=48000:d=6,volume=0.02[hum]',
  '[speech][roar][silence][c0][c1][c2][cheer][hum]concat=n=8:v=0:a=1[sound]',
].join(';');

describe('analysis of sound', function () {
  this.timeout(90_000);
  let harness: Harness;
  let folder: string;
  let worker: Worker;
  let renditions: Renditions;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness();
    worker = await harness.startWorker();
    renditions = await render(folder, { graph, seconds: 40, sound: true, rungs: [[426, 240]] });
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  it('the analysis finds crowd peaks, the shares of speech and music, and silence', async () => {
    const { labels, intervals } = await createMetadata(harness, worker, await storeVideo(harness, renditions));
    const label = (name: string) => labels.find((one) => one.name === name);
    const peaks = label('audio:crowd_peak')?.spans.flatMap(({ startMs, endMs }) => [startMs, endMs]) ?? [];
    expect(peaks, JSON.stringify(labels)).to.have.length(4);
    [9_000, 14_000, 30_000, 34_000].forEach((atMs, index) => expect(peaks[index]).to.be.closeTo(atMs, 1_000));
    expect(label('audio:speech')?.value).to.be.closeTo(9 / 40, 0.08);
    expect(label('audio:speech')?.source).to.equal('sound');
    expect(label('audio:music')?.value).to.be.within(11 / 40, 20 / 40);
    const silent = intervals.filter(({ kind }) => kind === 'silent');
    expect(silent).to.have.length(1);
    expect(silent[0]?.startMs).to.be.closeTo(14_000, 1_000);
    expect(silent[0]?.endMs).to.be.closeTo(18_000, 1_000);
  });

  it('a call while the crowd rises is a key moment, which GetMetadata returns with the call as its title', async () => {
    const video = await storeVideo(harness, renditions);
    const sentences = [
      { startMs: 1_000, endMs: 8_000, text: 'The captain has the ball.', cues: [] },
      { startMs: 8_500, endMs: 10_500, text: 'Goal! What a goal!', cues: [] },
    ];
    const key = `videos/${video.videoId}/1/speech.1/track.json`;
    const track = { version: 1, videoId: video.videoId, language: 'en', kind: 'captions', sentences } as const;
    await harness.captions.client.putObject(harness.captions.bucket, key, trackDocument.write(track));
    const { keyMoments } = await createMetadata(harness, worker, video, key);
    expect(keyMoments).to.have.length(1);
    const [moment] = keyMoments;
    expect(moment).to.deep.include({
      title: 'Goal! What a goal!',
      languageCode: 'en',
      reasons: ['commentary', 'crowd'],
    });
    expect(moment?.startMs).to.be.at.most(8_500);
    expect(moment?.endMs).to.be.within(13_000, 16_000);
  });
});
