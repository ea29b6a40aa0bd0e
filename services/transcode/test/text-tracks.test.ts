/** Captions that come inside a file, as the service hands them on: every cue at its time, in its language. */
import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { textsDocument, type TextsDocument } from '@vds/proto/documents/texts';
import { readObject } from '@vds/testkit/harness/objects';
import { fastH264, ffmpeg, picture, probe } from './clips.ts';
import { captionUnit } from './corpus/generators/closed-captions.ts';
import { addUnits } from './corpus/generators/nal-units.ts';
import { vttInMp4 } from './corpus/generators/vtt-in-mp4.ts';
import { sharedWorker } from './encode-and-download.ts';

const SECONDS = 5;
const languages = 'eng spa por fra deu ita nld pol swe tur rus jpn'.split(' ');

/** Two cues in each language, at other times in each. */
function srt(language: string, place: number): string {
  const at = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 23).replace('.', ',');
  const from = 0.5 + place / 10;
  return [
    `1\n${at(from)} --> ${at(from + 1)}\nFirst in ${language}.\nSecond line.\n`,
    `2\n${at(from + 2)} --> ${at(from + 3)}\n<i>Last</i> in ${language} & <b>done</b>.\n`,
  ].join('\n');
}

describe('captions inside a source', function () {
  this.timeout(120_000);
  const { at, encode, harness } = sharedWorker();

  type Texts = { readonly tracks: TextsDocument['tracks']; readonly named: unknown; readonly warnings: string[] };
  const textsOf = async (file: string): Promise<Texts> => {
    const { encoded, warnings, videoId } = await encode(file);
    const key = String(encoded['textsKey']);
    const heard = harness().published.filter(({ subject }) => subject.endsWith('audio.completed.v1'));
    expect(heard.find(({ payload }) => payload['videoId'] === videoId)?.payload['textsKey']).to.equal(key);
    const tracks = key === '' ? [] : textsDocument.read(await readObject(harness().media, key)).tracks;
    return { tracks, named: encoded['textLanguages'], warnings };
  };

  /** @param codec of the tracks, or one for each */
  const make = async (file: string, texts: readonly string[], more: readonly string[]): Promise<void> => {
    const inputs: string[] = [];
    for (const [place, text] of texts.entries()) {
      await writeFile(at(`${file}-${place}.srt`), text);
      inputs.push('-i', at(`${file}-${place}.srt`));
    }
    const maps = texts.flatMap((_text, place) => ['-map', String(place + 1)]);
    await ffmpeg(...picture('160x90', 25, SECONDS), ...inputs, '-map', '0:v', ...maps, ...fastH264, ...more, at(file));
  };

  for (const [file, codec] of [
    ['twelve.mkv', 'srt'],
    ['styled.mkv', 'ass'],
    ['twelve.mp4', 'mov_text'],
    ['twelve.webm', 'webvtt'],
  ] as const)
    it(`each of twelve text tracks arrives with its language, lines and times: ${file}`, async () => {
      const tagged = languages.flatMap((language, place) => [`-metadata:s:s:${place}`, `language=${language}`]);
      const video = file.endsWith('.webm') ? ['-c:v', 'libvpx', '-deadline', 'realtime'] : [];
      await make(file, languages.map(srt), ['-c:s', codec, ...video, ...tagged]);
      const { tracks, named } = await textsOf(file);
      expect(named).to.deep.equal(languages);
      expect(tracks.map(({ language }) => language)).to.deep.equal(languages);
      for (const [place, { language, cues }] of tracks.entries()) {
        expect(cues.map(({ lines }) => lines)).to.deep.equal([
          [`First in ${language}.`, 'Second line.'],
          [`Last in ${language} & done.`],
        ]);
        for (const [index, { startMs, endMs }] of cues.entries()) {
          const wanted = 500 + place * 100 + index * 2_000;
          expect(startMs, `${language} ${index}`).to.be.within(wanted - 20, wanted + 20);
          expect(endMs - startMs).to.be.within(980, 1_020);
        }
      }
    });

  it('times count from the first picture, wherever the clock of the file begins', async () => {
    const late = ['-c:s', 'srt', '-output_ts_offset', '10', '-metadata:s:s:0', 'language=eng'];
    await make('late.mkv', [srt('eng', 0)], late);
    const [track] = (await textsOf('late.mkv')).tracks;
    expect(track?.cues.map(({ lines }) => lines.at(-1))).to.deep.equal(['Second line.', 'Last in eng & done.']);
    for (const [index, wanted] of [500, 2_500].entries())
      expect(track?.cues[index]?.startMs).to.be.within(wanted - 20, wanted + 20);
  });

  it('forced and empty tracks are left out with a warning, hostile text is plain text', async () => {
    const hostile = `1\n00:00:01,000 --> 00:00:02,000\n<script>alert(1)</script>{\\pos(1,1)} 1 < 2\n\n2\n00:00:03,000 --> 00:00:03,000\nnever\n`;
    await make(
      'forced.mkv',
      [hostile, srt('eng', 1)],
      ['-c:s', 'srt', '-disposition:s:1', 'forced', '-disposition:s:0', '0'],
    );
    const forced = await textsOf('forced.mkv');
    expect(forced.warnings).to.include('text_tracks_left_out');
    expect(forced.tracks).to.deep.equal([
      { language: null, cues: [{ startMs: 1_000, endMs: 2_000, lines: ['alert(1) 1 < 2'] }] },
    ]);
    const behind = '1\n00:01:00,000 --> 00:01:01,000\nnever\n';
    await make('empty.mkv', [behind, srt('eng', 1)], ['-c:s', 'srt', '-t', String(SECONDS)]);
    const empty = await textsOf('empty.mkv');
    expect(empty.warnings).to.include('text_tracks_left_out');
    expect(empty.tracks).to.have.length(1);
  });

  it('WebVTT in mp4, which cannot be read, is left out with a warning', async () => {
    await make('timed.mp4', [srt('eng', 0)], ['-c:s', 'mov_text', '-metadata:s:s:0', 'language=eng']);
    await vttInMp4(at('timed.mp4'), at('vtt.mp4'));
    expect(await probe('-show_entries', 'stream=codec_tag_string', '-of', 'csv=p=0', at('vtt.mp4'))).to.include('wvtt');
    const { tracks, warnings } = await textsOf('vtt.mp4');
    expect(warnings).to.include('text_tracks_left_out');
    expect(tracks).to.deep.equal([]);
  });

  it('captions of television inside the pictures (CEA-608) are captions of the video', async () => {
    const raw = at('raw.h264');
    await ffmpeg(
      ...picture('160x90', 25, SECONDS),
      ...fastH264,
      '-bf',
      '0',
      '-x264-params',
      'aud=1',
      '-f',
      'h264',
      raw,
    );
    await writeFile(raw, addUnits(await readFile(raw), 'h264', captionUnit));
    await ffmpeg('-r', '25', '-i', raw, '-c', 'copy', at('television.mp4'));
    const { tracks, named } = await textsOf('television.mp4');
    expect(named).to.deep.equal(['']);
    const [track] = tracks;
    expect(track?.cues.length).to.be.above(0);
    for (const { lines } of track?.cues ?? []) expect(lines).to.deep.equal(['CAPTION 608']);
  });

  it('chapters of a file are chapters of the video, with their titles as they were sent', async () => {
    const chapters = ['First half', '', '<b>Half</b> "time"\u2028break'].map((title, index) =>
      ['[CHAPTER]', 'TIMEBASE=1/1000', `START=${index * 1_500}`, `END=${(index + 1) * 1_500}`, `title=${title}`].join(
        '\n',
      ),
    );
    await writeFile(at('chapters.txt'), `;FFMETADATA1\n${chapters.join('\n')}\n`);
    for (const file of ['chapters.mp4', 'chapters.mkv']) {
      const facts = ['-i', at('chapters.txt'), '-map_metadata', '1', '-map', '0:v'];
      await ffmpeg(...picture('160x90', 25, SECONDS), ...facts, ...fastH264, at(file));
      const { ladder } = await encode(file);
      expect(ladder.chapters, file).to.deep.equal([
        { startMs: 0, title: 'First half' },
        { startMs: 1_500, title: '' },
        { startMs: 3_000, title: '<b>Half</b> "time" break' },
      ]);
    }
  });
});
