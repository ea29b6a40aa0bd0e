/** The judge must name the fault of each of several deliberately wrong videos, made by plain ffmpeg. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ffmpeg, makeFolder, removeFolder } from '../../clips.ts';
import { colours, h264, pictures, renderClip, sound, type Clip } from '../generators/clip.ts';
import { judge } from './judge.ts';
import type { EncodedOutput } from './output.ts';

const clip: Clip = { width: 192, height: 108, rate: '25', seconds: 3 };

type Wrong = {
  /** Filters of the first rung, before encoding. */
  readonly pictures?: string;
  /** Filters of every rung. */
  readonly both?: string;
  readonly frames?: number;
  readonly frameRate?: number;
  readonly sound?: string;
  readonly tags?: readonly string[];
  readonly mute?: boolean;
  readonly size?: string;
  /** Changes the text of the first rung's playlist. */
  readonly playlist?: (text: string) => string;
};

/** The `usual` ones run in every test run. */
type Case = readonly [name: string, wrong: Wrong, fault: RegExp, usual?: 'usual'];

const right709 = 'scale=in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv';
/** Removes the encoder's priming samples, as ffmpeg's playlists have no edit lists. */
const runUp = 'atrim=start_sample=1024,asetpts=PTS-STARTPTS';
const tags709 = ['tv', 'bt709', 'bt709', 'bt709'];
const stream = ['-hls_time', '6', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'];
const hls = ['-f', 'hls', ...stream, '-hls_flags', 'independent_segments', '-hls_fmp4_init_filename', 'init.mp4'];

/** Encodes one rendition as a video has it. */
async function rendition(source: string, playlist: string, how: readonly string[]): Promise<void> {
  await mkdir(dirname(playlist), { recursive: true });
  const segments = ['-hls_segment_filename', join(dirname(playlist), 'seg-%05d.m4s')];
  await ffmpeg('-i', source, ...how, '-fps_mode', 'passthrough', ...hls, ...segments, playlist);
  // Segments of sound are independent, but ffmpeg does not declare it.
  const text = await readFile(playlist, 'utf8');
  if (!text.includes('INDEPENDENT'))
    await writeFile(playlist, text.replace('#EXT-X-MAP', '#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MAP'));
}

function rungOf(filters: string, [range = '', ...named]: readonly string[]): string[] {
  const [primaries = '', transfer = '', matrix = ''] = named;
  const colourOptions = [
    '-color_primaries',
    primaries,
    '-color_trc',
    transfer,
    '-colorspace',
    matrix,
    '-color_range',
    range,
  ];
  return [
    '-map',
    '0:v',
    '-vf',
    `${filters},format=yuv420p`,
    ...h264('bframes=0', 'crf=18'),
    '-enc_time_base',
    '1:90000',
    ...colourOptions,
  ];
}

/** A video of two rungs and sound; what is not wrong is copied from `right`, if given. */
async function makeOutput(source: string, folder: string, wrong: Wrong = {}, right?: string): Promise<EncodedOutput> {
  const { pictures: filters = 'null', both = 'null', frames = 75, tags = tags709, size = '192:108' } = wrong;
  if (right !== undefined) await cp(right, folder, { recursive: true });
  const top = rungOf(`${both},${filters},scale=${size},${right709}`, tags);
  await rendition(source, join(folder, 'v/108p/index.m3u8'), top);
  if (right === undefined)
    await rendition(source, join(folder, 'v/72p/index.m3u8'), rungOf(`${both},scale=128:72,${right709}`, tags709));
  const soundArgs = ['-map', '0:a', '-af', `${wrong.sound ?? 'anull'},${runUp}`, '-c:a', 'aac', '-b:a', '128k'];
  if (right === undefined || wrong.sound !== undefined)
    await rendition(source, join(folder, 'a/index.m3u8'), soundArgs);
  const first = join(folder, 'v/108p/index.m3u8');
  if (wrong.playlist) await writeFile(first, wrong.playlist(await readFile(first, 'utf8')));
  const bandwidth = 2 ** 30;
  return {
    folder,
    ladder: {
      durationMs: 3_000,
      frames,
      rungs: ['108p', '72p'].map((name) => ({
        name,
        playlist: `v/${name}/index.m3u8`,
        bandwidth,
        frameRate: wrong.frameRate ?? 25,
      })),
      audio: wrong.mute ? null : { playlist: 'a/index.m3u8', bandwidth },
    },
  };
}

const cases: readonly Case[] = [
  [
    'a picture that is missing',
    { pictures: "select='not(eq(n,30))'" },
    /is without the source's pictures 30$/,
    'usual',
  ],
  ['the last picture missing', { pictures: "select='lt(n,74)'" }, /is without the source's pictures 74$/],
  [
    'a picture shown twice',
    { pictures: "select='not(eq(n,30))',fps=25" },
    /shows the source's pictures 29 twice/,
    'usual',
  ],
  ['two pictures that are swapped', { pictures: 'shuffleframes=0 2 1 3 4' }, /out of order|missing|shown at/],
  [
    'pictures that come late',
    { pictures: "setpts='PTS+gte(N,20)*0.009/TB'" },
    /picture 20 is shown at 0.80[89]\d*, not at 0.8/,
    'usual',
  ],
  ['a picture that is blurred', { pictures: "gblur=sigma=4:enable='eq(n,11)'" }, /picture 11 is only/],
  ['pictures from another place of the source', { pictures: 'hflip' }, /white is 16/],
  ['sound that comes 80 ms late', { sound: 'adelay=80|80' }, /sound at 0.0 s is 80 ms too late/, 'usual'],
  ['sound that comes 40 ms early', { sound: 'atrim=start=0.04,asetpts=PTS-STARTPTS' }, /is 40 ms too early/],
  [
    'a gap in the sound',
    { sound: "volume=0:enable='between(t,1,1.15)'" },
    /is silent from 1.0. s, where the source/,
    'usual',
  ],
  ['sound that ends early', { sound: 'atrim=end=2.8' }, /sound ends at 2.8\d*, not at 2.9/],
  [
    'renditions that do not end together',
    { sound: 'apad=whole_dur=3.05' },
    /its renditions last 3.000, 3.000, 3.0[57]/,
  ],
  [
    'a rate that is not that of the pictures',
    { frameRate: 17.837 },
    /is declared to have 17.837 pictures a second, has up to 25.000/,
    'usual',
  ],
  ['another sound', { sound: 'areverse' }, /is not the source's/],
  ['no sound', { mute: true }, /has no sound, the source has/],
  [
    'full range that is declared',
    { pictures: 'scale=out_range=pc,setparams=range=tv', tags: ['pc', 'bt709', 'bt709', 'bt709'] },
    /color_range is pc, not tv/,
  ],
  [
    'full range that is not declared',
    { pictures: 'scale=out_range=pc,setparams=range=tv' },
    /white is 255\/.*not 235/,
    'usual',
  ],
  ['full range in one rung alone', { pictures: 'scale=out_range=pc,setparams=range=tv' }, /white is from 235 to 255/],
  [
    'another matrix than is declared',
    { pictures: 'scale=in_color_matrix=bt709:out_color_matrix=bt601,setparams=colorspace=bt709' },
    /red is 8\d\/9\d\/2\d\d, not 63/,
    'usual',
  ],
  [
    'another matrix that is declared',
    { tags: ['tv', 'bt709', 'bt709', 'smpte170m'] },
    /color_space is smpte170m, not bt709/,
  ],
  ['undeclared colours', { tags: ['tv', '2', '2', '2'] }, /color_primaries is undeclared, not bt709/],
  ['another aspect ratio', { size: '144:108' }, /144x108 is not of the shape/],
  ['more pixels than the source', { size: '384:216' }, /is larger than the source/],
  ['less than half of its lines', { size: '96:54' }, /the largest rung has 54 lines, the source 108/],
  ['a playlist that is too long', { playlist: (text) => text.replace('#EXTINF:3', '#EXTINF:4') }, /lasts 4/],
  ['a playlist that does not end', { playlist: (text) => text.replace('#EXT-X-ENDLIST', '') }, /does not end/],
];

describe('judge', function () {
  this.timeout(30_000);
  let folder: string;
  let source: string;
  let right: EncodedOutput;
  before(async () => {
    folder = await makeFolder();
    source = join(folder, 'source.mp4');
    await renderClip(source, clip, h264());
    right = await makeOutput(source, join(folder, 'right'));
  });
  after(() => removeFolder(folder));

  it('the judge finds no fault in a correct video', async () => {
    expect(await judge(source, right)).to.deep.equal([]);
  });

  const chosen = cases.filter((one) => one[3] || process.env['VDS_LONG'] === '1');
  chosen.forEach(([name, wrong, fault], index) =>
    it(`the judge reports ${name}`, async () => {
      const output = await makeOutput(source, join(folder, String(index)), wrong, join(folder, 'right'));
      expect((await judge(source, output)).join('\n')).to.match(new RegExp(fault.source, 'm'));
    }),
  );

  it('the judge reports a recipe whose file is not as stated', async () => {
    const output = await makeOutput(source, join(folder, 'recipe'), {}, join(folder, 'right'));
    const faults = (await judge(source, output, { frames: 74, sound: null, seconds: 2.5 })).join('\n');
    expect(faults).to.include('made to show 74 pictures, shows 75');
    expect(faults).to.include('has sound, the source has none');
    expect(faults).to.include('lasts 3.000, the source 2.440 to 2.560');
  });

  it('the judge requires the first picture to last while sound begins well before it', async () => {
    const late = join(folder, 'late.mkv');
    const chain = `[0:v]trim=start=0.48,${colours()[1]}[v]`;
    const soundArgs = [...sound(3), '-filter_complex', chain, '-map', '[v]', '-map', '1:a', '-c:a', 'pcm_s16le'];
    await ffmpeg(...pictures(clip), ...soundArgs, ...h264('bframes=0'), '-fps_mode', 'passthrough', late);
    const waits = (name: string, times: string): Promise<EncodedOutput> =>
      makeOutput(late, join(folder, name), { both: `setpts='${times}'`, frames: 63 });
    // ffmpeg's playlist does not count the wait in the segment's duration, before 7.0 none of it, since then all but a picture.
    const waited = await judge(late, await waits('waits', 'if(eq(N,0),0,PTS)'));
    expect(waited.filter((fault) => !/lasts? 2\.(520|960)/.test(fault))).to.deep.equal([]);
    const faults = await judge(late, await waits('hurries', 'PTS-STARTPTS'));
    expect(faults.join('\n')).to.match(/picture 1 is shown at 0.04, not at 0.52/);
  });
});
