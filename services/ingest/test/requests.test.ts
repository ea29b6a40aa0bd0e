import { partKey } from '@vds/proto/documents/source';
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { HOST, newId, startHarness, type Harness } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

const BYTES = Buffer.alloc(1_000, 'v');
/** Of a source of one part. */
function keysOf(sourceKey: unknown): string[] {
  return [String(sourceKey), partKey(String(sourceKey), 1)];
}
const ENDS = ['fetchCompleted', 'fetchFailed'];

describe('requests of catalog', () => {
  let harness: Harness;
  let adminPort: number;
  before(async function () {
    this.timeout(60_000);
    harness = await startHarness();
    adminPort = (
      await harness.start({
        FETCH_SLOTS: '2',
        // So long that only the cancellation can stop a fetch.
        TIME_SCALE: 'idle=5m,lease=10m,renew=2m,startWithin=10m,overdueEvery=100ms,purgeAgain=300ms',
      })
    ).adminPort;
    harness.server.on('/video.mp4', serveBytes(BYTES));
    harness.server.on(
      '/waits',
      (_request, response) => void response.writeHead(200, { 'content-length': 1_000 }).write('x'),
    );
  });
  after(function () {
    this.timeout(20_000);
    return harness?.stop();
  });

  const admin = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${adminPort}${path}`)).text();
  const requestsTo = (path: string): number => harness.server.requests.filter(({ url }) => url === path).length;
  const beginWaiting = async (videoId: string, options = {}): Promise<void> => {
    const before = requestsTo('/waits');
    await harness.catalog.request(videoId, `https://${HOST}/waits`, options);
    await until(() => requestsTo('/waits') > before, { what: 'the request to the source' });
  };
  const stateOf = async (videoId: string): Promise<unknown> =>
    (await harness.row('SELECT state FROM chassis.stages WHERE video_id = $1', videoId))?.['state'];

  it('a request repeated while its fetch runs is ignored', async () => {
    const videoId = newId();
    await beginWaiting(videoId);
    await harness.catalog.request(videoId, `https://${HOST}/waits`, { repeat: '-2' });
    const { videoId: other } = await harness.fetch('/video.mp4'); // Consumed after the repeat.
    expect(harness.catalog.published(other)).not.to.have.length(0);
    expect(requestsTo('/waits')).to.equal(1);
    await harness.catalog.cancel(videoId);
    await until(async () => (await stateOf(videoId)) === 'cancelled', { what: 'the end of the waiting one' });
  });

  for (const [what, path] of [
    ['completed', '/video.mp4'],
    ['failed', '/404'],
  ] as const)
    it(`a request repeated after its fetch has ${what} republishes the same terminal event`, async () => {
      const { videoId, name, payload } = await harness.fetch(path);
      await harness.catalog.request(videoId, `https://${HOST}${path}`, { repeat: '-2' });
      const again = await harness.catalog.waitFor(videoId, ENDS, 2);
      expect(again).to.deep.equal({ name, payload });
    });

  it('another attempt is fetched under its own key', async () => {
    const { videoId } = await harness.fetch('/video.mp4');
    await harness.catalog.request(videoId, `https://${HOST}/video.mp4`, { attempt: 2 });
    const { payload } = await harness.catalog.waitFor(videoId, ENDS, 2);
    expect(payload).to.include({ attempt: 2 });
    expect(payload['sourceKey']).to.contain(`videos/${videoId}/2/source.1-`);
  });

  it('a cancelled fetch stops at once, publishes nothing and is not started again', async () => {
    const videoId = newId();
    await beginWaiting(videoId);
    const socket = harness.server.requests.findLast(({ url }) => url === '/waits')?.socket;
    const gone = new Promise((resolve) => socket?.once('close', resolve));
    await harness.catalog.cancel(videoId);
    await gone;
    await harness.catalog.request(videoId, `https://${HOST}/waits`, { repeat: '-2' });
    await harness.fetch('/video.mp4');
    expect(await stateOf(videoId)).to.equal('cancelled');
    expect(
      (await harness.row('SELECT request FROM chassis.stages WHERE video_id = $1', videoId))?.['request'],
    ).to.deep.equal({});
    expect(harness.catalog.published(videoId).map(({ name }) => name)).not.to.include.members(ENDS);
  });

  describe('purges', () => {
    const purged = (videoId: string, nth = 1) => harness.catalog.waitFor(videoId, ['ingestVideoPurged'], nth);

    it('a purged video loses every object and row, and the final sweep removes what is written later', async () => {
      const { videoId } = await harness.fetch('/video.mp4');
      await beginWaiting(videoId, { attempt: 2 });
      await until(async () => (await harness.keys(videoId)).some((key) => key.includes('/2/')), {
        what: 'the second attempt’s manifest',
      });
      const purge = { scope: 'PURGE_SCOPE_VIDEO', requestId: 'second' } as const;
      await harness.catalog.purge(videoId, purge.scope, purge);
      expect((await purged(videoId)).payload).to.deep.equal({ videoId, keepAttempt: 0, ...purge });
      expect(await harness.keys(videoId)).to.deep.equal([]);
      expect(await harness.row('SELECT 1 FROM fetches WHERE video_id = $1', videoId)).to.equal(undefined);
      expect(await harness.row("SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND stage = 'fetch'", videoId)).to.equal(
        undefined,
      );

      await harness.putObject(`videos/${videoId}/2/source.9/manifest`);
      await until(async () => (await harness.keys(videoId)).length === 0, { what: 'the second run' });
      await harness.catalog.request(videoId, `https://${HOST}/video.mp4`, { attempt: 3 });
      await harness.fetch('/video.mp4');
      expect(await harness.row('SELECT 1 FROM chassis.stages WHERE video_id = $1', videoId)).to.equal(undefined);
    });

    it('a repeated purge is confirmed again', async () => {
      const { videoId } = await harness.fetch('/video.mp4');
      await harness.catalog.purge(videoId, 'PURGE_SCOPE_VIDEO');
      await purged(videoId);
      await harness.catalog.purge(videoId, 'PURGE_SCOPE_VIDEO', { repeat: '-2' });
      await purged(videoId, 2);
    });

    it('a purge of the source keeps the stage’s row, so that a repeated request is still answered', async () => {
      const { videoId } = await harness.fetch('/video.mp4');
      await harness.catalog.purge(videoId, 'PURGE_SCOPE_SOURCE', { keepAttempt: 2 });
      await purged(videoId);
      expect(await harness.keys(videoId)).to.deep.equal([]);
      await harness.catalog.request(videoId, `https://${HOST}/video.mp4`, { repeat: '-2' });
      expect(await harness.catalog.waitFor(videoId, ENDS, 2)).to.include({ name: 'fetchCompleted' });
    });

    it('a purge of the source ends a fetch of it that a restored database runs again, and removes what has no row', async () => {
      const videoId = newId();
      await beginWaiting(videoId);
      await harness.putObject(`videos/${videoId}/1/source.9/manifest`);
      await until(async () => (await harness.keys(videoId)).length === 2, { what: 'the manifest of the fetch' });
      await harness.catalog.purge(videoId, 'PURGE_SCOPE_SOURCE', { keepAttempt: 2 });
      await purged(videoId);
      expect(await stateOf(videoId)).to.equal('cancelled');
      expect(await harness.keys(videoId)).to.deep.equal([]);
      await harness.catalog.cancel(videoId); // So that its slot is free.
      const lost = newId();
      await harness.putObject(`videos/${lost}/1/source.9/manifest`);
      await harness.catalog.purge(lost, 'PURGE_SCOPE_SOURCE', { keepAttempt: 2 });
      await purged(lost);
      expect(await harness.keys(lost)).to.deep.equal([]);
    });

    it('a purge of other attempts keeps the source of the attempt to keep', async () => {
      const { videoId } = await harness.fetch('/video.mp4');
      await harness.catalog.request(videoId, `https://${HOST}/video.mp4`, { attempt: 2 });
      const { payload } = await harness.catalog.waitFor(videoId, ENDS, 2);
      await harness.putObject(`videos/${videoId}/2/source.7/manifest`);
      await harness.catalog.purge(videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', { keepAttempt: 2 });
      expect((await purged(videoId)).payload).to.include({ keepAttempt: 2 });
      expect(await harness.keys(videoId)).to.have.members(keysOf(payload['sourceKey']));
    });

    it('a purge of other attempts keeps the source that catalog uses, whichever folder the row of its fetch names', async () => {
      const { videoId, payload } = await harness.fetch('/video.mp4');
      const sourceKey = String(payload['sourceKey']);
      // What a fetch leaves that ran again on a database restored to an earlier moment.
      const again = `videos/${videoId}/1/source.1-ffffffffffff/manifest`;
      await harness.putObject(again);
      await harness.pool.query('UPDATE fetches SET source_key = $2 WHERE video_id = $1', [videoId, again]);
      await harness.putObject(`videos/${videoId}/1/source.7/manifest`);
      await harness.catalog.purge(videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', { keepAttempt: 1, sourceKey });
      await purged(videoId);
      expect(await harness.keys(videoId)).to.have.members([...keysOf(sourceKey), again]);
    });

    it('a purge requested only of other services removes nothing', async () => {
      const { videoId } = await harness.fetch('/video.mp4');
      await harness.catalog.purge(videoId, 'PURGE_SCOPE_VIDEO', { owners: ['transcode'] });
      await harness.fetch('/video.mp4');
      expect(await harness.keys(videoId)).to.have.length(2);
    });
  });

  it('a fetch that has waited too long gets an overdue slot', async () => {
    const waiting = [newId(), newId()];
    for (const videoId of waiting) await beginWaiting(videoId); // Both slots are taken now.
    const [young, old] = [newId(), newId()];
    await harness.catalog.request(young, `https://${HOST}/video.mp4`);
    await harness.catalog.request(old, `https://${HOST}/video.mp4`, { ageMs: 11 * 60_000 });
    expect(await harness.catalog.waitFor(old, ENDS)).to.include({ name: 'fetchCompleted' });
    expect(await stateOf(young)).to.equal('open');
    for (const videoId of waiting) await harness.catalog.cancel(videoId);
    expect(await harness.catalog.waitFor(young, ENDS)).to.include({ name: 'fetchCompleted' });
  });

  it('a running ingest is ready and exports its metrics', async () => {
    expect(JSON.parse(await admin('/readyz'))).to.deep.include({
      ready: true,
      checks: { database: 'ok', bus: 'ok', consuming: 'ok', sources: 'ok', work: 'ok' },
    });
    const page = await admin('/metrics');
    expect(page).to.match(/vds_ingest_bytes_fetched_total\{service="ingest"\} [1-9]/);
    for (const name of [
      'vds_work_ready',
      'vds_work_running',
      'vds_work_oldest_ready_seconds',
      'vds_work_tries_total',
      'vds_work_seconds',
    ])
      expect(page).to.include(name);
  });
}).timeout(30_000);
