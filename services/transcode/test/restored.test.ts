/** A database of transcode that was restored to an earlier moment, beside buckets and a catalog that were not. */
import { join } from 'node:path';
import { expect } from 'chai';
import { openObjects } from '@vds/chassis/objects/objects';
import { until } from '@vds/testkit/until';
import { readLadderFiles } from '../src/outbound/ladder-files.ts';
import { purgeLosers, transcode } from './catalog.ts';
import { download, fastH264, ffmpeg, makeFolder, measure, picture, removeFolder, tone } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';
import { playlistFaults } from './playlist-faults.ts';

const SECONDS = 3;
type Contents = Readonly<Record<string, string>>;

describe('a restored database of transcode', function () {
  this.timeout(60_000);
  let harness: Harness;
  let folder: string;
  let videoId: string;
  /** The key of the ladder that catalog uses, and of the one that the database has after its jobs ran again. */
  let used: string;
  let again: string;
  /** The objects before and after that. */
  let original: Contents;
  let present: Contents;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness();
    await harness.startWorker();
    await ffmpeg(
      ...picture('160x90', 25, SECONDS),
      ...tone(SECONDS),
      ...fastH264,
      ...['-c:a', 'aac', join(folder, 'clip.mp4')],
    );
    const video = await transcode(harness, join(folder, 'clip.mp4'));
    videoId = video.videoId;
    used = String(video.encoded['ladderKey']);
    original = await contents(harness, videoId);
    again = await encodeAgain(harness, videoId);
    present = await contents(harness, videoId);
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  it('jobs that run again write over nothing and remove nothing that the ladder in use names', async () => {
    expect(again).to.not.equal(used);
    expect(Object.fromEntries(Object.keys(original).map((key) => [key, present[key]]))).to.deep.equal(original);
    for (const ladderKey of [used, again])
      expect(Object.keys(present)).to.include.members([...(await filesOf(harness, ladderKey))]);
  });

  it('a purge of other attempts leaves the ladder that catalog uses whole, which plays to its end', async () => {
    const files = await filesOf(harness, used);
    const lost = `videos/${videoId}/1/audio.9-ffffffffffff/seg-00000.m4s`;
    await harness.media.client.putObject(harness.media.bucket, lost, 'x');
    await purgeLosers(harness, videoId, used);
    const left = await harness.keys(videoId);
    expect(left).to.include.members([...files]);
    expect(left).to.not.include(lost);
    const { folder: output, ladder } = await download(harness, videoId, used, join(folder, 'output'));
    expect(await playlistFaults(output, ladder)).to.deep.equal([]);
    for (const { playlist } of ladder.rungs)
      expect((await measure(join(output, playlist), 'v')).end).to.be.closeTo(SECONDS, 0.1);
    expect((await measure(join(output, ladder.audio?.playlist ?? ''), 'a')).end).to.be.closeTo(SECONDS, 0.1);
  });
});

/**
 * Puts the database back to a moment while the encode was running, when its jobs were at another fence than at the end,
 * and waits for the end.
 * @returns the key of the new ladder
 */
async function encodeAgain({ pool }: Harness, videoId: string): Promise<string> {
  await pool.query('DELETE FROM ladders WHERE video_id = $1', [videoId]);
  await pool.query('UPDATE job_results SET result = NULL, percent = 0 WHERE video_id = $1', [videoId]);
  const assembles = "stage = 'encode' AND video_id = $1 AND (name LIKE 'assemble%' OR name LIKE 'audio%')";
  await pool.query(`DELETE FROM chassis.jobs WHERE ${assembles}`, [videoId]);
  await pool.query(
    `UPDATE chassis.stages SET state = 'open', result = NULL, finished_at = NULL WHERE stage = 'encode' AND video_id = $1`,
    [videoId],
  );
  await pool.query(
    `UPDATE chassis.jobs SET state = 'ready', tries = 0, fence = CASE name WHEN 'sound' THEN 0 ELSE 4 END
     WHERE stage = 'encode' AND video_id = $1`,
    [videoId],
  );
  // The stream drops the event: its id is that of the first one.
  const ladderOf = async (): Promise<string | undefined> =>
    (await pool.query<{ key: string }>('SELECT ladder_key AS key FROM ladders WHERE video_id = $1', [videoId])).rows[0]
      ?.key;
  return until(ladderOf, { what: 'the encode has completed again', capMs: 45_000 });
}

/** When each object of a video was last written, by key. */
async function contents({ media, keys }: Harness, videoId: string): Promise<Contents> {
  const stats = (await keys(videoId)).map(async (key): Promise<[string, string]> => {
    const { lastModified, etag } = await media.client.statObject(media.bucket, key);
    return [key, `${lastModified.toISOString()} ${etag}`];
  });
  return Object.fromEntries(await Promise.all(stats));
}

/** The keys of everything that a ladder names. */
async function filesOf({ media }: Harness, ladderKey: string): Promise<readonly string[]> {
  const { endpoint: s3Endpoint, region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey } = media;
  const objects = openObjects({ s3Endpoint, s3Region, s3AccessKey, s3SecretKey }, media.bucket);
  return (await readLadderFiles(objects, ladderKey)).keys;
}
