/**
 * The stage's contract with the other services: events, RPC responses, repeated requests, late transcripts, crashes,
 * purges.
 */
import { expect } from 'chai';
import { metadata } from '@vds/proto';
import { trackDocument, type TrackSentence } from '@vds/proto/documents/track';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { ask, bring, getMetadata, lastWord, understand, type Title } from './catalog.ts';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { openHouse, type House, type Worker } from './harness.ts';
import { metricOf } from './metrics.ts';
import { makeFolder, removeFolder, render, type Made } from './renditions.ts';

function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no error',
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

const short = 'testsrc2=s=426x240:r=30,trim=0:6,setsar=1[picture];sine=f=300:r=48000:d=6[sound]';

const sentences = [
  { startMs: 500, endMs: 3_000, text: 'the goalkeeper saves the penalty', cues: [] },
  { startMs: 3_200, endMs: 5_500, text: 'and the striker scores from the penalty kick', cues: [] },
];

describe('metadata', function () {
  this.timeout(90_000);
  let house: House;
  let folder: string;
  let worker: Worker;
  let made: Made;
  before(async () => {
    folder = await makeFolder();
    house = await openHouse({ WORK_LEASE: '3s', WORK_RENEW: '1s', PURGE_AGAIN_AFTER: '1h', READINGS_PER_MINUTE: '4' });
    worker = await house.startWorker();
    const rungs = [[426, 240]] as const;
    made = await render(`${folder}/short`, { graph: short, seconds: 6, sound: true, rungs });
  });
  after(async () => {
    await house?.close();
    await removeFolder(folder);
  });

  const transcribe = async ({ videoId }: Title, said: readonly TrackSentence[] = sentences): Promise<string> => {
    const key = `videos/${videoId}/1/speech.1/track.json`;
    const body = trackDocument.write({ version: 1, videoId, language: 'en', kind: 'captions', sentences: said });
    await house.captions.client.putObject(house.captions.bucket, key, body);
    return key;
  };
  const looksOf = async (videoId: string): Promise<number> => {
    const { rowCount } = await house.pool.query(
      "SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND queue = 'analyze' AND state = 'done'",
      [videoId],
    );
    return rowCount ?? 0;
  };

  it('says each word once, in order, and answers with what it found', async () => {
    const title = await bring(house, made, { title: 'Penalty shootout', sport: 'soccer', category: 'sports' });
    const found = await understand(house, worker, title);
    const words = house.published.filter(({ payload }) => payload['videoId'] === title.videoId);
    expect(words.map(({ subject }) => subject).filter((word) => !word.includes('progressed'))).to.deep.equal([
      'metadata.metadata.started.v1',
      'metadata.metadata.completed.v1',
    ]);
    expect(words.at(-1)?.payload).to.include({ videoId: title.videoId, attempt: 1, revision: 0 });
    expect(found).to.include({ videoId: title.videoId, attempt: 1, revision: 0, hasTranscript: false });
    expect(found.labels.slice(0, 2)).to.deep.equal([
      { name: 'sport:soccer', source: 'partner', confidence: 1, spans: [] },
      { name: 'category:sports', source: 'partner', confidence: 1, spans: [] },
    ]);
    expect(found.topics[0]?.evidence[0]).to.deep.equal({ where: 'title', text: 'Penalty shootout' });
    expect(await metricOf(worker, 'vds_metadata_pictures_total')).to.be.greaterThan(20);
    expect(await metricOf(worker, 'vds_metadata_step_seconds_count')).to.be.greaterThan(2);
  });

  it('repeats its last word when it is asked again, and does nothing twice', async () => {
    const title = await bring(house, made);
    await understand(house, worker, title);
    await ask(house, title);
    const again = await lastWord(house, title.videoId, 1);
    expect(again.payload).to.deep.equal((await lastWord(house, title.videoId)).payload);
    expect(await looksOf(title.videoId)).to.equal(1);
    expect(house.of(title.videoId, 'metadata.started')).to.have.length(1);
  });

  it('makes revision 1 of a transcript that comes late without looking at a picture again', async () => {
    const title = await bring(house, made, { title: 'A title' });
    const before = await understand(house, worker, title);
    await ask(house, title, { revision: 1, transcriptKey: await transcribe(title) });
    const { subject, payload } = await lastWord(house, title.videoId, 1);
    expect(subject).to.equal('metadata.metadata.completed.v1');
    expect(payload).to.include({ revision: 1 });
    const found = await getMetadata(worker, title.videoId);
    expect(found).to.include({ revision: 1, hasTranscript: true });
    expect(found.shots).to.deep.equal(before.shots);
    expect(await looksOf(title.videoId)).to.equal(1);
    expect(found.topics.map(({ name }) => name)).to.include('penalty');
    const [kick] = found.topics.filter(({ name }) => name === 'penalty').flatMap(({ evidence }) => evidence);
    expect(kick).to.deep.include({ where: 'transcript', text: sentences[0]?.text, atMs: 500 });
    const speech = found.labels.find(({ name }) => name === 'audio:speech');
    expect(speech).to.deep.include({ source: 'transcript', confidence: 0.9, spans: [], value: 0.8 });
    expect(found.labels.map(({ name }) => name)).to.include('sport:soccer');
  });

  it('takes the transcript of now where the one that it was asked with has been replaced and tidied away', async () => {
    const title = await bring(house, made);
    house.descriptions.set(title.videoId, { title: 'A title', tags: [], transcriptKey: await transcribe(title) });
    const found = await understand(house, worker, title, `videos/${title.videoId}/1/speech.0/track.json`);
    expect(found.hasTranscript).to.equal(true);
    expect(found.topics.map(({ name }) => name)).to.include('penalty');
  });

  it('takes an empty transcript for what it is', async () => {
    const title = await bring(house, made);
    const found = await understand(house, worker, title, await transcribe(title, []));
    expect(found.hasTranscript).to.equal(true);
    expect(found.scenes).to.deep.equal([{ startMs: 0, endMs: 6_000, thumbnailMs: found.scenes[0]?.thumbnailMs }]);
  });

  it('fails with our own code where the pictures cannot be read, and may be asked once more', async () => {
    const title = await bring(house, made);
    const { client, bucket } = house.media;
    const init = `videos/${title.videoId}/1/whole.1/v/240p/init.mp4`;
    await client.putObject(bucket, init, Buffer.alloc(1_000, 7));
    await ask(house, title);
    const { subject, payload } = await lastWord(house, title.videoId);
    expect(subject).to.equal('metadata.metadata.failed.v1');
    expect(payload).to.deep.include({ code: 'internal_error', details: {} });
    expect(await codeOf(getMetadata(worker, title.videoId))).to.equal('NOT_FOUND');
    await client.fPutObject(bucket, init, `${made.folder}/whole.1/v/240p/init.mp4`);
    await ask(house, title, { revision: 1 });
    expect((await lastWord(house, title.videoId, 1)).subject).to.equal('metadata.metadata.completed.v1');
  });

  it('fails at once where what it is given is not what it should be', async () => {
    const title = await bring(house, made);
    const ladder = { ...made.ladder, videoId: title.videoId, attempt: 1, rungs: [] };
    await house.media.client.putObject(house.media.bucket, title.ladderKey, JSON.stringify(ladder));
    await ask(house, title);
    const { payload } = await lastWord(house, title.videoId);
    expect(payload).to.deep.include({ code: 'internal_error', details: {} });
    expect(worker.output()).to.include('invalid ladder.json: `rungs` must be a non-empty array');
  });

  it('is not known to strangers, answers only who may ask, and shows the staff the same', async () => {
    const title = await bring(house, made);
    const found = await understand(house, worker, title);
    expect(await codeOf(getMetadata(worker, 'nobody'))).to.equal('NOT_FOUND');
    expect(await codeOf(getMetadata(worker, title.videoId, 'playback'))).to.equal('PERMISSION_DENIED');
    const config = { rpcToken: tokenOf('vdsctl'), tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
    const target = `127.0.0.1:${worker.ports.adminRpc}`;
    const staff = rpcClient(metadata.MetadataAdmin, { target, config });
    expect(await staff.ShowMetadata({ videoId: title.videoId })).to.deep.equal(found);
    await staff.close();
  });
});
