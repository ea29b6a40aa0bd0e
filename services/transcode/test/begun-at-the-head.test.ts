/** Titles that are begun while their source is still being fetched: each picture shows its own number. */
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { purgeFailed, requestEncode, requestInspect, waitForTerminalEvent } from './catalog.ts';
import { download, fastH264, ffmpeg, makeFolder, pictureHashes, removeFolder } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';
import { usualOf, type Row } from './long-runs.ts';
import { boxOf, readBoxes, trackOf, writeBoxes } from './corpus/generators/mp4-boxes.ts';
import { elementOf, ids, readElements, without, writeElements } from './corpus/generators/matroska-elements.ts';
import { numbered, range, readNumbers } from './numbered-clips.ts';
import { countParts, sourceOf, storeManifest, storeParts, uploadSource, type UploadedVideo } from './stored-source.ts';

const SECONDS = 24;
const RATE = 10;
const PIECES = 4;
/** Noise, so that pieces lie apart in the file. */
const args = [
  ...numbered(SECONDS, RATE, '640:360', ',noise=alls=30:allf=t'),
  ...[...fastH264, '-b:v', '10M', '-maxrate', '10M', '-bufsize', '5M', '-g', String(2 * RATE), '-c:a', 'aac'],
];
/** So small that a first look sees all that is there; its packets are those of the largest rung. */
const small = [
  ...['-vf', 'setsar=1', '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-bf', '2'],
  ...['-b:v', '920k', '-maxrate', '940k', '-bufsize', '940k'],
  ...['-x264-params', `keyint=${2 * RATE}:min-keyint=${2 * RATE}:scenecut=0:b-pyramid=0`],
  ...['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
  ...['-c:a', 'copy'],
];
/** The share of the parts with which two of the pieces are there. */
const BEGUN = 0.7;

type Unlisted = Row & {
  readonly name: string;
  readonly file: string;
  readonly args: (source: string) => string[];
  readonly change?: (file: Buffer) => Buffer;
};
const usual = true;

function copied(source: string, ...more: readonly string[]): string[] {
  return ['-i', source, '-c', 'copy', ...more];
}

function fragmented(...flags: readonly string[]): (source: string) => string[] {
  return (source) => copied(source, '-movflags', ['frag_keyframe', 'empty_moov', ...flags].join('+'));
}
const realtime = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '3M', '-g', String(2 * RATE)];

/** Cues whose clusters lie behind the end of the file. */
function leadOutside(file: Buffer): Buffer {
  const elements = readElements(file);
  const { body } = elementOf(elements, ids.cues);
  // RFC 9559 §5.1.5.1.2.2: the place of a cluster.
  for (let at = body.indexOf(0xf1); at >= 0; at = body.indexOf(0xf1, at + 1))
    if (body[at + 1] === 0x83) body.fill(0xff, at + 2, at + 5);
  return writeElements(elements);
}

/** Sources whose packets are listed nowhere. */
const unlisted: readonly Unlisted[] = [
  { name: 'fragmented mp4', file: 'fragments.mp4', args: fragmented() },
  {
    name: 'fragmented mp4 with an index of its segments',
    file: 'sidx.mp4',
    args: fragmented('default_base_moof', 'global_sidx'),
  },
  { name: 'Matroska with cues at its end', file: 'last.mkv', args: (at) => copied(at) },
  { name: 'Matroska with cues at its beginning', file: 'first.mkv', args: (at) => copied(at, '-cues_to_front', '1') },
  {
    name: 'Matroska without cues',
    file: 'none.mkv',
    args: (at) => copied(at),
    change: (file) => writeElements(without(readElements(file))),
    usual,
  },
  { name: 'Matroska with cues that lead outside', file: 'outside.mkv', args: (at) => copied(at), change: leadOutside },
  { name: 'WebM, live', file: 'live.webm', args: (at) => ['-i', at, ...realtime, '-c:a', 'libopus', '-live', '1'] },
];

