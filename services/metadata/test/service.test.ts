/**
 * The stage's contract with the other services: events, RPC responses, late transcripts, crashes.
 */
import { expect } from 'chai';
import { metadata } from '@vds/proto';
import { trackDocument, type TrackSentence } from '@vds/proto/documents/track';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import {
  requestMetadata,
  storeVideo,
  getMetadata,
  terminalEventOf,
  createMetadata,
  type TestVideo,
} from './catalog.ts';
import { until } from '@vds/testkit/until';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { codeOf, openHarness, type Harness, type Worker } from './harness.ts';
import { metricOf } from '@vds/testkit/harness/metric-of';
import { makeFolder, removeFolder, render, type Renditions } from './renditions.ts';

const short = 'testsrc2=s=426x240:r=30,trim=0:6,setsar=1[picture];sine=f=300:r=48000:d=6[sound]';

const sentences = [
  { startMs: 500, endMs: 3_000, text: 'the goalkeeper saves the penalty', cues: [] },
  { startMs: 3_200, endMs: 5_500, text: 'and the striker scores from the penalty kick', cues: [] },
];

describe('the metadata stage', function () {
  this.timeout(90_000);
  let harness: Harness;
  let folder: string;
  let worker: Worker;
  let renditions: Renditions;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({
      TIME_SCALE: '0.05,purgeAgain=1h',
      READINGS_PER_MINUTE: '4',
    });
    worker = await harness.startWorker();
    const rungs = [[426, 240]] as const;
    renditions = await render(`${folder}/short`, { graph: short, seconds: 6, sound: true, rungs });
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  const transcribe = async ({ videoId }: TestVideo, spoken: readonly TrackSentence[] = sentences): Promise<string> => {
    const key = `videos/${videoId}/1/speech.1/track.json`;
    const body = trackDocument.write({ version: 1, videoId, language: 'en', kind: 'captions', sentences: spoken });
    await harness.captions.client.putObject(harness.captions.bucket, key, body);
    return key;
  };
  const completedAnalyses = async (videoId: string): Promise<number> => {
    const { rowCount } = await harness.pool.query(
      "SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND queue = 'analyze' AND state = 'done'",
      [videoId],
    );
    return rowCount ?? 0;
  };

  it('metadata publishes started and completed once, in order, and GetMetadata returns the document', async () => {
    const video = await storeVideo(harness, renditions, {
      title: 'Penalty shootout',
      sport: 'soccer',
      category: 'sports',
    });
    const found = await createMetadata(harness, worker, video);
    const published = harness.published.filter(({ payload }) => payload['videoId'] === video.videoId);
    expect(published.map(({ subject }) => subject).filter((subject) => !subject.includes('progressed'))).to.deep.equal([
      'metadata.metadata.started.v1',
      'metadata.metadata.completed.v1',
    ]);
    expect(published.at(-1)?.payload).to.include({ videoId: video.videoId, attempt: 1, revision: 0 });
    expect(found).to.include({ videoId: video.videoId, attempt: 1, revision: 0, hasTranscript: false });
    expect(found.labels.slice(0, 2)).to.deep.equal([
      { name: 'sport:soccer', source: 'partner', confidence: 1, spans: [] },
      { name: 'category:sports', source: 'partner', confidence: 1, spans: [] },
    ]);
    expect(found.topics[0]?.evidence[0]).to.deep.equal({ where: 'title', text: 'Penalty shootout' });
    expect(await metricOf(worker, 'vds_metadata_pictures_total')).to.be.greaterThan(20);
    expect(await metricOf(worker, 'vds_metadata_step_seconds_count')).to.be.greaterThan(2);
  });

  it('a late transcript makes revision 1 without a new analysis of the pictures', async () => {
    const video = await storeVideo(harness, renditions, { title: 'A title' });
    const before = await createMetadata(harness, worker, video);
    await requestMetadata(harness, video, { revision: 1, transcriptKey: await transcribe(video) });
    const { subject, payload } = await terminalEventOf(harness, video.videoId, 1);
    expect(subject).to.equal('metadata.metadata.completed.v1');
    expect(payload).to.include({ revision: 1 });
    const found = await getMetadata(worker, video.videoId);
    expect(found).to.include({ revision: 1, hasTranscript: true });
    expect(found.shots).to.deep.equal(before.shots);
    expect(await completedAnalyses(video.videoId)).to.equal(1);
    expect(found.topics.map(({ name }) => name)).to.include('penalty');
    const [kick] = found.topics.filter(({ name }) => name === 'penalty').flatMap(({ evidence }) => evidence);
    expect(kick).to.deep.include({ where: 'transcript', text: sentences[0]?.text, atMs: 500 });
    const speech = found.labels.find(({ name }) => name === 'audio:speech');
    expect(speech).to.deep.include({ source: 'transcript', confidence: 0.9, spans: [], value: 0.8 });
    expect(found.labels.map(({ name }) => name)).to.include('sport:soccer');
  });

  it('metadata uses the current transcript where the requested one was replaced and removed', async () => {
    const video = await storeVideo(harness, renditions);
    harness.descriptions.set(video.videoId, { title: 'A title', tags: [], transcriptKey: await transcribe(video) });
    const found = await createMetadata(harness, worker, video, `videos/${video.videoId}/1/speech.0/track.json`);
    expect(found.hasTranscript).to.equal(true);
    expect(found.topics.map(({ name }) => name)).to.include('penalty');
  });

  it('an empty transcript counts as a transcript, and the video still gets its scenes', async () => {
    const video = await storeVideo(harness, renditions);
    const found = await createMetadata(harness, worker, video, await transcribe(video, []));
    expect(found.hasTranscript).to.equal(true);
    expect(found.scenes).to.deep.equal([{ startMs: 0, endMs: 6_000, thumbnailMs: found.scenes[0]?.thumbnailMs }]);
  });

  it('pictures that cannot be decoded fail metadata with internal_error, and the next revision completes', async () => {
    const video = await storeVideo(harness, renditions);
    const { client, bucket } = harness.media;
    const init = `videos/${video.videoId}/1/whole.1/v/240p/init.mp4`;
    await client.putObject(bucket, init, Buffer.alloc(1_000, 7));
    await requestMetadata(harness, video);
    const { subject, payload } = await terminalEventOf(harness, video.videoId);
    expect(subject).to.equal('metadata.metadata.failed.v1');
    expect(payload).to.deep.include({ code: 'internal_error', details: {} });
    expect(await codeOf(getMetadata(worker, video.videoId))).to.equal('NOT_FOUND');
    await client.fPutObject(bucket, init, `${renditions.folder}/whole.1/v/240p/init.mp4`);
    await requestMetadata(harness, video, { revision: 1 });
    expect((await terminalEventOf(harness, video.videoId, 1)).subject).to.equal('metadata.metadata.completed.v1');
  });

  it('an invalid ladder.json fails metadata with internal_error and names the invalid field in the log', async () => {
    const video = await storeVideo(harness, renditions);
    const ladder = { ...renditions.ladder, videoId: video.videoId, attempt: 1, rungs: [] };
    await harness.media.client.putObject(harness.media.bucket, video.ladderKey, JSON.stringify(ladder));
    await requestMetadata(harness, video);
    const { payload } = await terminalEventOf(harness, video.videoId);
    expect(payload).to.deep.include({ code: 'internal_error', details: {} });
    expect(worker.output()).to.include('invalid ladder.json: `rungs` must be a non-empty array');
  });

  it('GetMetadata rejects unknown videos and other callers, and returns the same document on the admin port', async () => {
    const video = await storeVideo(harness, renditions);
    const found = await createMetadata(harness, worker, video);
    expect(await codeOf(getMetadata(worker, 'nobody'))).to.equal('NOT_FOUND');
    expect(await codeOf(getMetadata(worker, video.videoId, 'playback'))).to.equal('PERMISSION_DENIED');
    const config = { rpcToken: tokenOf('vdsctl'), tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
    const target = `127.0.0.1:${worker.ports.adminRpc}`;
    const admin = rpcClient(metadata.MetadataService, { target, config });
    expect(await admin.GetMetadata({ videoId: video.videoId })).to.deep.equal(found);
    await admin.close();
  });

  it('another process finishes the spans of a killed one, each once', async () => {
    const rungs = [[256, 144]] as const;
    const graph = 'testsrc2=s=256x144:r=10,trim=0:900,setsar=1[picture]';
    const long = await render(`${folder}/long`, { graph, seconds: 900, sound: false, rungs, rate: 10 });
    const video = await storeVideo(harness, long);
    await requestMetadata(harness, video);
    await until(() => harness.of(video.videoId, 'metadata.started')[0], { what: 'the analysis has started' });
    worker.process.kill('SIGKILL');
    worker = await harness.startWorker();
    const { subject } = await terminalEventOf(harness, video.videoId);
    expect(subject).to.equal('metadata.metadata.completed.v1');
    const { rows } = await harness.pool.query('SELECT span FROM analyses WHERE video_id = $1 ORDER BY span', [
      video.videoId,
    ]);
    expect(rows).to.deep.equal([{ span: 0 }, { span: 1 }, { span: 2 }]);
    const { scenes } = await getMetadata(worker, video.videoId);
    expect(scenes.at(-1)?.endMs).to.equal(900_000);
  });
});
