/** The largest rung consists of the source's own packets where these are what it would be encoded to, and only there. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { asInput, ffmpeg, makeFolder, probe, removeFolder, shownAt, tone, pictureHashes } from './clips.ts';
import { encodeAndDownload } from './encode-and-download.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';
import { isLong, usualOf, type Row } from './long-runs.ts';
import { captionUnit } from './corpus/generators/closed-captions.ts';
import { addUnits } from './corpus/generators/nal-units.ts';

const execute = promisify(execFile);
const bt709 = ['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];

/** Pictures of this size are taken for BT.709. */
const undeclared = ['-color_range', '0', '-colorspace', '2', '-color_primaries', '2', '-color_trc', '2'];

type Three = [string, string, string];

/** A message that says nothing (ITU-T H.264 §D.1.4). */
const filler = Buffer.from([6, 3, 1, 0xff, 0x80]);

type Shape = {
  readonly size?: string;
  readonly rate?: string;
  readonly x264?: string;
  readonly more?: readonly string[];
};

type Made = Row & {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
};

/** Fourteen seconds, as an encoder for live streams makes them: closed groups of two seconds. */
function source({ size = '854x480', rate = '25', x264 = 'keyint=50:min-keyint=50:scenecut=0', more = [] }: Shape = {}) {
  return [
    ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=14`, ...tone(14)],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '900k', '-maxrate', '1200k', '-bufsize', '1200k'],
    ...['-pix_fmt', 'yuv420p', '-bf', '2', '-x264-params', `${x264}:b-pyramid=0`, ...bt709, ...more],
  ];
}

/** How many pictures carry captions. */
async function captioned(path: string): Promise<number> {
  const shown = ['-select_streams', 'v:0', '-show_entries', 'frame=side_data_list:frame_side_data=side_data_type'];
  return (await probe(...shown, path)).split('Closed Captions').length - 1;
}

/** How many pictures a decoder has to guess parts of. */
async function concealed(path: string): Promise<number> {
  const args = ['-nostats', '-threads', '1', ...asInput(path), '-map', '0:v', '-f', 'null', '-'];
  const { stderr } = await execute('ffmpeg', args, { maxBuffer: 2 ** 26 });
  return stderr.split('concealing').length - 1;
}

/** Writes a file in which forty bytes of one slice are others, so that a decoder notices. */
async function writeDamaged(good: Buffer, path: string): Promise<void> {
  const media = good.indexOf('mdat');
  for (let share = 0.3; share < 0.9; share += 0.05) {
    const from = media + Math.floor((good.length - media) * share);
    await writeFile(
      path,
      good.map((byte, at) => (at >= from && at < from + 40 ? byte ^ 0x5a : byte)),
    );
    if ((await concealed(path)) > 0) return;
  }
  throw new Error('no damage was noticed');
}

/** Range, matrix, transfer and primaries. */
async function colours(path: string): Promise<string> {
  const shown = ['-show_entries', 'stream=color_range,color_space,color_transfer,color_primaries', '-of', 'csv=p=0'];
  // Of a playlist, the stream is printed once more for its programme.
  return (await probe('-select_streams', 'v:0', ...shown, path)).trim().split('\n')[0] ?? '';
}

describe('a source that already is what its largest rung would be', function () {
  this.timeout(180_000);
  let folder: string;
  let harness: Harness;
  let worker: Worker;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({ TIME_SCALE: 'wholeBelow=10s', PIECE_LENGTH: '6s' });
    worker = await harness.startWorker();
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  async function encode(file: string, args: readonly string[]) {
    const path = join(folder, file);
    await ffmpeg(...args, path);
    const video = await encodeAndDownload(harness, path, 120_000);
    const made = await pictureHashes(video.top);
    const stored = await pictureHashes(path);
    return { ...video, path, made, stored, isCopied: made.join() === stored.join() };
  }

  const copied: readonly Made[] = [
    { name: 'mp4', file: 'plain.mp4', args: source() },
    {
      name: 'mp4 with the index at its beginning and 30000/1001 pictures a second',
      file: 'ntsc.mp4',
      args: source({
        rate: '30000/1001',
        x264: 'keyint=30:min-keyint=30:scenecut=0',
        more: ['-movflags', '+faststart'],
      }),
      usual: true,
    },
    { name: 'Matroska', file: 'plain.mkv', args: source() },
    {
      name: 'mp4 whose colours are not declared',
      file: 'undeclared.mp4',
      args: source({ size: '1280x720', more: undeclared }),
    },
    { name: 'a clip of one piece', file: 'short.mp4', args: [...source(), '-t', '7'], usual: true },
  ];
  for (const { name, file, args } of usualOf(copied))
    it(`every picture of the source is in the largest rung, unchanged: ${name}`, async () => {
      const { isCopied, made, stored, ladder, folder: output, top } = await encode(file, args);
      expect([made.length, isCopied]).to.deep.equal([stored.length, true]);
      expect(ladder.rungs.map((rung) => rung.name).slice(-3)).to.deep.equal(['480p', '360p', '240p']);
      expect(await colours(top)).to.equal('tv,bt709,bt709,bt709');
      const [first, next] = ladder.rungs.map(({ playlist }) => join(output, playlist));
      const times = await shownAt(first ?? '');
      expect(times[0]).to.equal(0);
      (await shownAt(next ?? '')).forEach((time, index) => expect(time).to.be.closeTo(times[index] ?? NaN, 0.000_03));
      expect(top).to.equal(first);
    });

  it('captions that begin late are not left in a copied rung', async () => {
    const [plain, raw, path] = ['plain.h264', 'late.h264', 'late.mp4'].map((file) => join(folder, file)) as Three;
    await ffmpeg(...source({ x264: 'keyint=50:min-keyint=50:scenecut=0:aud=1' }), '-bf', '0', '-an', plain);
    const late = (picture: number): Buffer => (picture < 200 ? filler : captionUnit(picture));
    await writeFile(raw, addUnits(await readFile(plain), 'h264', late));
    await ffmpeg('-r', '25', '-i', raw, '-c', 'copy', '-bsf:v', 'filter_units=remove_types=7-8', path);
    const video = await encodeAndDownload(harness, path, 120_000);
    expect(await captioned(path)).to.equal(150);
    expect([
      (await pictureHashes(video.top)).join() === (await pictureHashes(path)).join(),
      await captioned(video.top),
    ]).to.eql([true, 0]);
  });

  it('what was copied was what the inspection had seen', async () => {
    const text = await (await fetch(`http://127.0.0.1:${worker.ports.admin}/metrics`)).text();
    expect(worker.output()).not.to.match(/source packets rejected|whole source read/);
    expect(text).to.match(/^vds_transcode_encoded_as_one_total\{[^}]*\} 0$/m);
  });

  /** Whatever becomes of it, the trigger ends. */
  async function encodeWithTrigger(path: string) {
    try {
      return await encodeAndDownload(harness, path, 120_000);
    } finally {
      await harness.pool.query('DROP TRIGGER copies ON plans');
    }
  }

  it('the largest rung is encoded where its copy fails, or differs from the other rungs', async () => {
    const uneven = join(folder, 'uneven-groups.mp4');
    const vp9 = join(folder, 'not-h264.webm');
    await ffmpeg(...source({ x264: 'keyint=40:min-keyint=40:scenecut=0' }), '-t', '7', uneven);
    await ffmpeg('-i', uneven, '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', vp9);
    for (const [path, how] of [[uneven, 'unchanged'] as const, [vp9, 'declare'] as const]) {
      await harness.pool.query(`
        CREATE OR REPLACE FUNCTION copies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          NEW.plan := NEW.plan || '{"copiesTop": "${how}"}'; RETURN NEW; END $$;
        CREATE TRIGGER copies BEFORE INSERT ON plans FOR EACH ROW EXECUTE FUNCTION copies()`);
      const { ladder, top } = await encodeWithTrigger(path);
      expect([ladder.frames, (await pictureHashes(top)).join() === (await pictureHashes(path)).join()]).to.deep.equal([
        175,
        false,
      ]);
    }
  });

  it('a damaged slice is in no rung: the largest one is encoded', async () => {
    const good = join(folder, 'good.mp4');
    await ffmpeg(...source(), good);
    for (const seconds of isLong ? [7, 14] : [14]) {
      const path = join(folder, `damaged-${seconds}.mp4`);
      await ffmpeg('-i', good, '-t', String(seconds), '-c', 'copy', path);
      await writeDamaged(await readFile(path), path);
      const { top } = await encodeAndDownload(harness, path, 120_000);
      expect(await concealed(top)).to.equal(0);
    }
  });

  it('the largest rung is encoded where its headers say another shape of pixels than the container', async () => {
    const [wide, path] = [join(folder, 'wide.mp4'), join(folder, 'square.mp4')];
    await ffmpeg(...source(), '-vf', 'setsar=4/3', '-t', '7', wide);
    await ffmpeg('-i', wide, '-c', 'copy', '-aspect', '854:480', path);
    const { top, folder: output } = await encodeAndDownload(harness, path, 120_000);
    const raw = join(output, 'top.h264');
    await ffmpeg(...asInput(top), '-map', '0:v', '-c', 'copy', raw);
    const shape = ['-show_entries', 'stream=width,height,sample_aspect_ratio', '-of', 'csv=p=0'];
    expect((await probe(...shape, raw)).trim()).to.equal('854,480,1:1');
  });

  const encoded: readonly Made[] = [
    {
      name: 'groups are longer than two seconds',
      file: 'long.mp4',
      args: source({ x264: 'keyint=75:min-keyint=75:scenecut=0' }),
    },
    {
      name: 'groups do not begin where segments do',
      file: 'uneven.mp4',
      args: source({ x264: 'keyint=40:min-keyint=40:scenecut=0' }),
      usual: true,
    },
    {
      name: 'groups are open',
      file: 'open.mp4',
      args: source({ x264: 'keyint=50:min-keyint=50:scenecut=0:open-gop=1' }),
    },
    {
      name: 'colours are other ones',
      file: 'other-colours.mp4',
      args: source({ more: ['-colorspace', 'smpte170m', '-color_primaries', 'smpte170m', '-color_trc', 'smpte170m'] }),
      usual: true,
    },
    {
      name: 'the bit rate is above the cap',
      file: 'fat.mp4',
      args: [...source(), '-b:v', '6M', '-maxrate', '8M', '-bufsize', '8M', '-vf', 'noise=alls=40:allf=t'],
    },
    { name: 'the size is not the rung’s', file: 'odd.mp4', args: source({ size: '888x500' }) },
    {
      name: 'the level is above the rung’s',
      file: 'level.mp4',
      args: source({ more: ['-level:v', '5.1'] }),
      usual: true,
    },
  ];
  for (const { name, file, args } of usualOf(encoded))
    it(`the largest rung is encoded where ${name}`, async () => {
      expect((await encode(file, [...args, '-t', '7'])).isCopied).to.equal(false);
    });
});
