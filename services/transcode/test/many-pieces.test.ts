/**
 * Long videos: copied out of parts of the source, encoded by two processes at once, joined again. Each picture shows its own number as bars of luma.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { purgeLosers, transcode } from './catalog.ts';
import { download, ffmpeg, makeFolder, measure, removeFolder } from './clips.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';
import { usualOf, type Row } from './long-runs.ts';
import { numbered, range, readNumbers } from './numbered-clips.ts';
import { boxesOf, readBoxes, writeBoxes } from './corpus/generators/mp4-boxes.ts';
import { playlistFaults } from './playlist-faults.ts';

/** @param labels part of the text between the metric's braces */
async function metric(adminPort: number, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]);
}
function jobsDone(adminPort: number): Promise<number> {
  return metric(adminPort, 'vds_work_tries_total', 'queue="encode"[^}]*outcome="done"');
}

type Source = Row & {
  readonly name: string;
  readonly file: string;
  /** ffmpeg's arguments for the file, without its path. */
  readonly args: readonly string[];
  /** Numbers of its pictures. */
  readonly pictures: readonly number[];
  readonly seconds: number;
  readonly pieces: number;
  readonly rungs: readonly string[];
};

const small = { pictures: range(0, 350), seconds: 14, pieces: 5, rungs: ['360p', '240p'] };
const openGroups = 'open-gop=1:bframes=3:scenecut=0';
const fast = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '20'];

/** Its parts cannot be read by themselves. */
const fragmented = 'fragments.mp4';

const sources: readonly Source[] = [
  {
    name: 'H.264 with open groups',
    file: 'open.mp4',
    args: [...numbered(14, 25), ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '40', '-x264-params', openGroups]],
    ...small,
    usual: true,
  },
  {
    name: 'H.265 with open groups',
    file: 'open-265.mp4',
    args: [
      ...numbered(14, 25),
      ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'open-gop=1:keyint=35:bframes=4:log-level=none'],
    ],
    ...small,
    usual: true,
  },
  {
    name: 'VP9 in WebM',
    file: 'nine.webm',
    args: [
      ...numbered(14, 25),
      ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '50', '-c:a', 'libopus'],
    ],
    ...small,
  },
  {
    name: 'a fragmented file without decode times, which one worker cuts',
    file: fragmented,
    args: [...numbered(14, 25), ...fast, '-movflags', '+frag_keyframe+empty_moov'],
    ...small,
    usual: true,
  },
  {
    name: '1080p',
    file: 'large.mp4',
    args: [...numbered(8, 12, '1920:1080'), ...fast],
    ...{ pictures: range(0, 96), seconds: 8, pieces: 3, rungs: ['1080p', '720p', '480p', '360p', '240p'] },
  },
  {
    name: '2160p',
    file: 'huge.mp4',
    args: [...numbered(6, 5, '3840:2160'), ...fast],
    ...{ pictures: range(0, 30), seconds: 6, pieces: 2, rungs: ['1080p', '720p', '480p', '360p', '240p'] },
  },
];
/** Cut out of the first one without re-encoding, within a group of pictures: 31 pictures are decoded and not shown. */
const cutOut: Source = {
  ...{ name: 'a lossless cut', file: 'cut.mp4', args: [], pictures: range(31, 350), seconds: 12.76, pieces: 4 },
  usual: true,
  rungs: ['360p', '240p'],
};

/** The others take long to encode. */
const chosen = usualOf([...sources, cutOut]);

/** A demuxer that begins in the middle of such a file does not know when. */
async function withoutDecodeTimes(path: string): Promise<void> {
  const boxes = readBoxes(await readFile(path));
  for (const box of boxesOf(boxes, 'tfdt')) box.type = 'free';
  await writeFile(path, writeBoxes(boxes));
}

