import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipBecause } from '../skip.ts';
import { makeBadSamples, placeBadSamples } from './make-bad-samples.ts';
import { makeClip, makeShortClip } from './make-clip.ts';
import { makeSample } from './make-samples.ts';
import { muxSpeech } from './mux-speech.ts';
import { cached, ffmpeg, ffmpegPath, mediaDir } from './render.ts';
import { basketballClip, basketballClipInEnglish, swimmingClip } from './short-clip-recipes.ts';
import { voiceOf } from './speak.ts';
import { pairs, shapes, type AudioCodec } from './sample-list.ts';

const ffprobe = 'ffprobe';

type Stream = { codec_type: string; codec_name: string; nb_read_frames?: string; channels?: number };
type Probe = { format: { format_name: string; duration: string }; streams: Stream[] };

function probe(path: string): Probe {
  const args = ['-v', 'error', '-count_frames', '-show_streams', '-show_format', '-of', 'json', path];
  return JSON.parse(execFileSync(ffprobe, args, { encoding: 'utf8' })) as Probe;
}

/** The first frame as a player shows it, in square pixels: RGB, rows from the top. */
function firstPicture(path: string, width: number, height: number): Buffer {
  const args = [
    '-v',
    'error',
    '-i',
    path,
    '-frames:v',
    '1',
    '-vf',
    `scale=${width}:${height}`,
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  ];
  return execFileSync(ffmpegPath(), args, { maxBuffer: 64 << 20 });
}

/** The loudest sample, in dB of full scale. */
function loudestOf(path: string): number {
  const script = '"$0" -hide_banner -i "$1" -af volumedetect -f null - 2>&1';
  const report = execFileSync('sh', ['-c', script, ffmpegPath(), path], { encoding: 'utf8' });
  return Number(/max_volume: (-?[\d.]+) dB/.exec(report)?.[1]);
}

const FORMAT = { mp4: 'mov,mp4', mov: 'mov,mp4', mkv: 'matroska,webm', webm: 'matroska,webm' } as const;
const DECODED_AUDIO: Partial<Record<AudioCodec, string>> = { pcm: 'pcm_s16le' };

describe('media for tests and the demo', function () {
  this.timeout(120_000);

  it('the demo clip has 25 s of 720p at 30 frames a second and audible sound', async () => {
    const path = await makeClip();
    const { format, streams } = probe(path);
    expect(Number(format.duration)).to.be.closeTo(25, 0.05);
    expect(streams.map((stream) => stream.codec_name)).to.deep.equal(['h264', 'aac']);
    expect(streams[0]?.nb_read_frames).to.equal('750');
    expect(loudestOf(path)).to.be.greaterThan(-20);
  });

  for (const [name, recipe] of Object.entries({ basketballClip, basketballClipInEnglish, swimmingClip })) {
    it(`${name} has 12 s of 480p at 30 frames a second and audible sound`, async function () {
      if (voiceOf(recipe.language) === null) return skipBecause(this, `no voice speaks '${recipe.language}' here`);
      const path = (await makeShortClip(recipe)) ?? '';
      const { format, streams } = probe(path);
      expect(Number(format.duration)).to.be.closeTo(12, 0.05);
      expect(streams.map((stream) => stream.codec_name)).to.deep.equal(['h264', 'aac']);
      expect(streams[0]?.nb_read_frames).to.equal('360');
      expect(loudestOf(path)).to.be.greaterThan(-20);
    });
  }

  it('a media file is rendered once and found again', async () => {
    const first = await makeClip();
    const made = statSync(first).mtimeMs;
    expect(await makeClip()).to.equal(first);
    expect(statSync(first).mtimeMs).to.equal(made);
  });

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

  for (const sample of [...pairs, ...shapes]) {
    it(`the sample ${sample.name} has the properties of its row and is upright`, async () => {
      const path = await makeSample(sample);
      const { format, streams } = probe(path);
      const video = streams.find((stream) => stream.codec_type === 'video');
      const audio = streams.find((stream) => stream.codec_type === 'audio');
      expect(format.format_name).to.match(new RegExp(`^${FORMAT[sample.container]}`));
      expect(video?.codec_name).to.equal(sample.codec);
      expect(Number(video?.nb_read_frames)).to.equal(sample.frames);
      expect(audio?.codec_name ?? null).to.equal(
        sample.audio === null ? null : (DECODED_AUDIO[sample.audio] ?? sample.audio),
      );

      const { width, height } = sample;
      const pixels = firstPicture(path, width, height);
      const at = (x: number, y: number): string =>
        [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]
          .map((value) => (value > 127 ? 1 : 0))
          .join('');
      const inset = Math.round(Math.min(width, height) / 16);
      const corners = [
        at(inset, inset),
        at(width - inset, inset),
        at(inset, height - inset),
        at(width - inset, height - inset),
      ];
      expect(corners).to.deep.equal(['100', '010', '001', '111']);
    });
  }

  it('bad samples are rendered and placed under a partner’s file names', async () => {
    const samples = await makeBadSamples();
    const dir = mkdtempSync(join(tmpdir(), 'vds-bad-'));
    await placeBadSamples(dir, samples);
    expect(readdirSync(dir)).to.have.members(samples.map(({ name }) => name));
    expect(readFileSync(join(dir, 'empty.mp4')).length).to.equal(0);
    expect(probe(join(dir, 'audio-only.mp4')).streams.map((stream) => stream.codec_type)).to.deep.equal(['audio']);
    expect(readFileSync(join(dir, 'encrypted.mp4')).includes('encv')).to.equal(true);
    rmSync(dir, { recursive: true });
  });

  it('half a file is the first half of the bytes of the full one', async () => {
    const [half] = await makeBadSamples(['half.mp4']);
    expect(() =>
      execFileSync(ffmpegPath(), ['-v', 'error', '-xerror', '-i', half?.path ?? '', '-f', 'null', '-'], {
        stdio: 'pipe',
      }),
    ).to.throw();
  });

  it('a recording is muxed with a moving picture of the same length', async () => {
    const [sample] = pairs.filter(({ audio }) => audio === 'flac');
    const path = await muxSpeech(await makeSample(sample!));
    const { format, streams } = probe(path);
    expect(streams.map((stream) => stream.codec_name)).to.deep.equal(['h264', 'aac']);
    expect(Number(format.duration)).to.be.closeTo(sample!.seconds, 0.05);
  });
});
