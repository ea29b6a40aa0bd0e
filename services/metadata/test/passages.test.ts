/** Vectors of a video's passages in the real service, with the embedded engine. */
import { expect } from 'chai';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { events } from '@vds/proto/events';
import { trackDocument } from '@vds/proto/documents/track';
import { metricOf } from '@vds/testkit/harness/metric-of';
import { embeddingsFolder } from '@vds/testkit/programs/embeddings';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { createMetadata, storeVideo } from './catalog.ts';
import { openHarness, type Harness, type Worker } from './harness.ts';
import { makeFolder, removeFolder, render, type Renditions } from './renditions.ts';

const short = 'testsrc2=s=426x240:r=10,trim=0:6,setsar=1[picture]';

const spanish = [
  { startMs: 500, endMs: 3_000, text: 'El portero detiene el penalti en el último minuto de la final', cues: [] },
  { startMs: 70_000, endMs: 75_000, text: 'La nadadora gana los cien metros libres', cues: [] },
];
const english = [
  {
    startMs: 500,
    endMs: 3_000,
    text: 'The goalkeeper saves the penalty in the last minute of the cup final',
    cues: [],
  },
  { startMs: 70_000, endMs: 75_000, text: 'A cup final with a wonderful goalkeeper', cues: [] },
];

describe('passages of the metadata stage', function () {
  this.timeout(60_000);
  let harness: Harness;
  let folder: string;
  let renditions: Renditions;
  let worker: Worker | undefined;
  before(async () => {
    folder = await makeFolder();
    harness = await openHarness({ TIME_SCALE: '0.05,purgeAgain=1h', READINGS_PER_MINUTE: '0' });
    const rungs = [[426, 240]] as const;
    renditions = await render(`${folder}/short`, { graph: short, seconds: 6, sound: false, rungs, rate: 10 });
  });
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });
  after(async () => {
    await harness?.close();
    await removeFolder(folder);
  });

  async function store(videoId: string, name: string, language: string, sentences: typeof spanish): Promise<string> {
    const key = `videos/${videoId}/1/${name}/track.json`;
    const body = trackDocument.write({ version: 1, videoId, language, kind: 'captions', sentences });
    await harness.captions.client.putObject(harness.captions.bucket, key, body);
    return key;
  }

  async function described(title: string) {
    const video = await storeVideo(harness, renditions, { title, tags: ['fútbol'] });
    const transcriptKey = await store(video.videoId, 'speech.1', 'es', spanish);
    const englishKey = await store(video.videoId, 'en.1', 'en', english);
    harness.descriptions.set(video.videoId, { title, tags: [], languageCode: 'es', englishKey });
    return { video, transcriptKey };
  }

  it('a document has vectors of its title and of each minute of speech, until the video is purged', async function () {
    const EMBEDDINGS_FOLDER = embeddingsFolder();
    if (EMBEDDINGS_FOLDER === null) return skipBecause(this, 'the embeddings engine is not installed');
    worker = await harness.startWorker({ EMBEDDINGS_FOLDER });
    const { video, transcriptKey } = await described('La final de copa');
    const found = await createMetadata(harness, worker, video, transcriptKey);
    expect(found.embeddingModel).to.equal('multilingual-e5-small/q4');
    expect(found.passages.map(({ atMs }) => atMs)).to.deep.equal([undefined, 500, 70_000]);
    for (const { vector } of found.passages) {
      expect(vector.length).to.equal(384);
      expect(Math.hypot(...new Int8Array(vector))).to.be.closeTo(127, 6);
    }
    const ready = (await (await fetch(`http://127.0.0.1:${worker.ports.admin}/readyz`)).json()) as object;
    expect(ready).to.deep.include({ details: { embeddings: 'multilingual-e5-small/q4' } });
    expect(await metricOf(worker, 'vds_embeddings_engine')).to.equal(1);
    const stored = async (): Promise<number | null> => {
      const text = "SELECT 1 FROM revisions WHERE video_id = $1 AND document ->> 'passages' <> '[]'";
      return (await harness.pool.query(text, [video.videoId])).rowCount;
    };
    expect(await stored()).to.equal(1);
    const purge = { scope: 'PURGE_SCOPE_VIDEO' as const, keepAttempt: 0, owners: ['metadata'], requestId: '1' };
    await harness.bus.publish(events.purgeRequested, { videoId: video.videoId, ...purge }, 'purge-passages');
    await until(async () => (await stored()) === 0, { what: 'the vectors are removed' });
  });

  it('without an engine, or with one that fails, the document is written without vectors, and says so', async () => {
    const server = createServer((_request, response) => response.writeHead(500).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const none = { EMBEDDINGS_FOLDER: folder };
    const failing = { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: 'e5' };
    for (const [settings, engine, model, failures] of [
      [none, 0, 'no engine', 0],
      [failing, 1, 'e5', 1],
    ] as const) {
      worker = await harness.startWorker(settings);
      const { video, transcriptKey } = await described('La final de copa');
      const found = await createMetadata(harness, worker, video, transcriptKey);
      expect(found).to.deep.include({ passages: [], embeddingModel: '', hasTranscript: true });
      const ready = (await (await fetch(`http://127.0.0.1:${worker.ports.admin}/readyz`)).json()) as object;
      expect(ready).to.deep.include({ ready: true, details: { embeddings: model } });
      expect(await metricOf(worker, 'vds_embeddings_engine')).to.equal(engine);
      expect(await metricOf(worker, 'vds_metadata_documents_without_vectors_total')).to.equal(failures);
      await worker.stop();
    }
    server.closeAllConnections();
    server.close();
  });

  it('the English translation gives topics and the sport of a video whose language has no words for it', async () => {
    worker = await harness.startWorker({ EMBEDDINGS_FOLDER: folder });
    const { video, transcriptKey } = await described('決勝');
    const found = await createMetadata(harness, worker, video, transcriptKey);
    const [topic] = found.topics.filter(({ name }) => name === 'cup final');
    expect(topic?.evidence[0]).to.deep.include({ where: 'transcript', text: english[0]?.text, atMs: 500 });
    expect(found.labels.map(({ name }) => name)).to.include('sport:soccer');
  });
});
