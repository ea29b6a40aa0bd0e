/** Files that a purge of other attempts keeps. */
import { expect } from 'chai';
import { openObjects } from '@vds/chassis/objects/objects';
import { orphanedKeys } from '@vds/chassis/stage/orphaned-objects';
import { until } from '@vds/testkit/until';
import { finishTrack, openJob, planFor, unknownCapabilities } from '../src/domain/caption-job.ts';
import { purgeOf } from '../src/outbound/purge.ts';
import { saveJob } from '../src/outbound/caption-rows.ts';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { publishRequest, requestFor, terminalEvent, purge, stateOf, statusCounts } from './catalog.ts';
import { usualOutcome, withServers, type WithServers } from './with-servers.ts';

describe('purge of captions', function () {
  this.timeout(90_000);
  let setup: WithServers;
  before(async () => void (setup = await withServers()));

  /** Waits for the collection of lost files. */
  const collected = (videoId: string): Promise<unknown> => {
    const text = `SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND state = 'done' AND name LIKE 'collect-%'`;
    const isCollected = async () => (await setup.harness.pool.query(text, [videoId])).rowCount === 1;
    return until(isCollected, { what: 'the collection of lost files' });
  };

  /**
   * Captions of which Spanish was made again on a database that was restored to an earlier moment.
   * @returns the keys of all objects, and of the Spanish documents that catalog uses
   */
  const restored = async () => {
    const { videoId, state } = await setup.makeCaptions();
    await collected(videoId);
    const keys = await setup.harness.keys(videoId);
    const track = state.tracks?.find(({ language }) => language === 'es');
    const captionKeys = [track?.playlistKey ?? '', track?.textKey ?? ''];
    const folder = captionKeys[0]?.split('/').at(-2) ?? '';
    await setup.harness.pool.query(
      `UPDATE caption_jobs SET state = replace(state::text, $2, 'again.1-ffffffffffff')::jsonb WHERE video_id = $1`,
      [videoId, folder],
    );
    return { videoId, keys, captionKeys, isSpanish: (key: string): boolean => key.includes(`/${folder}/`) };
  };

  it('a purge of other attempts keeps the tracks that catalog uses, whichever the row names', async () => {
    const { videoId, keys, captionKeys } = await restored();
    await purge(setup.harness, videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', 1, captionKeys);
    await until(() => setup.harness.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await setup.harness.keys(videoId)).to.have.members(keys);
  });

  it('the collection of lost files keeps the tracks that catalog uses, whichever the row names', async () => {
    const { videoId, keys, captionKeys, isSpanish } = await restored();
    const { pool } = setup.harness;
    const ofVideo = `FROM chassis.jobs WHERE video_id = $1 AND name LIKE 'collect-%'`;
    const runs = async () =>
      (await pool.query<{ fence: number }>(`SELECT fence ${ofVideo}`, [videoId])).rows[0]?.fence ?? 0;
    const before = await runs();
    setup.harness.videosInUse.set(videoId, { captionKeys });
    await pool.query(`UPDATE chassis.jobs SET state = 'ready', finished_at = NULL WHERE id IN (SELECT id ${ofVideo})`, [
      videoId,
    ]);
    await until(async () => (await runs()) >= before + 2, { what: 'the collection waits, and has looked twice' });
    expect(await setup.harness.keys(videoId)).to.have.members(keys);
    // Once catalog has taken what was made again.
    setup.harness.videosInUse.delete(videoId);
    await collected(videoId);
    expect(await setup.harness.keys(videoId)).to.have.members(keys.filter((key) => !isSpanish(key)));
  });

  it('a purge of other attempts keeps the files of running jobs in the current attempt', async () => {
    const before = setup.engines.count('speech');
    const request = await setup.newRequest();
    const { videoId } = request;
    const release = setup.engines.hold('speech');
    await publishRequest(setup.harness, request);
    await until(() => setup.engines.count('speech') > before, { what: 'it is being transcribed' });
    const [ours, lost] = [`videos/${videoId}/1/transcribe-0-0.1/part`, `videos/${videoId}/1/render-0.1/part`];
    for (const key of [ours, lost])
      await setup.harness.captions.client.putObject(setup.harness.captions.bucket, key, 'x');
    await purge(setup.harness, videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', 1);
    await until(() => setup.harness.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await setup.harness.keys(videoId)).to.deep.equal([ours]);
    release();
    expect(statusCounts(stateOf(await terminalEvent(setup.harness, videoId)))).to.deep.equal(usualOutcome);
  });

  /** Captions in which Spanish was made twice, the second time so many seconds ago; the first time took two tries. */
  const replaced = async (secondsAgo: number): Promise<string> => {
    const { pool } = setup.harness;
    const columns = { language: 'en', publisherId: 'p', stageRevision: 0, soundCues: false, names: [] };
    const request = { ...requestFor(newVideoId(), 'a/index.m3u8'), ...columns };
    const planned = planFor(request, ['es'], unknownCapabilities);
    const folder = `videos/${request.videoId}/1/translate-1-es.1`;
    const made = { status: 'ready', playlistKey: `${folder}/index.m3u8`, textKey: `${folder}/track.json` } as const;
    await saveJob(pool, finishTrack(openJob(request, planned), 0, 'es', made));
    const row = `INSERT INTO chassis.jobs (stage, queue, video_id, attempt, name, state, fence, finished_at)
      VALUES ('captions', 'translate', $1, 1, $2, 'done', $3, now() - $4 * interval '1 second')`;
    await pool.query(row, [request.videoId, 'translate-0-es', 2, 3_600]);
    await pool.query(row, [request.videoId, 'translate-1-es', 1, secondsAgo]);
    // Of an outdated generation, which replaced nothing.
    await pool.query(row, [request.videoId, 'translate-2-es', 1, 0]);
    return request.videoId;
  };

  it('a purge of other attempts keeps a recently replaced track, which players may still read', async () => {
    const { bucket, endpoint, region, accessKey, secretKey } = setup.harness.captions;
    const server = { s3Endpoint: endpoint, s3Region: region, s3AccessKey: accessKey, s3SecretKey: secretKey };
    const captions = openObjects(server, bucket);
    const client = setup.harness.pool;
    const { findWinners = expect.fail('nothing is kept') } = purgeOf({ captions, garbageAfterMs: 60_000 });
    const removed = async (secondsAgo: number): Promise<string[]> => {
      const videoId = await replaced(secondsAgo);
      const folders = ['translate-0-es.1', 'translate-0-es.2', 'translate-1-es.1'];
      const keys = folders.map((folder) => `videos/${videoId}/1/${folder}/index.m3u8`);
      for (const key of keys) await captions.putBytes(key, '', { contentType: 'text/plain' });
      const lost = await orphanedKeys({ objects: captions, client, findWinners }, { videoId, attempt: 1 });
      return folders.filter((_folder, index) => lost?.has(keys[index] ?? ''));
    };
    expect(await removed(30)).to.deep.equal(['translate-0-es.1']);
    expect(await removed(90)).to.deep.equal(['translate-0-es.1', 'translate-0-es.2']);
  });
});
