/** The stages' contract with the other services: events, RPC responses, repeated requests, crashes and purges. */
import { join } from 'node:path';
import { expect } from 'chai';
import { transcode as contract } from '@vds/proto';
import { events } from '@vds/proto/events';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { terminateDuringWork, released, runningIn } from '@vds/testkit/harness/terminate-during-work';
import { until } from '@vds/testkit/until';
import {
  purgeLosers,
  requestEncode,
  requestInspect,
  waitForTerminalEvent,
  transcode,
  uploadSource,
} from './catalog.ts';
import { fastH264, ffmpeg, makeFolder, picture, removeFolder, tone } from './clips.ts';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { openHarness, type Harness, type Worker } from './harness.ts';

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

describe('transcode service', function () {
  this.timeout(90_000);
  let harness: Harness;
  let folder: string;
  let worker: Worker;
  const at = (name: string): string => join(folder, name);
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({ TIME_SCALE: '0.05,purgeAgain=1h' });
    worker = await harness.startWorker();
    await ffmpeg(...picture('160x90', 25, 3), ...tone(3), ...fastH264, '-c:a', 'aac', at('short.mp4'));
    await ffmpeg(...picture('480x270', 25, 110), ...fastH264, at('long.mp4'));
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  it('each event of a video is published once, in order, and GetLadder returns the ladder', async () => {
    const { videoId, encoded } = await transcode(harness, at('short.mp4'));
    const subjects = harness.published
      .filter(({ payload }) => payload['videoId'] === videoId)
      .map(({ subject }) => subject);
    expect(subjects.filter((subject) => !subject.includes('progressed'))).to.deep.equal([
      'transcode.inspect.started.v1',
      'transcode.inspect.completed.v1',
      'transcode.encode.started.v1',
      'transcode.audio.completed.v1',
      'transcode.encode.completed.v1',
    ]);
    const ladder = await ladderOf(worker, videoId);
    expect(ladder).to.deep.include({ videoId, attempt: 1, ladderKey: encoded['ladderKey'], durationMs: 3_000 });
    expect(encoded).to.include({ hasAudio: true, audioPlaylistKey: ladder?.audio?.playlistKey });
    expect(ladder?.rungs?.map((rung) => [rung.name, rung.frameRate])).to.deep.equal([['90p', 25]]);
    const keys = await harness.keys(videoId);
    expect(keys).to.include.members([ladder?.ladderKey, ladder?.thumbnailKey, ladder?.audio?.playlistKey]);
    expect(harness.of(videoId, 'audio.completed')[0]?.payload).to.include({ playlistKey: ladder?.audio?.playlistKey });
  });

  it('a repeated request republishes the terminal event and does no work twice', async () => {
    const { videoId, ...video } = await transcode(harness, at('short.mp4'));
    const keys = await harness.keys(videoId);
    await requestEncode(harness, { videoId, ...video });
    await requestInspect(harness, { videoId, ...video });
    await until(
      () =>
        harness.of(videoId, 'encode.completed').length === 2 && harness.of(videoId, 'inspect.completed').length === 2,
      {
        what: 'both terminal events are republished',
      },
    );
    const [first, second] = harness.of(videoId, 'encode.completed');
    expect(second?.payload).to.deep.equal(first?.payload);
    expect(await harness.keys(videoId)).to.deep.equal(keys);
  });

  it('an encode request of an inspected source without a plan inspects it again', async () => {
    const video = await uploadSource(harness, at('short.mp4'));
    await requestEncode(harness, video, 1_000);
    expect((await waitForTerminalEvent(harness, video.videoId, 'encode')).subject).to.equal(
      'transcode.encode.completed.v1',
    );
    expect(harness.of(video.videoId, 'audio.completed')).to.have.length(1);
  });

  it('GetLadder of an unknown video is NOT_FOUND', async () => {
    const error: unknown = await ladderOf(worker, 'nobody').catch((thrown: unknown) => thrown);
    expect(reasonOf(error)).to.equal('NOT_FOUND');
  });

  const encoding = async () => {
    const video = await uploadSource(harness, at('long.mp4'));
    await requestInspect(harness, video);
    await waitForTerminalEvent(harness, video.videoId, 'inspect');
    await requestEncode(harness, video);
    await until(async () => (await harness.keys(video.videoId)).some((key) => key.endsWith('.m4s')), {
      what: 'a first segment is stored while the rest is encoded',
    });
    return video;
  };

  it('a cancelled encode stops at once and publishes no terminal event', async () => {
    const { videoId } = await encoding();
    await harness.bus.publish(events.videoCancelled, { videoId }, `cancel-${videoId}`);
    await until(
      async () => {
        const running = await harness.pool.query(
          "SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND state = 'running'",
          [videoId],
        );
        return running.rowCount === 0;
      },
      { what: 'no job of the video runs' },
    );
    // A segment that was being uploaded at the signal may still be stored; nothing is after it.
    let before = -1;
    const landed = async (): Promise<boolean> => {
      const earlier = before;
      before = (await harness.keys(videoId)).length;
      return before === earlier;
    };
    await until(landed, { what: 'the last segment has landed', everyMs: 1_000 });
    const { videoId: other } = await transcode(harness, at('short.mp4'));
    expect(harness.of(other, 'encode.completed')).to.have.length(1);
    expect((await harness.keys(videoId)).length).to.equal(before);
    expect([...harness.of(videoId, 'encode.completed'), ...harness.of(videoId, 'encode.failed')]).to.deep.equal([]);
  });

  it('a purge removes everything of a video, even while it is encoded, and later requests are rejected', async () => {
    const video = await encoding();
    const { videoId } = video;
    const purge = { videoId, scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0, owners: ['ingest', 'transcode'] };
    await harness.bus.publish(events.purgeRequested, purge, `purge-${videoId}`);
    await until(() => harness.of(videoId, 'video.purged')[0], { what: 'the purge is confirmed' });
    await until(async () => (await harness.keys(videoId)).length === 0, { what: 'nothing comes after it' });
    for (const table of ['chassis.stages', 'plans', 'job_results', 'ladders'])
      expect((await harness.pool.query(`SELECT 1 FROM ${table} WHERE video_id = $1`, [videoId])).rowCount).to.equal(0);
    await requestInspect(harness, video);
    await harness.bus.publish(events.purgeRequested, purge, `purge-again-${videoId}`);
    await until(() => harness.of(videoId, 'video.purged').length === 2, {
      what: 'a repeated purge is confirmed again',
    });
    expect((await harness.pool.query('SELECT 1 FROM chassis.stages WHERE video_id = $1', [videoId])).rowCount).to.equal(
      0,
    );
    const late = await harness.pool.query(
      "SELECT run_after > now() + interval '50 min' AS later FROM chassis.jobs WHERE name LIKE 'PURGE_SCOPE_VIDEO-0-final-sweep-%'",
    );
    expect(late.rows).to.deep.equal([{ later: true }]);
  });

  it('a purge of other attempts removes earlier ones and keeps the given one and later retries', async () => {
    const { videoId } = await transcode(harness, at('short.mp4'));
    const { client, bucket } = harness.media;
    await client.putObject(bucket, `videos/${videoId}/0/assemble.1/ladder.json`, '{}');
    await client.putObject(bucket, `videos/${videoId}/2/assemble.1/ladder.json`, '{}');
    const kept = (await harness.keys(videoId)).filter((key) => !key.startsWith(`videos/${videoId}/0/`));
    await purgeLosers(harness, videoId);
    expect(await harness.keys(videoId)).to.deep.equal(kept);
    expect((await ladderOf(worker, videoId)).attempt).to.equal(1);
  });

  it('SIGTERM releases running encode jobs without counting a try, and another process resumes them', async () => {
    const { videoId } = await encoding();
    const { code, ms, jobs } = await terminateDuringWork(harness.pool, videoId, worker.process);
    expect(code).to.equal(0);
    expect(ms).to.be.below(10_000);
    expect(jobs.filter(({ state }) => state !== 'done')).to.not.be.empty;
    for (const job of jobs.filter(({ state }) => state !== 'done')) expect(job).to.deep.equal(released);
    worker = await harness.startWorker();
    await until(async () => (await runningIn(harness.pool, videoId)).length > 0, { what: 'it is encoded again' });
    await harness.bus.publish(events.videoCancelled, { videoId }, `cancel-${videoId}`);
  });

  it('another process finishes the encode of a process that was killed', async () => {
    const second = await harness.startWorker({ ENCODE_SLOTS: '0' });
    const video = await uploadSource(harness, at('long.mp4'));
    await requestInspect(harness, video);
    await waitForTerminalEvent(harness, video.videoId, 'inspect');
    await requestEncode(harness, video);
    await until(async () => (await harness.keys(video.videoId)).length > 3, { what: 'encoding has begun' });
    worker.process.kill('SIGKILL');
    second.process.kill('SIGTERM');
    worker = await harness.startWorker();
    const { payload } = await waitForTerminalEvent(harness, video.videoId, 'encode', 80_000);
    const { rows } = await harness.pool.query<{ fence: number }>(
      "SELECT fence FROM chassis.jobs WHERE video_id = $1 AND name = 'piece-0'",
      [video.videoId],
    );
    expect(rows[0]?.fence).to.be.greaterThan(1);
    expect(payload['ladderKey']).to.match(/ladder\.json$/);
    const { videoId } = video;
    await purgeLosers(harness, videoId);
    expect((await harness.keys(videoId)).filter((key) => /\/(piece-0\.1|cut\.\d+)-/.test(key))).to.deep.equal([]);
    const percents = harness
      .of(video.videoId, 'encode.progressed')
      .map(({ payload: progressed }) => Number(progressed['percent']));
    expect(percents).to.deep.equal([...percents].sort((a, b) => a - b));
    expect(percents.length).to.be.greaterThan(0);
  });
});
