/** A piece that is copied out of parts of a source holds, packet for packet, what the one does that is copied out of the whole source. */
import { execFile } from 'node:child_process';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  cutArguments,
  packetArguments,
  pieceName,
  readCopied,
  sourceName,
} from '../src/domain/plan/encode-arguments.ts';
import { planBytes, rangesOf, withProbed, type PieceBytes } from '../src/domain/plan/piece-bytes.ts';
import { planPieces, type Piece } from '../src/domain/plan/pieces.ts';
import { scanPackets, type FrameScan } from '../src/domain/source/frame-scan.ts';
import type { Demuxer } from '../src/domain/source/sniff.ts';
import { readIndex, sizeOf, type SourceIndex } from '../src/domain/source/source-index.ts';
import { isRunOf, LISTED_BYTES, listOf } from '../src/domain/source/stored-packets.ts';
import { makeTimeline } from '../src/domain/source/timeline.ts';
import { driveWalk } from '../src/outbound/scratch-files.ts';
import { ffmpeg, makeFolder, removeFolder, tone } from './clips.ts';
import { probeOf } from './domain/probe-of.ts';
import { usualOf, type Row } from './long-runs.ts';
import { boxesOf, readBoxes, writeBoxes } from './corpus/generators/mp4-boxes.ts';
import { readElements, without, writeElements } from './corpus/generators/matroska-elements.ts';
import { keepOnly } from './stored-source.ts';

const execute = promisify(execFile);
const SECONDS = 40;
const RATE = 25;
const video = probeOf({ timescale: 12_800 }).video;

