/** Every supported shape of source, through the real service, as players see the result. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { encodeAndDownload } from './encode-and-download.ts';
import {
  asInput,
  fastH264,
  ffmpeg,
  makeFolder,
  measure,
  picture,
  probe,
  removeFolder,
  shownAt,
  tone,
} from './clips.ts';
import { openHarness, type Harness } from './harness.ts';
import { setEdits } from './corpus/generators/edit-lists.ts';
import { readBoxes, writeBoxes } from './corpus/generators/mp4-boxes.ts';

const execute = promisify(execFile);

/** Luma of the first picture, averaged over `columns` × `rows` fields, row by row. */
async function lumaOf(path: string, columns: number, rows: number): Promise<number[]> {
  const args = ['-v', 'error', '-nostdin', ...asInput(path), '-frames:v', '1'];
  const scaled = ['-vf', `scale=${columns}:${rows}:flags=area`, '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'];
  const { stdout } = await execute('ffmpeg', [...args, ...scaled], { encoding: 'buffer' });
  return [...stdout];
}

describe('sources of any shape', function () {
  this.timeout(60_000);
  let harness: Harness;
  let folder: string;
  const at = (name: string): string => join(folder, name);
  before(async () => {
    folder = await makeFolder();
    // A preset with pictures that refer to later ones.
    harness = await openHarness({ ENCODE_PRESET: 'superfast' });
    await harness.startWorker();
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  const finish = (name: string) => encodeAndDownload(harness, at(name));

  it('an edit list whose edit has no length shows all of the media', async () => {
    await ffmpeg(...picture('128x72', 25, 2), ...tone(2), ...fastH264, '-c:a', 'aac', at('whole.mp4'));
    const boxes = readBoxes(await readFile(at('whole.mp4')));
    setEdits(boxes, 'vide', [{ seconds: 0, from: 0 }]);
    await writeFile(at('open.mp4'), writeBoxes(boxes));
    const { ladder, folder: output } = await finish('open.mp4');
    expect(ladder.frames).to.equal(50);
    expect(await shownAt(join(output, ladder.rungs[0]?.playlist ?? ''))).to.have.lengthOf(50);
  });

  it('a video has every rung that fits, each with all pictures, and sound that begins with them', async () => {
    await ffmpeg(...picture('854x480', 24, 4), ...tone(4), ...fastH264, '-c:a', 'aac', at('plain.mp4'));
    const { ladder, folder: output, sound, warnings, inspected } = await finish('plain.mp4');
    expect(ladder.rungs.map(({ width, height }) => `${width}x${height}`)).to.deep.equal([
      '854x480',
      '640x360',
      '428x240',
    ]);
    expect(ladder.rungs.map((rung) => rung.frameRate)).to.deep.equal([24, 24, 24]);
    for (const rung of ladder.rungs) {
      expect(rung.codecs).to.match(/^avc1\.6400[0-9a-f]{2}$/);
      const pictures = await measure(join(output, rung.playlist), 'v');
      expect(pictures).to.include({ frames: 96, start: 0 });
      expect(pictures.end).to.be.closeTo(4, 0.05);
    }
    expect(ladder.audio).to.include({ codecs: 'mp4a.40.2', sampleRate: 48_000 });
    const decoded = await measure(sound ?? '', 'a');
    expect(decoded.start).to.be.closeTo(0, 0.04);
    expect(decoded.end).to.be.closeTo(4, 0.05);
    expect(warnings).to.deep.equal([]);
    expect(inspected).to.deep.include({ hasAudio: true, durationMs: 4_000 });
  });

  it('every segment begins with a key picture on a six-second grid, with key pictures every two seconds', async () => {
    await ffmpeg(...picture('160x90', 30_000 / 1_001, 13), ...fastH264, at('grid.mp4'));
    const { top } = await finish('grid.mp4');
    const csv = await probe('-select_streams', 'v', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0', top);
    const keys = csv.split('\n').flatMap((line) => (line.includes('K') ? [Math.round(Number.parseFloat(line))] : []));
    expect(keys).to.deep.equal([0, 2, 4, 6, 8, 10, 12]);
    const text = await readFile(top, 'utf8');
    expect([...text.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Math.round(Number(match[1])))).to.deep.equal([
      6, 6, 1,
    ]);
  });

  it('a rotated source of odd size becomes an upright video of even size', async () => {
    // Left half white, right half black; shown turned clockwise, the upper half is white.
    const halves = ['-f', 'lavfi', '-i', 'color=black:s=321x181:r=25:d=2,drawbox=w=160:h=181:color=white:t=fill'];
    await ffmpeg(...halves, '-vf', 'format=yuv444p,scale=321:181', ...fastH264, '-pix_fmt', 'yuv444p', at('odd.mp4'));
    await ffmpeg('-i', at('odd.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=270', at('turned.mp4'));
    const { ladder, top, warnings } = await finish('turned.mp4');
    expect(ladder.rungs[0]).to.include({ width: 180, height: 320 });
    const shown = await lumaOf(at('turned.mp4'), 4, 8);
    const upright = await lumaOf(top, 4, 8);
    expect(upright.map((luma) => luma > 125)).to.deep.equal(shown.map((luma) => luma > 125));
    expect(upright.slice(0, 4).every((luma) => luma > 200)).to.equal(true);
    expect(warnings).to.include.members(['rotated', 'odd_dimensions', 'no_audio']);
  });

  it('a source with non-square pixels becomes a video with square pixels', async () => {
    await ffmpeg(...picture('720x576', 25, 2), '-vf', 'setsar=64/45', ...fastH264, at('wide.mp4'));
    const { ladder, warnings } = await finish('wide.mp4');
    expect(ladder.rungs[0]).to.include({ width: 1_024, height: 576 });
    expect(warnings).to.include('non_square_pixels');
  });

  it('sound that begins late is preceded by silence', async () => {
    await ffmpeg(
      ...[...picture('160x90', 25, 4), '-itsoffset', '1.5', ...tone(2), '-map', '0', '-map', '1'],
      ...[...fastH264, '-c:a', 'aac', at('late.mp4')],
    );
    const { sound } = await finish('late.mp4');
    expect((await measure(sound ?? '', 'a')).start).to.be.closeTo(0, 0.04);
    const silence = [
      '-v',
      'info',
      '-allowed_extensions',
      'ALL',
      '-i',
      sound ?? '',
      '-af',
      'silencedetect=n=-40dB:d=0.5',
    ];
    const { stderr } = await execute('ffmpeg', [...silence, '-f', 'null', '-']);
    expect(Number(/silence_end: ([\d.]+)/.exec(stderr)?.[1])).to.be.closeTo(1.5, 0.04);
  });

  it('the first picture is shown while sound that begins early plays', async () => {
    await ffmpeg(...picture('160x90', 25, 3), ...fastH264, at('pictures.mp4'));
    await ffmpeg(
      ...['-itsoffset', '0.8', '-i', at('pictures.mp4'), ...tone(4), '-map', '0', '-map', '1', '-c:v', 'copy'],
      ...['-c:a', 'aac', at('early.mkv')],
    );
    const { top, sound } = await finish('early.mkv');
    const [first, second, ...rest] = await shownAt(top);
    expect(first).to.equal(0);
    // In Matroska the AAC encoder's run-up of 21 ms also counts as sound.
    expect(second).to.be.closeTo(0.85, 0.012);
    expect(rest).to.have.length(73);
    expect((await measure(sound ?? '', 'a')).end).to.be.closeTo(4, 0.05);
  });

  it('a video has a thumbnail, and a storyboard whose tiles lie on its sheets', async () => {
    await ffmpeg(...picture('320x180', 25, 14), ...fastH264, at('tiles.mp4'));
    const { ladder, folder: output, encoded } = await finish('tiles.mp4');
    expect(encoded['thumbnailKey']).to.match(/\/thumbnail\.jpg$/);
    const size = (path: string): Promise<string> =>
      probe('-show_entries', 'stream=width,height', '-of', 'csv=p=0', path);
    expect((await size(join(output, ladder.thumbnail.path))).trim()).to.equal('320,180');
    const track = await readFile(join(output, ladder.storyboard.track), 'utf8');
    const cues = [...track.matchAll(/^(\S+) --> \S+\n(\S+)#xywh=(\d+),(\d+),160,90$/gm)];
    expect(cues).to.have.length(14);
    expect(cues.at(-1)?.slice(3, 5)).to.deep.equal(['480', '90']);
    const sheet = join(output, ladder.storyboard.track, '..', cues[0]?.[2] ?? '');
    expect((await size(sheet)).trim()).to.equal('1600,180');
  });
});