describe('a title that is begun while its source is fetched', function () {
  this.timeout(180_000);
  let harness: Harness;
  let folder: string;
  const files = new Map<string, string>();
  /** Of the rungs, by video. */
  const playlists = new Map<string, string[]>();
  before(async () => {
    folder = await makeFolder();
    const [first, last, plain] = ['first.mp4', 'last.mp4', 'plain.mp4'].map((name) => join(folder, name));
    await ffmpeg(...args, '-movflags', '+faststart', first!);
    await ffmpeg('-i', first!, '-c', 'copy', last!);
    await ffmpeg('-i', first!, ...small, plain!);
    files.set('first', first!).set('last', last!).set('plain', plain!);
    harness = await openHarness({ TIME_SCALE: 'wholeBelow=10s', PIECE_LENGTH: '6s', ENCODE_THREADS: '1' });
    await harness.startWorker();
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  const pathOf = (name: string): string => files.get(name) ?? '';
  /** Stores parts at the beginning, and the last ones, as ingest does first. */
  const storeHead = async (path: string, share: number): Promise<UploadedVideo> => {
    const video = await sourceOf(path);
    const count = countParts(video);
    await storeManifest(harness, video);
    await storeParts(harness, video, path, [...range(1, Math.ceil(count * share)), count - 1, count]);
    await requestEncode(harness, video);
    return video;
  };
  const storeRest = async (video: UploadedVideo, path: string, share: number): Promise<void> => {
    const count = countParts(video);
    await storeParts(harness, video, path, range(Math.ceil(count * share), count - 1));
  };
  /** Where the results are, by their jobs. */
  const foldersOf = async ({ videoId }: UploadedVideo): Promise<Record<string, string>> => {
    const text = `SELECT job, result ->> 'folder' AS folder FROM job_results
      WHERE video_id = $1 AND result IS NOT NULL ORDER BY job`;
    const { rows } = await harness.pool.query<{ job: string; folder: string }>(text, [videoId]);
    return Object.fromEntries(rows.map(({ job, folder }) => [job, folder]));
  };
  const piecesOf = async (video: UploadedVideo): Promise<string[]> =>
    Object.keys(await foldersOf(video)).filter((job) => job.startsWith('piece-'));
  const jobsOf = async ({ videoId }: UploadedVideo, ...states: string[]): Promise<string[]> => {
    const text = `SELECT name FROM chassis.jobs
      WHERE video_id = $1 AND stage = 'encode' AND state = ANY ($2) ORDER BY name`;
    const { rows } = await harness.pool.query<{ name: string }>(text, [videoId, states]);
    return rows.map(({ name }) => name);
  };
  const encoded = async (video: UploadedVideo): Promise<number[][]> => {
    await requestInspect(harness, video);
    const inspected = await waitForTerminalEvent(harness, video.videoId, 'inspect');
    expect(inspected.subject, JSON.stringify(inspected.payload)).to.contain('completed');
    const { subject, payload } = await waitForTerminalEvent(harness, video.videoId, 'encode');
    expect(subject, JSON.stringify(payload)).to.contain('completed');
    const into = join(folder, video.videoId);
    const { ladder } = await download(harness, video.videoId, String(payload['ladderKey']), into);
    const paths = ladder.rungs.map(({ playlist }) => join(into, playlist));
    playlists.set(video.videoId, paths);
    return Promise.all(paths.map(readNumbers));
  };
  /** What a decoder makes of every rung. */
  const picturesOf = async ({ videoId }: UploadedVideo): Promise<string[][]> => {
    const paths = playlists.get(videoId) ?? [];
    return Promise.all(paths.map((path) => pictureHashes(path)));
  };
  const isWhole = (rungs: readonly number[][]): void => {
    expect(rungs).to.have.lengthOf(2);
    for (const numbers of rungs) expect(numbers).to.deep.equal(range(0, SECONDS * RATE));
  };

  const indexes: readonly (Row & { readonly name: string; readonly where: string })[] = [
    { name: 'first', where: 'beginning' },
    { name: 'last', where: 'end', usual },
  ];
  for (const { name, where } of usualOf(indexes))
    it(`pieces are encoded before the rest of a source is there, and not again: its index is at its ${where}`, async () => {
      const path = pathOf(name);
      const video = await storeHead(path, BEGUN);
      const isBegun = async (): Promise<boolean> =>
        (await piecesOf(video)).length >= 2 && 'sound-0' in (await foldersOf(video));
      await until(isBegun, { capMs: 60_000, what: 'two pieces, and the sound of the first' });
      const before = await foldersOf(video);
      expect(Object.keys(before))
        .to.have.lengthOf.below(2 * PIECES)
        .and.not.include('audio-joined');
      await storeRest(video, path, BEGUN);
      isWhole(await encoded(video));
      expect(await foldersOf(video)).to.include(before);
    });

  it('all pieces of a source may be there before it was inspected', async () => {
    const path = pathOf('first');
    const video = await storeHead(path, 0.3);
    await storeRest(video, path, 0.3);
    await until(async () => Object.keys(await foldersOf(video)).length === 2 * PIECES, {
      capMs: 60_000,
      what: 'all pieces and their sound',
    });
    const before = await foldersOf(video);
    expect(harness.of(video.videoId, 'audio.completed')).to.deep.equal([]);
    isWhole(await encoded(video));
    const { 'audio-joined': joined, ...after } = await foldersOf(video);
    expect(after).to.deep.equal(before);
    const [sound, ...more] = harness.of(video.videoId, 'audio.completed');
    expect([sound?.payload['hasAudio'], more]).to.deep.equal([true, []]);
    expect(String(sound?.payload['audioPlaylistKey'])).to.contain(joined);
  });

  it('what was begun is kept where the sound lasts longer than the pictures and its last packet has no length', async () => {
    const path = join(folder, 'lengthless.mp4');
    const sounds = [
      '-f',
      'lavfi',
      '-i',
      `sine=440:r=48000:d=${SECONDS + 9}`,
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-c',
      'copy',
    ];
    await ffmpeg('-i', pathOf('first'), ...sounds, '-c:a', 'eac3', '-movflags', '+faststart', path);
    const boxes = readBoxes(await readFile(path));
    const track = trackOf(boxes, 'soun');
    track.children = track.children?.filter(({ type }) => type !== 'edts') ?? [];
    const header = boxOf([track], 'mdhd').body;
    header.writeUInt32BE(header.readUInt32BE(16) - 1_536, 16);
    await writeFile(path, writeBoxes(boxes));
    const video = await storeHead(path, BEGUN);
    await until(async () => (await piecesOf(video)).length > 0, { capMs: 60_000, what: 'a piece' });
    const before = await foldersOf(video);
    await storeRest(video, path, BEGUN);
    isWhole((await encoded(video)).map((numbers) => numbers.slice(0, SECONDS * RATE)));
    expect(await foldersOf(video)).to.include(before);
  });

  it('a source that was fetched anew begins anew', async () => {
    const path = pathOf('first');
    const video = await storeHead(path, BEGUN);
    await until(async () => (await piecesOf(video)).length > 0, { capMs: 60_000, what: 'a piece' });
    const before = new Set(Object.values(await foldersOf(video)));
    const other = { ...(await uploadSource(harness, path)), videoId: video.videoId };
    isWhole(await encoded(other));
    expect(Object.values(await foldersOf(video)).filter((folder) => before.has(folder))).to.deep.equal([]);
  });

  it('a piece that fails while its source is fetched is encoded when the source is complete', async () => {
    const path = pathOf('first');
    const video = await storeHead(path, BEGUN);
    await until(async () => (await jobsOf(video, 'ready', 'running', 'done')).includes('piece-0'), { what: 'a piece' });
    const failed = `UPDATE chassis.jobs SET state = 'failed', fence = fence + 1, finished_at = now(), lease_until = NULL
      WHERE video_id = $1 AND name = 'piece-0'`;
    await harness.pool.query(failed, [video.videoId]);
    await harness.pool.query(`UPDATE job_results SET result = NULL WHERE video_id = $1 AND job = 'piece-0'`, [
      video.videoId,
    ]);
    await storeRest(video, path, BEGUN);
    isWhole(await encoded(video));
  });

  it('a piece whose bytes are not those of the complete source is encoded again', async () => {
    const path = pathOf('first');
    const video = await storeHead(path, BEGUN);
    await until(async () => (await piecesOf(video)).includes('piece-1'), {
      capMs: 60_000,
      what: 'the second piece',
    });
    const key = `videos/${video.videoId}/1/`;
    const lists = (await harness.keys(video.videoId)).filter(
      (one) => one.startsWith(key) && /piece-1.*packets$/.test(one),
    );
    expect(lists).to.have.lengthOf(1);
    await harness.media.client.putObject(harness.media.bucket, lists[0]!, Buffer.alloc(8));
    await storeRest(video, path, BEGUN);
    isWhole(await encoded(video));
    expect(await jobsOf(video, 'done')).to.include('whole');
  });

  for (const { name, file, args: made, change } of usualOf(unlisted))
    it(`pieces are encoded as their packets come, and not again: ${name}`, async () => {
      const path = join(folder, file);
      await ffmpeg(...made(pathOf('plain')), path);
      if (change) await writeFile(path, change(await readFile(path)));
      const video = await storeHead(path, BEGUN);
      await until(async () => (await piecesOf(video)).length >= 2, { capMs: 60_000, what: 'two pieces' });
      const before = await foldersOf(video);
      expect(Object.keys(before)).to.have.lengthOf.below(PIECES);
      await storeRest(video, path, BEGUN);
      isWhole(await encoded(video));
      expect(await foldersOf(video)).to.include(before);
      const whole = await uploadSource(harness, path);
      await requestEncode(harness, whole);
      await encoded(whole);
      expect(await picturesOf(video)).to.deep.equal(await picturesOf(whole));
    });

  it('a beginning that holds no whole piece is looked at again when there is twice as much of it', async () => {
    const path = join(folder, 'slow.mp4');
    await ffmpeg(...fragmented()(pathOf('plain')), path);
    const video = await storeHead(path, 0.25);
    const plans = 'SELECT plan FROM plans WHERE video_id = $1';
    await until(async () => (await harness.pool.query(plans, [video.videoId])).rows.length > 0, { what: 'a plan' });
    expect(await jobsOf(video, 'ready', 'running', 'done')).to.deep.equal(['inspect-head']);
    const count = countParts(video);
    await storeParts(harness, video, path, range(Math.ceil(count * 0.25), Math.ceil(count * BEGUN) + 1));
    await until(async () => (await piecesOf(video)).length > 0, { capMs: 60_000, what: 'a piece' });
    const before = await foldersOf(video);
    await storeRest(video, path, BEGUN);
    isWhole(await encoded(video));
    expect(await foldersOf(video)).to.include(before);
  });

  it('pieces are encoded again where a source does not last as long as its beginning declares', async () => {
    const path = join(folder, 'endless.mp4');
    await ffmpeg(...fragmented()(pathOf('plain')), path);
    const boxes = readBoxes(await readFile(path));
    // A thousand hours.
    boxOf(boxes, 'mvhd').body.writeUInt32BE(3_600_000_000, 16);
    await writeFile(path, writeBoxes(boxes));
    const video = await storeHead(path, BEGUN);
    await until(async () => (await piecesOf(video)).length > 0, { capMs: 60_000, what: 'a piece' });
    const before = new Set(Object.values(await foldersOf(video)));
    await storeRest(video, path, BEGUN);
    isWhole(await encoded(video));
    expect(Object.values(await foldersOf(video)).filter((folder) => before.has(folder))).to.deep.equal([]);
  });

  it('what was begun of a source ends with its video when the complete one is rejected', async () => {
    const path = pathOf('first');
    const broken = join(folder, 'broken.mp4');
    await ffmpeg('-i', path, '-c', 'copy', '-movflags', '+faststart', broken);
    await using file = await open(broken, 'r+');
    const { size } = await file.stat();
    const video = await storeHead(broken, BEGUN);
    await until(async () => (await piecesOf(video)).length > 0, { capMs: 60_000, what: 'a piece' });
    // The index names packets that are not stored: the fetch ends with fewer bytes than were announced.
    const cut = { ...video, sourceBytes: size - 1_000_000 };
    await storeManifest(harness, cut);
    await storeRest(video, broken, BEGUN);
    await requestInspect(harness, cut);
    const { subject, payload } = await waitForTerminalEvent(harness, video.videoId, 'inspect');
    expect([subject, payload['code']]).to.deep.equal(['transcode.inspect.failed.v1', 'source_corrupt']);
    await purgeFailed(harness, video.videoId);
    await until(async () => (await jobsOf(video, 'ready', 'running')).length === 0, { what: 'no job is left' });
    await until(async () => (await harness.keys(video.videoId)).length === 0, { what: 'nothing is left' });
  });
});
