import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { makeBadSamples } from './make-bad-samples.ts';
import { makeSample } from './make-samples.ts';
import { cached, ffmpeg, ffmpegPath, mediaDir } from './render.ts';
import { pairs, shapes } from './sample-list.ts';

describe('media for tests and the demo', function () {
  this.timeout(120_000);

  it('a failed rendering leaves no file', async () => {
    const making = cached('broken', 'mp4', ['broken'], () => ffmpeg(['-i', '/none', 'none.mp4']));
    const failure = await making.then(() => 'made', String);
    expect(failure).to.match(/ended with/);
    expect(existsSync(mediaDir) && readdirSync(mediaDir).some((name) => name.includes('broken'))).to.equal(false);
  });

  it('the samples cover every pair of container and codec, 240p to 1080p, 24 to 60 fps, with and without audio', () => {
    expect(new Set(pairs.map(({ container, codec }) => `${container} ${codec}`)).size).to.equal(12);
    expect(pairs.map(({ height }) => height)).to.include.members([240, 360, 480, 720, 1080]);
    expect(pairs.map(({ fps }) => fps)).to.include.members([24, 25, 30, 50, 60]);
    expect(pairs.some(({ audio }) => audio === null)).to.equal(true);
    expect(new Set([...pairs, ...shapes].map(({ name }) => name)).size).to.equal(pairs.length + shapes.length);
  });

  it('every sample has the container and the codecs of its row', async () => {
    for (const sample of [...pairs, ...shapes]) {
      const args = ['-v', 'error', '-show_entries', 'format=format_name:stream=codec_name', '-of', 'default=nw=1:nk=1'];
      const found = execFileSync('ffprobe', [...args, await makeSample(sample)], { encoding: 'utf8' }).trim();
      const sound = sample.audio === 'pcm' ? 'pcm_s16le' : sample.audio;
      const format = ['mp4', 'mov'].includes(sample.container) ? 'mov,mp4' : 'matroska,webm';
      expect(found.split('\n').slice(0, -1), sample.name).to.deep.equal([sample.codec, sound].filter(Boolean));
      expect(found.split('\n').at(-1), sample.name).to.include(format);
    }
  });

  it('half a file is the first half of the bytes of the full one', async () => {
    const [half] = await makeBadSamples(['half.mp4']);
    expect(() =>
      execFileSync(ffmpegPath(), ['-v', 'error', '-xerror', '-i', half?.path ?? '', '-f', 'null', '-'], {
        stdio: 'pipe',
      }),
    ).to.throw();
  });
});
