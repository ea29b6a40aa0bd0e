/** Titles that are begun while their source is still being fetched: each picture shows its own number. */
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { requestEncode, requestInspect, waitForTerminalEvent } from './catalog.ts';
import { download, fastH264, ffmpeg, makeFolder, removeFolder } from './clips.ts';
import { openHarness, publisher, type Harness } from './harness.ts';
import { boxOf, readBoxes, trackOf, writeBoxes } from './odd-files/generators/mp4-boxes.ts';
import { numbered, range, readNumbers } from './numbered-clips.ts';
import { countParts, sourceOf, storeManifest, storeParts, uploadSource, type UploadedVideo } from './stored-source.ts';

const SECONDS = 24;
const RATE = 25;
const PIECES = 4;
/** Noise, so that pieces lie apart in the file. */
const args = [
  ...numbered(SECONDS, RATE, '640:360', ',noise=alls=30:allf=t'),
  ...[...fastH264, '-b:v', '10M', '-maxrate', '10M', '-bufsize', '5M', '-g', '50', '-c:a', 'aac'],
];
/** The share of the parts with which two of the pieces are there. */
const BEGUN = 0.7;
let messages = 0;

describe('a title that is begun while its source is fetched', function () {
  this.timeout(180_000);
  let harness: Harness;
  let folder: string;
  const files = new Map<string, string>();
  before(async () => {
    folder = await makeFolder();
    const [first, last, fragmented] = ['first.mp4', 'last.mp4', 'fragments.mp4'].map((name) => join(folder, name));
    await ffmpeg(...args, '-movflags', '+faststart', first!);
    await ffmpeg('-i', first!, '-c', 'copy', last!);
    await ffmpeg('-i', first!, '-c', 'copy', '-movflags', '+frag_keyframe+empty_moov', fragmented!);
    files.set('first', first!).set('last', last!).set('fragmented', fragmented!);
    harness = await openHarness({ WHOLE_BELOW: '10s', PIECE_LENGTH: '6s' });
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
    await harness
      .busOf('ingest')
      .publish(events.headStored, { ...video, publisherId: publisher }, `head-${++messages}-${video.videoId}`);
    return video;
  };
  const storeRest = async (video: UploadedVideo, path: string, share: number): Promise<void> => {
    const count = countParts(video);
    await storeParts(harness, video, path, range(Math.ceil(count * share), count - 1));
  };
  const earlyPieces = async ({ videoId }: UploadedVideo): Promise<string[]> => {
    const text = `SELECT job FROM job_results WHERE video_id = $1 AND result -> 'copied' IS NOT NULL ORDER BY job`;
    return (await harness.pool.query<{ job: string }>(text, [videoId])).rows.map(({ job }) => job);
  };
  const resultsOf = async ({ videoId }: UploadedVideo): Promise<string[]> => {
    const text = 'SELECT job FROM job_results WHERE video_id = $1 AND result IS NOT NULL';
    return (await harness.pool.query<{ job: string }>(text, [videoId])).rows.map(({ job }) => job);
  };
  const jobsOf = async ({ videoId }: UploadedVideo, stage: string, state: string): Promise<string[]> => {
    const text = 'SELECT name FROM chassis.jobs WHERE video_id = $1 AND stage = $2 AND state = $3 ORDER BY name';
    const { rows } = await harness.pool.query<{ name: string }>(text, [videoId, stage, state]);
    return rows.map(({ name }) => name);
  };
  const encoded = async (video: UploadedVideo): Promise<number[][]> => {
    await requestInspect(harness, video);
    const inspected = await waitForTerminalEvent(harness, video.videoId, 'inspect');
    expect(inspected.subject, JSON.stringify(inspected.payload)).to.contain('completed');
    await requestEncode(harness, video, SECONDS * 1_000);
    const { subject, payload } = await waitForTerminalEvent(harness, video.videoId, 'encode');
    expect(subject, JSON.stringify(payload)).to.contain('completed');
    const into = join(folder, video.videoId);
    const { ladder } = await download(harness, video.videoId, String(payload['ladderKey']), into);
    return Promise.all(ladder.rungs.map(({ playlist }) => readNumbers(join(into, playlist))));
  };
  const isWhole = (rungs: readonly number[][]): void => {
    expect(rungs).to.have.lengthOf(2);
    for (const numbers of rungs) expect(numbers).to.deep.equal(range(0, SECONDS * RATE));
  };

  for (const [name, where] of [
    ['first', 'beginning'],
    ['last', 'end'],
  ] as const)
    it(`pieces are encoded before the rest of a source is there, and not again: its index is at its ${where}`, async () => {
      const path = pathOf(name);
      const video = await storeHead(path, BEGUN);
      await until(async () => (await earlyPieces(video)).length >= 2, { capMs: 60_000, what: 'two pieces' });
      const [before] = [await earlyPieces(video)];
      expect(before).to.have.lengthOf.below(PIECES);
      await storeRest(video, path, BEGUN);
      isWhole(await encoded(video));
      const again = await jobsOf(video, 'encode', 'done');
      expect(again.filter((job) => before.includes(job))).to.deep.equal([]);
      expect(again).to.include('assemble');
    });

  it('all pieces of a source may be there before it was inspected', async () => {
    const path = pathOf('first');
    const video = await storeHead(path, 0.3);
    await storeRest(video, path, 0.3);
    await until(async () => (await earlyPieces(video)).length === PIECES, { capMs: 60_000, what: 'all pieces' });
    await until(async () => (await resultsOf(video)).includes('audio'), { capMs: 60_000, what: 'the sound' });
    isWhole(await encoded(video));
    expect(await jobsOf(video, 'encode', 'done')).to.have.members(['assemble', 'gather']);
    const [sound, ...more] = harness.of(video.videoId, 'audio.completed');
    expect([sound?.payload['hasAudio'], more]).to.deep.equal([true, []]);
    expect(String(sound?.payload['playlistKey'])).to.contain('/early-audio.');
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
    await until(async () => (await earlyPieces(video)).length > 0, { capMs: 60_000, what: 'a piece' });
    await storeRest(video, path, BEGUN);
    isWhole((await encoded(video)).map((numbers) => numbers.slice(0, SECONDS * RATE)));
    const again = await jobsOf(video, 'encode', 'done');
    expect(again).to.include('gather').and.not.include('piece-0');
  });

  it('a source that was fetched anew begins anew', async () => {
    const path = pathOf('first');
    const video = await storeHead(path, BEGUN);
    await until(async () => (await earlyPieces(video)).length > 0, { capMs: 60_000, what: 'a piece' });
    const other = { ...(await uploadSource(harness, path)), videoId: video.videoId };
    isWhole(await encoded(other));
    expect(await earlyPieces(video)).to.deep.equal([]);
  });

  it('a piece whose bytes are not those of the complete source is encoded again', async () => {
    const path = pathOf('first');
    const video = await storeHead(path, BEGUN);
    await until(async () => (await earlyPieces(video)).includes('piece-1'), {
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
    expect(await jobsOf(video, 'encode', 'done')).to.include('whole');
  });

  it('nothing is begun of a source without an index, and its video is made when it is complete', async () => {
    const path = pathOf('fragmented');
    const video = await storeHead(path, BEGUN);
    await until(async () => (await jobsOf(video, 'early', 'done')).includes('look'), { what: 'the look' });
    await storeRest(video, path, BEGUN);
    isWhole(await encoded(video));
    expect(await earlyPieces(video)).to.deep.equal([]);
  });

  it('what was begun of a source ends with it when the complete one is rejected', async () => {
    const path = pathOf('first');
    const broken = join(folder, 'broken.mp4');
    await ffmpeg('-i', path, '-c', 'copy', '-movflags', '+faststart', broken);
    await using file = await open(broken, 'r+');
    const { size } = await file.stat();
    const video = await storeHead(broken, BEGUN);
    await until(async () => (await earlyPieces(video)).length > 0, { capMs: 60_000, what: 'a piece' });
    // The index names packets that are not stored: the fetch ends with fewer bytes than were announced.
    const cut = { ...video, sourceBytes: size - 1_000_000 };
    await storeManifest(harness, cut);
    await storeRest(video, broken, BEGUN);
    await requestInspect(harness, cut);
    const { subject, payload } = await waitForTerminalEvent(harness, video.videoId, 'inspect');
    expect([subject, payload['code']]).to.deep.equal(['transcode.inspect.failed.v1', 'source_corrupt']);
    expect(await earlyPieces(video)).to.deep.equal([]);
    await until(async () => (await jobsOf(video, 'early', 'running')).length === 0, { what: 'no early job' });
    expect(await jobsOf(video, 'early', 'ready')).to.deep.equal([]);
  });
});
