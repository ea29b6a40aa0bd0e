/** What the platform's apps read: metadata of live videos alone, judged by the calls of a client with their token. */
import { expect } from 'chai';
import { events } from '@vds/proto/events';
import { trackDocument } from '@vds/proto/documents/track';
import { until } from '@vds/testkit/until';
import { getMetadata } from './catalog.ts';
import { codeOf, openHarness, type Harness, type Worker } from './harness.ts';

/** Far less than the 15 s for which an answer of catalog's is fresh: only the announced change can be as fast. */
const AT_ONCE_MS = 5_000;

describe('metadata for the platform’s apps', function () {
  this.timeout(60_000);
  let harness: Harness;
  let worker: Worker;
  before(async () => {
    harness = await openHarness();
    worker = await harness.startWorker();
  });
  after(() => harness?.close());

  const read = (videoId: string) => getMetadata(worker, videoId, 'apps');
  const save = (videoId: string, document: object, revision = 0) =>
    harness.pool.query('INSERT INTO revisions (video_id, attempt, revision, document) VALUES ($1, 1, $2, $3)', [
      ...[videoId, revision, JSON.stringify(document)],
    ]);
  const bare = { scenes: [], shots: [], intervals: [], screenTexts: [], topics: [], labels: [], hasTranscript: true };
  /** A live video whose Spanish captions say `Gol` at the second of its chapter's quote. */
  const publish = async (version = 1): Promise<string> => {
    const videoId = harness.gates.newId();
    const textKey = `videos/${videoId}/1/translate-1-es.1/track.json`;
    const sentences = [{ startMs: 61_000, endMs: 63_000, text: 'Gol de Rossi.', cues: [] }];
    const spanish = { language: 'es', kind: 'subtitles' } as const;
    const body = trackDocument.write({ version: 1, videoId, ...spanish, sentences });
    await harness.captions.client.putObject(harness.captions.bucket, textKey, body);
    await save(videoId, {
      ...bare,
      ...{ embeddingModel: 'e5', passages: [{ vector: 'AAAA' }] },
      chapters: [
        { startMs: 0, endMs: 60_000, title: 'Kick-off' },
        {
          ...{ startMs: 60_000, endMs: 120_000, title: 'Rossi scores', origin: 'made', titleAtMs: 61_500 },
          titles: [{ languageCode: 'en', title: 'Rossi scores' }],
        },
      ],
    });
    harness.gates.videos.set(videoId, { version, tracks: [{ ...spanish, textKey }] });
    return videoId;
  };
  const change = async (videoId: string, gate: object, version: number): Promise<void> => {
    const { tracks = [] } = harness.gates.videos.get(videoId) ?? {};
    harness.gates.videos.set(videoId, { tracks, ...gate, version });
    await harness.bus.publish(events.videoChanged, { videoId, version }, `changed-${videoId}-${version}`);
  };

  it('apps get a live video with its chapters in each language of its captions, and no vector', async () => {
    const videoId = await publish();
    const { chapters, passages, embeddingModel } = await read(videoId);
    expect([passages, embeddingModel]).to.deep.equal([[], '']);
    expect(chapters.map(({ origin, title, titles }) => [origin, title, titles])).to.deep.equal([
      ['file', 'Kick-off', []],
      [
        ...['made', 'Rossi scores'],
        [
          { languageCode: 'en', title: 'Rossi scores' },
          { languageCode: 'es', title: 'Gol de Rossi' },
        ],
      ],
    ]);
    expect((await getMetadata(worker, videoId)).passages, 'for the index').to.have.length(1);
  });

  it('apps read a video that did not change from memory, and a new revision once catalog announces it', async () => {
    const videoId = await publish();
    await read(videoId);
    const asked = harness.gates.asked();
    await harness.pool.query(`DELETE FROM revisions WHERE video_id = $1`, [videoId]);
    expect((await read(videoId)).chapters).to.have.length(2);
    expect(harness.gates.asked()).to.equal(asked);
    await save(videoId, bare, 1);
    await change(videoId, {}, 2);
    const isNew = async () => (await read(videoId)).revision === 1;
    await until(isNew, { what: 'the new revision', capMs: AT_ONCE_MS, everyMs: 20 });
  });

  for (const [what, gate] of [
    ['archived', { state: 'VIDEO_STATE_ARCHIVED', gateClosesInMs: 300_000 }],
    ['held', { state: 'VIDEO_STATE_ARCHIVED', gateClosesInMs: 0, held: true }],
    ['deleted', { state: 'VIDEO_STATE_DELETED', gateClosesInMs: 0 }],
  ] as const)
    it(`a video that is ${what} is NOT_FOUND for apps at once, and still there for the index`, async () => {
      const videoId = await publish();
      await read(videoId);
      await change(videoId, gate, 2);
      const isGone = async () => (await codeOf(read(videoId))) === 'NOT_FOUND';
      await until(isGone, { what: `a video that is ${what}`, capMs: AT_ONCE_MS, everyMs: 20 });
      expect((await getMetadata(worker, videoId)).chapters).to.have.length(2);
    });

  it('videos that are not live yet, unknown ones and malformed ids are NOT_FOUND', async () => {
    const videoId = await publish();
    harness.gates.videos.set(videoId, { version: 1, state: 'VIDEO_STATE_PROCESSING' });
    for (const id of [videoId, harness.gates.newId(), '', `vid_${videoId}`, '../etc'])
      expect(await codeOf(read(id)), id).to.equal('NOT_FOUND');
  });
});