function noisy(size: string): string[] {
  return [...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${RATE}:d=${SECONDS},noise=alls=60:allf=t`], ...tone(SECONDS)];
}
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '6M'];
const reordered = 'open-gop=1:keyint=40:bframes=5:b-pyramid=normal';
/** From which the others are made without encoding them again. */
const closed = 'closed.mp4';

type Recipe = Row & {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly change?: (file: Buffer) => Buffer;
};
const copied = ['-i', closed, '-c', 'copy'];
const recipes: readonly Recipe[] = [
  { name: 'mp4 with the index at its end', file: 'last.mp4', args: copied, usual: true },
  { name: 'mp4 with the index at its beginning', file: 'first.mp4', args: [...copied, '-movflags', '+faststart'] },
  {
    name: 'mp4 with open groups and reordered pictures',
    file: 'open.mp4',
    args: [...noisy('320x180'), '-c:v', 'libx264', '-preset', 'superfast', '-b:v', '6M', '-x264-params', reordered],
    usual: true,
  },
  { name: 'QuickTime', file: 'film.mov', args: copied },
  { name: 'Matroska', file: 'film.mkv', args: copied },
  { name: 'Matroska with the cues at its beginning', file: 'cues.mkv', args: [...copied, '-cues_to_front', '1'] },
  {
    name: 'WebM',
    file: 'film.webm',
    args: [...noisy('320x180'), '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '6M', '-g', '60'],
  },
  {
    name: 'Matroska without cues',
    file: 'none.mkv',
    args: copied,
    change: (file) => writeElements(without(readElements(file))),
    usual: true,
  },
  { name: 'a live recording in Matroska', file: 'live.mkv', args: [...copied, '-live', '1'] },
  fragments('a fragmented mp4', 'empty_moov+default_base_moof'),
  fragments('a fragmented mp4 with one index of all segments', 'empty_moov+default_base_moof+global_sidx'),
  fragments('a fragmented mp4 with an index before every segment', 'empty_moov+dash'),
  fragments('a fragmented mp4 with offsets from the beginning of the file', 'empty_moov'),
  fragments('a fragmented mp4 with the first fragment in its index', 'default_base_moof'),
  { ...fragments('a fragmented mp4 with a fragment for each track', 'empty_moov+separate_moof'), usual: true },
];

function fragments(name: string, flags: string): Recipe {
  return { name, file: 'fragments.mp4', args: [...copied, '-movflags', `frag_keyframe+${flags}`] };
}

function demuxerOf(file: string): Demuxer {
  return /\.(mkv|webm)$/.test(file) ? 'matroska' : 'mov';
}

async function scanOf(folder: string, demuxer: Demuxer): Promise<FrameScan> {
  const sink = scanPackets({ video: 0, audio: 1 });
  const { stdout } = await execute('ffprobe', packetArguments(demuxer, video), { cwd: folder, maxBuffer: 2 ** 28 });
  stdout.split('\n').forEach(sink.line);
  return sink.finish();
}

async function copyOf(folder: string, piece: Piece, demuxer: Demuxer) {
  const args = cutArguments(video, piece, demuxer).map((one) => one.replace('pipe:3', 'pipe:1'));
  const { stdout } = await execute('ffmpeg', args, { cwd: folder, maxBuffer: 2 ** 26 });
  const listed = ['-show_entries', 'packet=pts,dts,duration,flags,size,data_hash', '-show_data_hash', 'SHA256'];
  const probe = await execute('ffprobe', ['-v', 'error', ...listed, '-of', 'csv', pieceName], {
    cwd: folder,
    maxBuffer: 2 ** 26,
  });
  return { held: probe.stdout, packets: stdout.split('\n').flatMap((line) => readCopied(line) ?? []) };
}

type Planned = {
  readonly pieces: readonly Piece[];
  readonly bytes: readonly PieceBytes[];
  readonly index: SourceIndex;
  readonly scan: FrameScan;
};

describe('a source of which parts are read', function () {
  this.timeout(120_000);
  let folder: string;
  before(async () => {
    folder = await makeFolder();
    await ffmpeg(...noisy('640x360'), ...h264, '-g', '50', join(folder, closed));
  });
  after(() => removeFolder(folder));

  /** Makes the file, and plans its pieces of ten seconds. */
  async function plan({ file, args, change }: Recipe): Promise<Planned | undefined> {
    const path = join(folder, file);
    await ffmpeg(...args.map((one) => (one === closed ? join(folder, closed) : one)), path);
    if (change) await writeFile(path, change(await readFile(path)));
    await copyFile(path, join(folder, sourceName));
    const demuxer = demuxerOf(file);
    const fileBytes = (await stat(path)).size;
    const found = await driveWalk(path, readIndex(demuxer, fileBytes));
    if (!found) return undefined;
    const scan = await scanOf(folder, demuxer);
    const index = withProbed(found, scan.stored, fileBytes);
    const rules = { wholeBelowSeconds: 5, pieceSeconds: 10 };
    const pieces = planPieces(scan, makeTimeline(probeOf({}, { demuxer }), scan), rules);
    const bytes = planBytes(pieces, scan.stored, index, fileBytes);
    return bytes && { pieces, bytes, index, scan };
  }

  for (const recipe of usualOf(recipes))
    it(`a piece copied out of parts of ${recipe.name} holds what the one holds that is copied out of the whole file, and nothing unknown`, async () => {
      const planned = await plan(recipe);
      expect(planned, 'is read in parts').not.to.equal(undefined);
      const { pieces, bytes, index, scan } = planned!;
      expect(pieces).to.have.lengthOf(6);
      const list = listOf(scan.stored);
      const [whole, source, demuxer] = [join(folder, recipe.file), join(folder, sourceName), demuxerOf(recipe.file)];
      let read = 0;
      for (const [number, piece] of pieces.entries()) {
        const place = bytes[number]!;
        await copyFile(whole, source);
        const expected = await copyOf(folder, piece, demuxer);
        const ranges = rangesOf(place, index.headers);
        read += sizeOf(ranges) - sizeOf(index.headers);
        await keepOnly(whole, source, ranges);
        const actual = await copyOf(folder, piece, demuxer);
        // Where one index leads to each fragment, copying the whole may begin a group earlier.
        expect(actual.held !== '' && expected.held.endsWith(actual.held), `piece ${number}`).to.equal(true);
        const known = list.subarray(place.from * LISTED_BYTES);
        const wanted = { first: place.first - place.from, end: place.end - place.from };
        expect(isRunOf(known, actual.packets, wanted), `piece ${number} is known`).to.equal(true);
      }
      // Pieces of six seconds, each with a group of pictures or two on either side.
      expect(read / (await stat(whole)).size).to.be.below(2);
    });

  it('a piece that lacks bytes of the source is not taken for complete', async () => {
    const { pieces, bytes, index, scan } = (await plan(recipes[0]!))!;
    const [piece, place] = [pieces[2]!, bytes[2]!];
    const hole = { from: place.range.from + 1_500_000, to: place.range.from + 1_500_100 };
    const ranges = rangesOf({ ...place, range: { from: place.range.from, to: hole.from } }, [
      ...index.headers,
      { from: hole.to, to: place.range.to },
    ]);
    await keepOnly(join(folder, recipes[0]!.file), join(folder, sourceName), ranges);
    const { packets } = await copyOf(folder, piece, 'mov');
    const known = listOf(scan.stored).subarray(place.from * LISTED_BYTES);
    const wanted = { first: place.first - place.from, end: place.end - place.from };
    expect(isRunOf(known, packets, wanted)).to.equal(false);
    expect(isRunOf(known, packets.slice(0, 20), wanted)).to.equal(false);
  });

  it('a fragmented mp4 whose fragments do not tell their times is not read in parts', async () => {
    const change = (file: Buffer): Buffer => {
      const boxes = readBoxes(file);
      for (const box of boxesOf(boxes, 'tfdt')) box.type = 'free';
      return writeBoxes(boxes);
    };
    expect(await plan({ ...fragments('', 'empty_moov+default_base_moof'), change })).to.equal(undefined);
  });
});
