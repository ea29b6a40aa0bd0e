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
    const { ports } = await harness.start({
      FETCH_SLOTS: '2',
      // So long that only the cancellation can stop a fetch.
      TIME_SCALE: 'idle=5m,lease=10m,renew=2m,startWithin=10m,overdueEvery=100ms,purgeAgain=300ms',
    });
    adminPort = ports.admin;
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

  describe('purges', () => {
    const purged = (videoId: string, nth = 1) => harness.catalog.waitFor(videoId, ['ingestVideoPurged'], nth);

    it('a purge of the source keeps the stage’s row, so that a repeated request is still answered', async () => {
      const { videoId } = await harness.fetch('/video.mp4');
      await harness.catalog.purge(videoId, 'PURGE_SCOPE_SOURCE', { keepAttempt: 2 });
      await purged(videoId);
      expect(await harness.keys(videoId)).to.deep.equal([]);
      await harness.catalog.request(videoId, `https://${HOST}/video.mp4`);
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
      checks: { database: 'ok', bus: 'ok', consuming: 'ok', sources: 'ok', work: 'ok', catalog_reached: 'ok' },
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
