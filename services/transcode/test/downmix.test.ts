/** Sound of many channels as a viewer hears it: decoded from the playlist, whole. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { asInput, fastH264, ffmpeg, picture } from './clips.ts';
import { sharedWorker } from './encode-and-download.ts';

const execute = promisify(execFile);
const SECONDS = 3;
const wave = 'sin(2*PI*400*t)';

/** Of the left channel: the highest peak, the level of the 400 Hz tone and of all that is not the tone, in dBFS. */
async function hear(path: string) {
  const args = ['-v', 'error', '-nostdin', ...asInput(path), '-af', 'pan=mono|c0=c0', '-f', 'f32le', 'pipe:1'];
  const { stdout } = await execute('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 26 });
  const samples = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
  // Whole waves, without the encoder's start.
  const middle = samples.subarray(24_000, 24_000 + 96_000);
  let [real, imaginary, energy] = [0, 0, 0];
  middle.forEach((sample, index) => {
    const angle = (2 * Math.PI * 400 * index) / 48_000;
    real += sample * Math.cos(angle);
    imaginary += sample * Math.sin(angle);
    energy += sample * sample;
  });
  const tone = (2 * Math.hypot(real, imaginary)) / middle.length;
  const rest = Math.sqrt(Math.max(1e-12, (2 * energy) / middle.length - tone * tone));
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { peak: decibel(peak), tone: decibel(tone), rest: decibel(rest) };
}

function decibel(value: number): number {
  return 20 * Math.log10(value);
}

describe('sound of many channels', function () {
  this.timeout(60_000);
  const { at, encode } = sharedWorker();

  /** @param channels the level of the tone in each, of 1 */
  const hearMix = async (file: string, layout: string, channels: readonly number[], ...coder: readonly string[]) => {
    const source = channels.map((level) => `${level}*${wave}`).join('|');
    const sound = [
      '-f',
      'lavfi',
      '-i',
      `aevalsrc=${source}:s=48000:d=${SECONDS}${layout === '' ? '' : `:c=${layout}`}`,
    ];
    await ffmpeg(...picture('160x90', 25, SECONDS), ...sound, ...fastH264, ...coder, at(file));
    const { sound: playlist } = await encode(file);
    return hear(playlist ?? expect.fail('no sound'));
  };

  const loud = [0.7, 0.7, 0.7, 0, 0.7, 0.7];
  for (const [file, ...coder] of [
    ['loud.mp4', '-c:a', 'aac', '-b:a', '384k'],
    ['loud.mkv', '-c:a', 'flac'],
  ] as const)
    it(`a loud mix of six channels stays below full scale, and a sine stays a sine: ${file}`, async () => {
      const { peak, tone, rest } = await hearMix(file, '5.1', loud, ...coder);
      expect(peak).to.be.at.most(0);
      expect(tone).to.be.within(-6, 0);
      expect(rest).to.be.below(tone - 30);
    });

  it('the centre of six channels is at most 10 dB below the source', async () => {
    const { tone } = await hearMix('centre.mp4', '5.1', [0, 0, 0.5, 0, 0, 0], '-c:a', 'aac', '-b:a', '384k');
    expect(tone).to.be.within(decibel(0.5) - 10, decibel(0.5));
  });

  it('each of ten channels without a layout is heard', async () => {
    const both = await hearMix('ten.mov', '', [0.3, 0.3, 0, 0, 0, 0, 0, 0, 0, 0], '-c:a', 'pcm_s16le');
    const last = await hearMix('last.mov', '', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0.3], '-c:a', 'pcm_s16le');
    for (const { tone } of [both, last]) expect(tone).to.be.within(decibel(0.3) - 10, decibel(0.3));
  });

  it('ten loud channels without a layout stay below full scale', async () => {
    const { peak, tone, rest } = await hearMix(
      'all.mov',
      '',
      Array.from({ length: 10 }, () => 0.7),
      '-c:a',
      'pcm_s16le',
    );
    expect(peak).to.be.at.most(0);
    expect(rest).to.be.below(tone - 30);
  });
});
