/** Which packets show a picture, compared with what a decoder shows of real streams. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { withPackets } from '../../src/outbound/scratch-files.ts';
import { showsOf } from '../../src/domain/source/hidden-pictures.ts';
import { ffmpeg, makeFolder, picture, probe, removeFolder, shownAt } from '../clips.ts';

const execute = promisify(execFile);

/** Packets of a file that show a picture, by the codec's headers; and how many packets there are. */
async function count(path: string, codec: string, demuxer: 'mov' | 'matroska') {
  const csv = await probe('-select_streams', 'v', '-show_entries', 'packet=size,pos', '-of', 'csv=p=0', path);
  const packets = csv.split('\n').flatMap((line) => (line === '' ? [] : [line.split(',').map(Number)]));
  const shown = await withPackets(path, demuxer, async (packetAt) =>
    packets.filter(([bytes = 0, at = 0]) => {
      const read = packetAt(at);
      return read === undefined || showsOf(codec)?.(read, bytes);
    }),
  );
  return { packets: packets.length, shown: shown.length };
}

describe('showsOf', function () {
  this.timeout(60_000);
  let folder: string;
  const at = (name: string): string => join(folder, name);
  before(async () => {
    folder = await makeFolder();
  });
  after(() => removeFolder(folder));

  /** Two passes: only then do the encoders plan such pictures ahead. */
  const encode = async (encoder: string, file: string): Promise<void> => {
    for (const pass of ['1', '2'])
      await ffmpeg(
        ...[...picture('96x64', 25, 4), '-c:v', encoder, '-cpu-used', '4', '-auto-alt-ref', '1'],
        ...['-lag-in-frames', '25', '-b:v', '60k', '-pass', pass, '-passlogfile', at(encoder), at(file)],
      );
  };

  it('hidden VP8 pictures are distinguished from shown ones', async () => {
    await encode('libvpx', 'vp8.webm');
    const counted = await count(at('vp8.webm'), 'vp8', 'matroska');
    expect(counted.packets).to.be.greaterThan(counted.shown);
    expect(counted.shown).to.equal((await shownAt(at('vp8.webm'))).length);
  });

  for (const [file, demuxer] of [
    ['split.webm', 'matroska'],
    ['split.mp4', 'mov'],
  ] as const)
    it(`hidden VP9 pictures are distinguished from shown ones in ${file}, and a superframe shows one picture`, async () => {
      await encode('libvpx-vp9', 'packed.webm');
      const split = ['-c', 'copy', '-bsf:v', 'vp9_superframe_split', '-fflags', '-autobsf'];
      await ffmpeg('-i', at('packed.webm'), ...split, at(file));
      const counted = await count(at(file), 'vp9', demuxer);
      expect(counted.packets).to.be.greaterThan(counted.shown);
      expect(counted.shown).to.equal((await shownAt(at(file))).length);
      const packed = await count(at('packed.webm'), 'vp9', 'matroska');
      expect(packed).to.deep.equal({ packets: counted.shown, shown: counted.shown });
    });

  it('hidden AV1 pictures are distinguished from shown ones, unit by unit', async () => {
    const hidden = ['-c:v', 'libaom-av1', '-cpu-used', '8', '-lag-in-frames', '19'];
    await ffmpeg(...picture('96x64', 25, 2), ...hidden, at('av1.mkv'));
    expect(await count(at('av1.mkv'), 'av1', 'matroska')).to.deep.equal({ packets: 50, shown: 50 });
    // One packet per frame, as the bitstream filter splits temporal units.
    await execute('ffmpeg', [
      ...['-v', 'error', '-y', '-i', at('av1.mkv'), '-c', 'copy', '-bsf:v', 'av1_frame_split'],
      ...['-fflags', '-autobsf', at('split.mkv')],
    ]);
    const counted = await count(at('split.mkv'), 'av1', 'matroska');
    expect(counted.packets).to.be.greaterThan(50);
    expect(counted.shown).to.equal(50);
  });
});

describe('showsOf for damaged packets', () => {
  const shows = (codec: string, bytes: readonly number[]): boolean | undefined => {
    const packet = Buffer.from(bytes);
    return showsOf(codec)?.((offset, length) => packet.subarray(offset, offset + length), packet.length);
  };
  const zeros: readonly number[] = Array.from({ length: 64 }, () => 0);

  it('a VP8 or AV1 packet overwritten with zeros counts as shown, so that decoding reveals the loss', () => {
    expect(shows('vp8', zeros)).to.equal(true);
    expect(shows('av1', zeros)).to.equal(true);
  });

  it('an intact hidden packet is distinguished from a damaged one', () => {
    expect(shows('vp8', [0x00, 0, 0, 0x9d, 0x01, 0x2a, 0, 0])).to.equal(false);
    expect(shows('vp8', [0x01, 0, 0, 0, 0, 0, 0, 0])).to.equal(false);
    expect(shows('av1', [0x32, 0x04, 0, 0, 0, 0])).to.equal(false);
  });
});
