/** A database of transcode that was restored to an earlier moment, beside buckets and a catalog that were not. */
import { join } from 'node:path';
import { expect } from 'chai';
import { openObjects } from '@vds/chassis/objects/objects';
import { until } from '@vds/testkit/until';
import { readLadderFiles } from '../src/outbound/ladder-files.ts';
import { transcode } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { openHarness, type Harness } from './harness.ts';

type Ladder = { readonly ladder_key: string };

describe('a restored database of transcode', function () {
  this.timeout(60_000);
  let harness: Harness;
  let folder: string;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness();
    await harness.startWorker();
    await ffmpeg(...picture('160x90', 25, 3), ...tone(3), ...fastH264, '-c:a', 'aac', join(folder, 'clip.mp4'));
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  it('jobs that run again write over nothing and remove nothing that the ladder in use names', async () => {
    const { pool, media } = harness;
    const { videoId, encoded } = await transcode(harness, join(folder, 'clip.mp4'));
    const before = await contents(harness, videoId);
    // What the database was like while the encode was running, when its jobs were at another fence than at the end.
    await pool.query('DELETE FROM ladders WHERE video_id = $1', [videoId]);
    await pool.query('UPDATE job_results SET result = NULL, percent = 0 WHERE video_id = $1', [videoId]);
    const assembles = "stage = 'encode' AND video_id = $1 AND name LIKE 'assemble%'";
    await pool.query(`DELETE FROM chassis.jobs WHERE ${assembles}`, [videoId]);
    await pool.query(
      `UPDATE chassis.stages SET state = 'open', result = NULL, finished_at = NULL WHERE stage = 'encode' AND video_id = $1`,
      [videoId],
    );
    await pool.query(
      `UPDATE chassis.jobs SET state = 'ready', tries = 0, fence = CASE name WHEN 'audio' THEN 0 ELSE 4 END
       WHERE stage = 'encode' AND video_id = $1`,
      [videoId],
    );
    // The stream drops the event: its id is that of the first one.
    const again = await until(
      async () => (await pool.query<Ladder>('SELECT ladder_key FROM ladders WHERE video_id = $1', [videoId])).rows[0],
      { what: 'the encode has completed again', capMs: 45_000 },
    );
    expect(again.ladder_key).to.not.equal(encoded['ladderKey']);
    const after = await contents(harness, videoId);
    expect(Object.fromEntries(Object.keys(before).map((key) => [key, after[key]]))).to.deep.equal(before);
    const objects = openObjects(
      {
        s3Endpoint: media.endpoint,
        s3Region: media.region,
        s3AccessKey: media.accessKey,
        s3SecretKey: media.secretKey,
      },
      media.bucket,
    );
    for (const ladderKey of [encoded['ladderKey'], again.ladder_key])
      expect(Object.keys(after)).to.include.members([...(await readLadderFiles(objects, String(ladderKey))).keys]);
  });
});

/** When each object of a video was last written, by key. */
async function contents({ media, keys }: Harness, videoId: string): Promise<Record<string, string>> {
  const stats = (await keys(videoId)).map(async (key): Promise<[string, string]> => {
    const { lastModified, etag } = await media.client.statObject(media.bucket, key);
    return [key, `${lastModified.toISOString()} ${etag}`];
  });
  return Object.fromEntries(await Promise.all(stats));
}