describe('a video of several pieces', function () {
  this.timeout(120_000);
  let harness: Harness;
  let folder: string;
  const workers: Worker[] = [];
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({ TIME_SCALE: 'wholeBelow=5s', PIECE_LENGTH: '3s', ENCODE_SLOTS: '1' });
    for (let worker = 0; worker < 2; worker++) workers.push(await harness.startWorker());
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  /** Over both processes. */
  async function counted(name: string): Promise<number> {
    const counts = await Promise.all(workers.map(({ ports }) => metric(ports.admin, name)));
    return counts.reduce((sum, count) => sum + count, 0);
  }
  const readWhole = (): number =>
    workers.reduce((sum, worker) => sum + worker.output().split('whole source read').length - 1, 0);

  for (const { name, file, args, ...expected } of chosen) {
    it(`pieces of ${name} are joined at the first try and show every picture exactly once, in order`, async () => {
      const path = join(folder, file);
      const open = join(folder, 'open.mp4');
      await ffmpeg(...(file === cutOut.file ? ['-ss', '1.24', '-i', open, '-c', 'copy'] : args), path);
      if (file === fragmented) await withoutDecodeTimes(path);
      const video = await transcode(harness, path, 90_000);
      const { folder: output, ladder } = await download(
        harness,
        video.videoId,
        String(video.encoded['ladderKey']),
        join(folder, `${file}-output`),
      );
      expect(ladder.frames).to.equal(expected.pictures.length);
      expect(ladder.rungs.map((rung) => rung.name)).to.deep.equal(expected.rungs);
      for (const rung of ladder.rungs)
        expect(await readNumbers(join(output, rung.playlist))).to.deep.equal(expected.pictures);
      const pictures = await measure(join(output, ladder.rungs[0]?.playlist ?? ''), 'v');
      expect(pictures.start).to.equal(0);
      expect(pictures.end).to.be.closeTo(expected.seconds, 0.05);
      const { rows } = await harness.pool.query<{ job: string }>('SELECT job FROM job_results WHERE video_id = $1', [
        video.videoId,
      ]);
      expect(rows.filter(({ job }) => job.startsWith('piece-'))).to.have.length(expected.pieces);
      expect(rows.some(({ job }) => job === 'cut')).to.equal(file === fragmented);
      expect(await playlistFaults(output, ladder)).to.deep.equal([]);
    });
  }

  it('a video whose pieces cannot be joined is encoded again as one piece', async () => {
    // A different encoder on one of two machines writes another init segment for its piece.
    await harness.pool.query(`
      CREATE FUNCTION differ() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.result := jsonb_set(NEW.result, '{rungs,0,init}', '"other"'); RETURN NEW; END $$;
      CREATE TRIGGER differ BEFORE UPDATE ON job_results FOR EACH ROW
        WHEN (NEW.job = 'piece-1' AND NEW.result IS NOT NULL) EXECUTE FUNCTION differ()`);
    const { videoId, encoded } = await transcode(harness, join(folder, 'open.mp4'), 90_000);
    await harness.pool.query('DROP TRIGGER differ ON job_results');
    const { folder: output, ladder } = await download(
      harness,
      videoId,
      String(encoded['ladderKey']),
      join(folder, 'whole'),
    );
    expect(await readNumbers(join(output, ladder.rungs[0]?.playlist ?? ''))).to.have.length(350);
    await purgeLosers(harness, videoId);
    const folders = new Set(
      (await harness.keys(videoId)).map((key) => key.split('/')[3]?.replace(/(-\d+)?\.\d+-[0-9a-f]+$/, '')),
    );
    expect([...folders]).to.have.members(['assemble-whole', 'audio-joined', 'sound', 'whole']);
    expect(harness.of(videoId, 'encode.completed')).to.have.length(1);
    expect(await counted('vds_transcode_encoded_as_one_total')).to.equal(1);
  });

  it('pieces for which the parts that were planned do not suffice are copied out of the whole source', async () => {
    expect(readWhole()).to.equal(0);
    await harness.pool.query(`
      CREATE FUNCTION headless() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.plan := NEW.plan || '{"headers": [{"from": 0, "to": 40}]}'; RETURN NEW; END $$;
      CREATE TRIGGER headless BEFORE INSERT ON plans FOR EACH ROW EXECUTE FUNCTION headless()`);
    const { videoId, encoded } = await transcode(harness, join(folder, 'open.mp4'), 90_000);
    await harness.pool.query('DROP TRIGGER headless ON plans');
    const { folder: output, ladder } = await download(
      harness,
      videoId,
      String(encoded['ladderKey']),
      join(folder, 'headless'),
    );
    expect(await readNumbers(join(output, ladder.rungs[0]?.playlist ?? ''))).to.deep.equal(range(0, 350));
    // Five pieces, and the sound of each.
    expect(readWhole()).to.equal(10);
  });

  it('pieces are encoded by both processes', async () => {
    for (const { ports } of workers) expect(await jobsDone(ports.admin)).to.be.greaterThan(3);
  });

  it('no copy of the source remains in the media bucket once the video is ready and purged', async () => {
    const { rows } = await harness.pool.query<{ video_id: string }>('SELECT video_id FROM ladders');
    expect(rows).to.have.length(chosen.length + 2);
    for (const { video_id: videoId } of rows) {
      await purgeLosers(harness, videoId);
      expect((await harness.keys(videoId)).filter((key) => key.includes('/cut.'))).to.deep.equal([]);
    }
  });
});
