/** Purges: of all data of a video, or of the files of earlier attempts and lost tries. */
import { expect } from 'chai';
import { openObjects } from '@vds/chassis/objects/objects';
import { until } from '@vds/testkit/until';
import { settleTrack, openJob, planFor } from '../src/domain/caption-job.ts';
import { purgeOf } from '../src/inbound/collect-garbage.ts';
import { saveJob } from '../src/outbound/caption-rows.ts';
import { newVideoId } from '@vds/testkit/harness/stand-in-catalog';
import { ask, asking, lastWord, purge, stateIn, tally } from './catalog.ts';
import { refusal, tracksOf } from './clients.ts';
import type { Worker } from './harness.ts';
import { allMade, withServers, type WithServers } from './with-servers.ts';

describe('a purge of captions', function () {
  this.timeout(90_000);
  let at: WithServers;
  let worker: Worker;
  before(async () => {
    at = await withServers();
    worker = at.workers()[0] ?? expect.fail('no replica');
  });

  it('removes all that it keeps of a video, also in the middle of it, and refuses it from then on', async () => {
    const before = at.engines.count('translation');
    const asked = await at.title();
    const { videoId } = asked;
    await ask(at.house, asked);
    const hasTracks = async () => at.engines.count('translation') > before && (await at.house.keys(videoId)).length > 0;
    await until(hasTracks, { what: 'it is being translated', everyMs: 5 });
    await at.house.captions.client.initiateNewMultipartUpload(
      at.house.captions.bucket,
      `videos/${videoId}/1/x.1/y`,
      {},
    );
    await purge(at.house, videoId, 'PURGE_SCOPE_VIDEO');
    await until(() => at.house.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await at.house.keys(videoId)).to.deep.equal([]);
    expect(await at.house.uploads(videoId)).to.deep.equal([]);
    for (const table of ['caption_jobs', 'transcribed_chunks'])
      expect(await at.rows(table, videoId), table).to.equal(0);
    const kept = await at.house.pool.query('SELECT video_id FROM chassis.tombstones WHERE video_id = $1', [videoId]);
    expect(kept.rowCount).to.equal(1);
    await ask(at.house, asked);
    await purge(at.house, videoId, 'PURGE_SCOPE_VIDEO');
    await until(() => at.house.of(videoId, 'video.purged').length === 2, {
      what: 'a repeated purge is confirmed again',
    });
    expect(await at.rows('caption_jobs', videoId)).to.equal(0);
    expect(await refusal(tracksOf(worker, videoId))).to.equal('NOT_FOUND');
  });

  it('removes earlier attempts and what was lost, and leaves the attempt that is kept', async () => {
    const { videoId, state } = await at.made();
    const kept = await at.house.keys(videoId);
    for (const lost of ['0/render-0.1/track.json', '1/translate-0-es.9/index.m3u8', '2/render-0.1/track.json'])
      await at.house.captions.client.putObject(at.house.captions.bucket, `videos/${videoId}/${lost}`, '{}');
    await purge(at.house, videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', 1);
    await until(() => at.house.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await at.house.keys(videoId)).to.have.members([...kept, `videos/${videoId}/2/render-0.1/track.json`]);
    expect(await tracksOf(worker, videoId)).to.deep.include({ state });
  });

  it('spares what is being made in the attempt that is kept', async () => {
    const before = at.engines.count('speech');
    const asked = await at.title();
    const { videoId } = asked;
    const go = at.engines.hold('speech');
    await ask(at.house, asked);
    await until(() => at.engines.count('speech') > before, { what: 'it is being heard' });
    const [ours, lost] = [`videos/${videoId}/1/transcribe-0-0.1/part`, `videos/${videoId}/1/render-0.1/part`];
    for (const key of [ours, lost]) await at.house.captions.client.putObject(at.house.captions.bucket, key, 'x');
    await purge(at.house, videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', 1);
    await until(() => at.house.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await at.house.keys(videoId)).to.deep.equal([ours]);
    go();
    expect(tally(stateIn(await lastWord(at.house, videoId)))).to.deep.equal(allMade);
  });

  /** Captions in which Spanish was made twice, the second time so many seconds ago; the first time took two tries. */
  const replaced = async (secondsAgo: number): Promise<string> => {
    const { pool } = at.house;
    const asked = { ...asking(newVideoId(), 'a/index.m3u8'), language: 'en', publisherId: 'p', stageRevision: 0 };
    const planned = planFor(asked, ['es'], { speechLanguages: undefined, routes: undefined });
    const folder = `videos/${asked.videoId}/1/translate-1-es.1`;
    const made = { status: 'ready', playlistKey: `${folder}/index.m3u8`, textKey: `${folder}/track.json` } as const;
    await saveJob(pool, settleTrack(openJob(asked, planned), 0, 'es', made));
    const row = `INSERT INTO chassis.jobs (stage, queue, video_id, attempt, name, state, fence, finished_at)
      VALUES ('captions', 'translate', $1, 1, $2, 'done', $3, now() - $4 * interval '1 second')`;
    await pool.query(row, [asked.videoId, 'translate-0-es', 2, 3_600]);
    await pool.query(row, [asked.videoId, 'translate-1-es', 1, secondsAgo]);
    // Of an outdated generation, which replaced nothing.
    await pool.query(row, [asked.videoId, 'translate-2-es', 1, 0]);
    return asked.videoId;
  };

  it('leaves a player in the middle of a track that was replaced the time to read on', async () => {
    const { bucket, endpoint, region, accessKey, secretKey } = at.house.captions;
    const server = { s3Endpoint: endpoint, s3Region: region, s3AccessKey: accessKey, s3SecretKey: secretKey };
    const captions = openObjects(server, bucket);
    const { alsoRemoves } = purgeOf({ captions, pool: at.house.pool, garbageAfterMs: 60_000 });
    const removed = async (secondsAgo: number): Promise<string[]> => {
      const videoId = await replaced(secondsAgo);
      const folders = ['translate-0-es.1', 'translate-0-es.2', 'translate-1-es.1'];
      const keys = folders.map((folder) => `videos/${videoId}/1/${folder}/index.m3u8`);
      for (const key of keys) await captions.putBytes(key, '', { contentType: 'text/plain' });
      const test = await alsoRemoves?.(
        { videoId, scope: 'PURGE_SCOPE_OTHER_ATTEMPTS', keepAttempt: 1, upTo: 1 },
        at.house.pool,
      );
      return folders.filter((_folder, index) => test?.(keys[index] ?? '', 1));
    };
    expect(await removed(30)).to.deep.equal(['translate-0-es.1']);
    expect(await removed(90)).to.deep.equal(['translate-0-es.1', 'translate-0-es.2']);
  });
});
