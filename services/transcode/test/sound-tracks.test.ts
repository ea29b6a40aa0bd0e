/** Every playable track of sound arrives: in sync, with its language and what it is for. Each has a tone of its own. */
import { join } from 'node:path';
import { expect } from 'chai';
import { hear } from './carried/hear.ts';
import { fastH264, ffmpeg, picture } from './clips.ts';
import { usualOf, type Row } from './long-runs.ts';
import { sharedWorker } from './encode-and-download.ts';

const SECONDS = 4;
const RATE = 48_000;
/** What players may be off, in seconds. */
const IN_SYNC = 0.02;

type Track = {
  readonly hertz: number;
  /** Second at which the tone begins. */
  readonly from: number;
  readonly language?: string;
  readonly title?: string;
  readonly disposition?: string;
  readonly codec?: readonly string[];
};

const tracks: readonly Track[] = [
  { hertz: 300, from: 1, language: 'eng', disposition: 'default' },
  { hertz: 450, from: 1.5, language: 'ita' },
  { hertz: 600, from: 0.25, language: 'jpn' },
  { hertz: 750, from: 2, language: 'eng', title: 'Away "radio"\ncommentary', disposition: 'comment' },
  { hertz: 900, from: 0.5, language: 'eng', disposition: 'visual_impaired' },
  { hertz: 1050, from: 3, language: 'spa' },
  { hertz: 1200, from: 0, language: 'eng', disposition: 'hearing_impaired' },
  { hertz: 1350, from: 1.25 },
];

/** Makes a file of a film and these tracks. @param more of the command line, before the output */
async function make(path: string, all: readonly Track[], codec: readonly string[], ...more: readonly string[]) {
  const inputs = all.flatMap(({ hertz, from }) => [
    ...['-f', 'lavfi', '-i'],
    `aevalsrc='if(gte(t,${from}),0.4*sin(2*PI*${hertz}*t),0)':s=${RATE}:d=${SECONDS}`,
  ]);
  const maps = ['-map', '0:v', ...all.flatMap((_track, index) => ['-map', `${index + 1}:a`])];
  const facts = all.flatMap(({ language, title, disposition, codec: own }, index) => [
    ...(own ? [`-c:a:${index}`, ...own] : [`-c:a:${index}`, ...codec]),
    ...(language === undefined ? [] : [`-metadata:s:a:${index}`, `language=${language}`]),
    ...(title === undefined ? [] : [`-metadata:s:a:${index}`, `title=${title}`]),
    ...[`-disposition:a:${index}`, disposition ?? '0'],
  ]);
  await ffmpeg(...picture('160x90', 25, SECONDS), ...inputs, ...maps, ...fastH264, ...facts, ...more, path);
}

describe('tracks of sound', function () {
  this.timeout(120_000);
  const { at, encode } = sharedWorker();

  const expectAll = async (file: string, wanted: readonly Track[]) => {
    const { ladder, folder: output, warnings } = await encode(file);
    const all = [...(ladder.audio ? [ladder.audio] : []), ...(ladder.alternates ?? [])];
    expect(all.map(({ language }) => language)).to.deep.equal(wanted.map(({ language }) => language ?? null));
    for (const [index, { playlist }] of all.entries()) {
      const { from, hertz } = wanted[index] ?? expect.fail();
      const heard = await hear(join(output, playlist));
      expect(heard.hertz, playlist).to.be.within(hertz - 6, hertz + 6);
      expect(heard.from, playlist).to.be.within(from - IN_SYNC, from + IN_SYNC);
      expect(heard.seconds, playlist).to.be.within(SECONDS - 0.1, SECONDS + 0.1);
    }
    return { all, warnings };
  };

  const eight: readonly (Row & { readonly file: string; readonly codec: string })[] = [
    { file: 'eight.mp4', codec: 'aac', usual: true },
    { file: 'eight.mkv', codec: 'flac', usual: true },
    { file: 'eight.mov', codec: 'pcm_s16le' },
  ];
  for (const { file, codec } of usualOf(eight))
    it(`all of eight tracks of sound arrive in sync, each with its language: ${file}`, async () => {
      await make(at(file), tracks, [codec]);
      const { warnings } = await expectAll(file, tracks);
      expect(warnings).not.to.include('audio_tracks_left_out');
    });

  it('commentary, a description for the blind and clear sound are told apart, and a title is one plain line', async () => {
    const few = tracks.filter(({ disposition }) => disposition !== undefined);
    await make(at('roles.mkv'), few, ['libopus']);
    const { all } = await expectAll('roles.mkv', few);
    expect(all.map(({ role }) => role)).to.deep.equal(['main', 'commentary', 'description', 'clean']);
    expect(all.map(({ title }) => title)).to.deep.equal([undefined, 'Away radio commentary', undefined, undefined]);
  });

  it('tracks are in sync where pictures are hidden by an edit list and the sound begins before them', async () => {
    const two = tracks.slice(0, 2);
    await make(at('shown.mp4'), two, ['aac'], '-bf', '2', '-g', '12');
    await ffmpeg('-ss', '0.6', '-i', at('shown.mp4'), '-map', '0', '-c', 'copy', at('cut.mp4'));
    const { ladder, folder: output } = await encode('cut.mp4');
    const [first, second] = await Promise.all(
      [ladder.audio, ladder.alternates?.[0]].map((track) => hear(join(output, track?.playlist ?? ''))),
    );
    expect(second?.hertz).to.be.within(444, 456);
    expect((second?.from ?? 0) - (first?.from ?? 0)).to.be.within(0.5 - IN_SYNC, 0.5 + IN_SYNC);
  });

  it('a track that cannot be decoded, and one beyond the eighth, are left out with a warning', async () => {
    const ten = [...tracks, { hertz: 1500, from: 1, language: 'fra' }];
    await make(at('nine.mkv'), ten, ['aac']);
    expect((await expectAll('nine.mkv', tracks)).warnings).to.include('audio_tracks_left_out');
    const unsupported = { hertz: 1500, from: 1, language: 'fra', codec: ['adpcm_ms'] };
    const [first, second] = tracks;
    if (!first || !second) expect.fail();
    await make(at('unsupported.mkv'), [first, unsupported, second], ['aac']);
    expect((await expectAll('unsupported.mkv', [first, second])).warnings).to.include('audio_tracks_left_out');
  });
});
