/** The stages' contract with the other services: events, RPC responses, repeated requests, crashes and purges. */
import { join } from 'node:path';
import { expect } from 'chai';
import { transcode as contract } from '@vds/proto';
import { events } from '@vds/proto/events';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { endAtWork, released, runningIn } from '@vds/testkit/harness/end-at-work';
import { until } from '@vds/testkit/until';
import { askEncode, askInspect, lastWord, transcode, uploadSource } from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { openHouse, type House, type Worker } from './harness.ts';

async function ladderOf(worker: Worker, videoId: string) {
  const tls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
  const client = rpcClient(contract.TranscodeService, {
    target: `127.0.0.1:${worker.ports.rpc}`,
    config: { rpcToken: tokenOf('playback'), ...tls },
  });
  try {
    return await client.GetLadder({ videoId });
  } finally {
    await client.close();
  }
}

function reasonOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

describe('transcode', function () {
  this.timeout(90_000);
  let house: House;
  let folder: string;
  let worker: Worker;
  const at = (name: string): string => join(folder, name);
  before(async () => {
    folder = await makeFolder();
    house = await openHouse({ WORK_LEASE: '3s', WORK_RENEW: '1s', PURGE_AGAIN_AFTER: '1h' });
    worker = await house.startWorker();
    await ffmpeg(...picture('160x90', 25, 3), ...tone(3), ...fastH264, '-c:a', 'aac', at('short.mp4'));
    await ffmpeg(...picture('480x270', 25, 110), ...fastH264, at('long.mp4'));
  });
  after(async () => {
    await house?.close();
    await removeFolder(folder);
  });

  it('says each word once, in order, and answers with the ladder', async () => {
    const { videoId, encoded } = await transcode(house, at('short.mp4'));
    const words = house.published.filter(({ payload }) => payload['videoId'] === videoId).map(({ subject }) => subject);
    expect(words.filter((word) => !word.includes('progressed'))).to.deep.equal([
      'transcode.inspect.started.v1',
      'transcode.inspect.completed.v1',
      'transcode.encode.started.v1',
      'transcode.audio.completed.v1',
      'transcode.encode.completed.v1',
    ]);
    const ladder = await ladderOf(worker, videoId);
    expect(ladder).to.deep.include({ videoId, attempt: 1, ladderKey: encoded['ladderKey'], durationMs: 3_008 });
    expect(encoded).to.include({ hasAudio: true, audioPlaylistKey: ladder?.audio?.playlistKey });
    expect(ladder?.rungs?.map((rung) => [rung.name, rung.frameRate])).to.deep.equal([['90p', 25]]);
    const keys = await house.keys(videoId);
    expect(keys).to.include.members([ladder?.ladderKey, ladder?.thumbnailKey, ladder?.audio?.playlistKey]);
    expect(house.of(videoId, 'audio.completed')[0]?.payload).to.include({ playlistKey: ladder?.audio?.playlistKey });
  });

  it('repeats its last word when it is asked again, and does nothing twice', async () => {
    const { videoId, ...title } = await transcode(house, at('short.mp4'));
    const keys = await house.keys(videoId);
    await askEncode(house, { videoId, ...title });
    await askInspect(house, { videoId, ...title });
    await until(
      () => house.of(videoId, 'encode.completed').length === 2 && house.of(videoId, 'inspect.completed').length === 2,
      {
        what: 'both last words come again',
      },
    );
    const [first, second] = house.of(videoId, 'encode.completed');
    expect(second?.payload).to.deep.equal(first?.payload);
    expect(await house.keys(videoId)).to.deep.equal(keys);
  });

  it('looks at the source once more where its plan is lost', async () => {
    const title = await uploadSource(house, at('short.mp4'));
    await askEncode(house, title);
    expect((await lastWord(house, title.videoId, 'encode')).subject).to.equal('transcode.encode.completed.v1');
    expect(house.of(title.videoId, 'audio.completed')).to.have.length(1);
  });

  it('is not known to strangers', async () => {
    const error: unknown = await ladderOf(worker, 'nobody').catch((thrown: unknown) => thrown);
    expect(reasonOf(error)).to.equal('NOT_FOUND');
  });

  const encoding = async () => {
    const title = await uploadSource(house, at('long.mp4'));
    await askInspect(house, title);
    await lastWord(house, title.videoId, 'inspect');
    await askEncode(house, title);
    await until(async () => (await house.keys(title.videoId)).some((key) => key.endsWith('.m4s')), {
      what: 'a first segment is stored while the rest is encoded',
    });
    return title;
  };

  it('stops at once when the video is cancelled, and says no more of it', async () => {
    const { videoId } = await encoding();
    await house.bus.publish(events.videoCancelled, { videoId }, `cancel-${videoId}`);
    await until(
      async () => {
        const metrics = await house.pool.query("SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND state = 'running'", [
          videoId,
        ]);
        return metrics.rowCount === 0;
      },
      { what: 'no job of the video runs' },
    );
    // A segment that was being uploaded at the signal may still be stored; nothing is after it.
    let before = -1;
    const landed = async (): Promise<boolean> => {
      const earlier = before;
      before = (await house.keys(videoId)).length;
      return before === earlier;
    };
    await until(landed, { what: 'the last segment has landed', everyMs: 1_000 });
    const { videoId: other } = await transcode(house, at('short.mp4'));
    expect(house.of(other, 'encode.completed')).to.have.length(1);
    expect((await house.keys(videoId)).length).to.equal(before);
    expect([...house.of(videoId, 'encode.completed'), ...house.of(videoId, 'encode.failed')]).to.deep.equal([]);
  });

  it('removes all that it keeps of a video, also while it is encoding, and refuses it from then on', async () => {
    const title = await encoding();
    const { videoId } = title;
    const purge = { videoId, scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0, owners: ['ingest', 'transcode'] };
    await house.bus.publish(events.purgeRequested, purge, `purge-${videoId}`);
    await until(() => house.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    await until(async () => (await house.keys(videoId)).length === 0, { what: 'nothing comes after it' });
    for (const table of ['chassis.stages', 'plans', 'job_results', 'ladders'])
      expect((await house.pool.query(`SELECT 1 FROM ${table} WHERE video_id = $1`, [videoId])).rowCount).to.equal(0);
    await askInspect(house, title);
    await house.bus.publish(events.purgeRequested, purge, `purge-again-${videoId}`);
    await until(() => house.of(videoId, 'video.purged').length === 2, { what: 'a repeated purge is confirmed again' });
    expect((await house.pool.query('SELECT 1 FROM chassis.stages WHERE video_id = $1', [videoId])).rowCount).to.equal(
      0,
    );
    const late = await house.pool.query(
      "SELECT run_after > now() + interval '50 min' AS later FROM chassis.jobs WHERE name = 'PURGE_SCOPE_VIDEO-0-final-sweep'",
    );
    expect(late.rows).to.deep.equal([{ later: true }]);
  });

  it('removes earlier attempts and leaves the one that is kept, and what a later retry makes', async () => {
    const { videoId } = await transcode(house, at('short.mp4'));
    const { client, bucket } = house.media;
    await client.putObject(bucket, `videos/${videoId}/0/assemble.1/ladder.json`, '{}');
    await client.putObject(bucket, `videos/${videoId}/2/assemble.1/ladder.json`, '{}');
    const kept = (await house.keys(videoId)).filter((key) => !key.startsWith(`videos/${videoId}/0/`));
    const purge = { videoId, scope: 'PURGE_SCOPE_OTHER_ATTEMPTS' as const, keepAttempt: 1, owners: ['transcode'] };
    await house.bus.publish(events.purgeRequested, purge, `others-${videoId}`);
    await until(() => house.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    expect(await house.keys(videoId)).to.deep.equal(kept);
    expect((await ladderOf(worker, videoId)).attempt).to.equal(1);
  });

  it('gives what it encodes back at SIGTERM at no cost of a try, and another process takes it up', async () => {
    const { videoId } = await encoding();
    const { code, ms, jobs } = await endAtWork(house.pool, videoId, worker.process);
    expect(code).to.equal(0);
    expect(ms).to.be.below(10_000);
    expect(jobs.filter(({ state }) => state !== 'done')).to.not.be.empty;
    for (const job of jobs.filter(({ state }) => state !== 'done')) expect(job).to.deep.equal(released);
    worker = await house.startWorker();
    await until(async () => (await runningIn(house.pool, videoId)).length > 0, { what: 'it is encoded again' });
    await house.bus.publish(events.videoCancelled, { videoId }, `cancel-${videoId}`);
  });

  it('lets another process finish what one that was killed had begun', async () => {
    const second = await house.startWorker({ ENCODE_SLOTS: '0' });
    const title = await uploadSource(house, at('long.mp4'));
    await askInspect(house, title);
    await lastWord(house, title.videoId, 'inspect');
    await askEncode(house, title);
    await until(async () => (await house.keys(title.videoId)).length > 3, { what: 'encoding has begun' });
    worker.process.kill('SIGKILL');
    second.process.kill('SIGTERM');
    worker = await house.startWorker();
    const { payload } = await lastWord(house, title.videoId, 'encode', 80_000);
    const { rows } = await house.pool.query<{ fence: number }>(
      "SELECT fence FROM chassis.jobs WHERE video_id = $1 AND name = 'piece-0'",
      [title.videoId],
    );
    expect(rows[0]?.fence).to.be.greaterThan(1);
    expect(payload['ladderKey']).to.match(/ladder\.json$/);
    expect((await house.keys(title.videoId)).filter((key) => key.includes('/piece-0.1/'))).to.deep.equal([]);
    const percents = house.of(title.videoId, 'encode.progressed').map(({ payload: said }) => Number(said['percent']));
    expect(percents).to.deep.equal([...percents].sort((a, b) => a - b));
    expect(percents.length).to.be.greaterThan(0);
  });
});
