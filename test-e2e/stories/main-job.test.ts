/** The main job: every source that the service promises to accept becomes a video that plays, frame for frame. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { makeSample } from '@vds/testkit/media/make-samples';
import { muxSpeech } from '@vds/testkit/media/mux-speech';
import { pairs, shapes, type Sample } from '@vds/testkit/media/sample-list';
import { cornersOf, probeStream } from '../hls/probe.ts';
import { walkHls, type Walk } from '../hls/walk.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';

type PlayedVideo = { readonly record: VideoRecord; readonly walk: Walk };

/** The properties of the source, by its own decoder. */
type Expected = {
  readonly frames: number;
  /** Of the pictures. */
  readonly seconds: number;
  /** Of the pictures or of the sound, whichever is longer: every rendition ends with the title. */
  readonly length: number;
  readonly hasAudio: boolean;
  readonly exactFrames: boolean;
};

/** Of the shapes, each of which transcode's own tests decode as well, every third here, and all of them in long runs. */
const isLong = process.env['VDS_LONG'] === '1';
const matrix: readonly Sample[] = [...pairs, ...shapes.filter((_, index) => isLong || index % 3 === 0)];
const folder = process.env['VDS_MEDIA_DIR'];
const real = ['big-buck-bunny-480p-30s.mp4', 'cc0-flower.webm', 'cc0-friday.mp4', 'jfk-speech-11s.flac'];

/** The file of a real source; undefined if it is not available. */
async function realSource(name: string): Promise<string | undefined> {
  const path = join(folder ?? '', name);
  if (folder === undefined || !existsSync(path)) return undefined;
  return name.endsWith('.flac') ? muxSpeech(path) : path;
}

describe('the main job', () => {
  let target: Target;
  let partner: Partner;
  const ids = new Map<string, string>();
  // All at once: while one video waits for its captions, others are encoded.
  before(async function () {
    this.timeout(300_000);
    target = await theTarget();
    partner = await target.newPartner('Main job');
    const submit = async (name: string, path: string) =>
      void ids.set(name, await partner.submit(await target.serve(path)));
    for (const sample of matrix) await submit(sample.name, await makeSample(sample));
    for (const name of real) {
      const source = await realSource(name);
      if (source !== undefined) await submit(name, source);
    }
  });

  const play = async (id: string): Promise<PlayedVideo> => {
    const record = await partner.settled(id);
    expect(record, JSON.stringify(record.failure)).to.include({ status: 'ready', is_available: true });
    const { playback_id: playbackId = '', hls_url: hlsUrl = '' } = record.playback ?? {};
    const token = await target.mint(playbackId);
    return { record, walk: await walkHls(`${hlsUrl}?token=${token}`, target.scratch(id)) };
  };

  /** Frame count ± 0 at constant rate, durations within 50 ms, A/V start within 40 ms, RFC 8216. */
  const check = async ({ record, walk }: PlayedVideo, expected: Expected): Promise<void> => {
    expect(walk.breaches).to.deep.equal([]);
    expect(walk.rungs.length).to.be.greaterThan(0);
    const audio = walk.audio && (await probeStream(walk.audio.file, 'a'));
    expect(audio !== undefined, 'has audio').to.equal(expected.hasAudio);
    for (const rung of walk.rungs) {
      const video = await probeStream(rung.file, 'v');
      if (expected.exactFrames) expect(video?.frames, rung.variant.uri).to.equal(expected.frames);
      expect(video?.seconds, rung.variant.uri).to.be.closeTo(expected.seconds, 0.05);
      expect(rung.seconds, 'EXTINF of all segments').to.be.closeTo(expected.length, 0.05);
      expect([video?.width, video?.height]).to.deep.equal([rung.variant.width, rung.variant.height]);
      if (audio && video) expect(Math.abs(audio.startSeconds - video.startSeconds), 'A/V start').to.be.at.most(0.04);
    }
    expect(record.duration_seconds).to.equal(Math.max(1, Math.round(expected.length)));
  };

  describe('generated sources', () => {
    for (const sample of matrix) {
      it(`a source of ${sample.name} plays frame for frame`, async function () {
        this.timeout(600_000);
        const played = await play(ids.get(sample.name) ?? '');
        const source = await makeSample(sample);
        const { seconds = 0 } = (await probeStream(source, 'v')) ?? {};
        const sound = await probeStream(source, 'a');
        await check(played, {
          frames: sample.frames,
          seconds,
          length: Math.max(seconds, sound?.seconds ?? 0),
          hasAudio: sample.audio !== null,
          exactFrames: sample.shape !== 'vfr',
        });
        const [top] = played.walk.rungs.toSorted((one, two) => two.variant.height - one.variant.height);
        const { width = 0, height = 0 } = top?.variant ?? {};
        expect(Math.min(width, height), 'never scaled up').to.be.at.most(Math.min(sample.width, sample.height) + 1);
        expect(await cornersOf(top?.file ?? '', width, height), 'upright').to.deep.equal([
          'red',
          'green',
          'blue',
          'white',
        ]);
      });
    }
  });

  describe('real footage and speech', () => {
    for (const name of real) {
      it(`the real source ${name} plays frame for frame`, async function () {
        this.timeout(600_000);
        const source = await realSource(name);
        if (source === undefined) return skipBecause(this, `VDS_MEDIA_DIR names no folder with ${name}`);
        const played = await play(ids.get(name) ?? '');
        const [video, audio] = [await probeStream(source, 'v'), await probeStream(source, 'a')];
        await check(played, {
          frames: video?.frames ?? 0,
          seconds: video?.seconds ?? 0,
          length: Math.max(video?.seconds ?? 0, audio?.seconds ?? 0),
          hasAudio: audio !== undefined,
          exactFrames: true,
        });
      });
    }
  });
});
