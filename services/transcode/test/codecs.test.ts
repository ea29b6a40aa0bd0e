/** Supported containers and codecs, through the real service. */
import { expect } from 'chai';
import { fastH264, ffmpeg, measure, picture, tone } from './clips.ts';
import { sharedWorker } from './encode-and-download.ts';

const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'];
const av1 = ['-c:v', 'libsvtav1', '-preset', '12', '-svtav1-params', 'lp=1'];
const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];

const pairs: readonly (readonly [file: string, args: readonly string[]])[] = [
  ['vp9.webm', [...vp9, '-c:a', 'libopus']],
  ['av1.webm', [...av1, '-c:a', 'libvorbis']],
  ['av1.mp4', [...av1, '-c:a', 'aac']],
  ['vp9.mp4', [...vp9, '-c:a', 'libopus']],
  ['h265.mov', [...h265, '-c:a', 'pcm_s16le']],
  ['h265.mkv', [...h265, '-c:a', 'ac3']],
  ['h264.mkv', [...fastH264, '-c:a', 'flac']],
  ['fragmented.mp4', [...fastH264, '-c:a', 'aac', '-movflags', '+frag_keyframe+empty_moov']],
  ['vp8.webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libvorbis']],
];

describe('supported containers and codecs', function () {
  this.timeout(60_000);
  const { at, encode } = sharedWorker();

  for (const [file, args] of pairs)
    it(`a video encoded from ${file} has all its pictures and all its sound`, async () => {
      await ffmpeg(...picture('160x90', 25, 2), ...tone(2), ...args, at(file));
      const { top, sound } = await encode(file);
      expect(await measure(top, 'v')).to.include({ frames: 50, start: 0 });
      const decoded = await measure(sound ?? '', 'a');
      expect(decoded.start).to.be.closeTo(0, 0.04);
      expect(decoded.end).to.be.closeTo(2, 0.05);
    });
});
