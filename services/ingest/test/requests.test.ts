import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { HOST, newId, startHarness, type House } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

const BYTES = Buffer.alloc(1_000, 'v');
const ENDS = ['fetchCompleted', 'fetchFailed'];

describe('what catalog asks for', () => {
  let house: House;
  let adminPort: number;
  before(async function () {
    this.timeout(60_000);
    house = await startHarness();
    adminPort = (
      await house.start({
        FETCH_SLOTS: '2',
        OVERDUE_SLOTS: '2',
        START_WITHIN: '10m',
        OVERDUE_SWEEP: '100ms',
        PURGE_AGAIN_AFTER: '300ms',
        // So long that only the cancellation can stop a fetch.
        IDLE_TIMEOUT: '5m',
        LEASE: '10m',
        LEASE_RENEWAL: '2m',
      })
    ).adminPort;
    house.server.on('/video.mp4', serveBytes(BYTES));
    house.server.on(
      '/waits',
      (_request, response) => void response.writeHead(200, { 'content-length': 1_000 }).write('x'),
    );
  });
  after(function () {
    this.timeout(20_000);
    return house?.stop();
  });

  const admin = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${adminPort}${path}`)).text();
  const asked = (path: string): number => house.server.requests.filter(({ url }) => url === path).length;
  const beginWaiting = async (videoId: string, options = {}): Promise<void> => {
    const before = asked('/waits');
    await house.catalog.request(videoId, `https://${HOST}/waits`, options);
    await until(() => asked('/waits') > before, { what: 'the request to the source' });
  };
  const stateOf = async (videoId: string): Promise<unknown> =>
    (await house.row('SELECT state FROM chassis.stages WHERE video_id = $1', videoId))?.['state'];

  it('again while it is under way is ignored', async () => {
    const videoId = newId();
    await beginWaiting(videoId);
    await house.catalog.request(videoId, `https://${HOST}/waits`, { repeat: '-2' });
    const { videoId: other } = await house.fetch('/video.mp4'); // Consumed after the repeat.
    expect(house.catalog.facts(other)).not.to.have.length(0);
    expect(asked('/waits')).to.equal(1);
    await house.catalog.cancel(videoId);
    await until(async () => (await stateOf(videoId)) === 'cancelled', { what: 'the end of the waiting one' });
  });

  for (const [what, path] of [
    ['completed', '/video.mp4'],
    ['failed', '/404'],
  ] as const)
    it(`again after it has ${what} gets the same answer again`, async () => {
      const { videoId, name, payload } = await house.fetch(path);
      await house.catalog.request(videoId, `https://${HOST}${path}`, { repeat: '-2' });
      const again = await house.catalog.fact(videoId, ENDS, 2);
      expect(again).to.deep.equal({ name, payload });
    });

  it('as another attempt is fetched under a key of its own', async () => {
    const { videoId } = await house.fetch('/video.mp4');
    await house.catalog.request(videoId, `https://${HOST}/video.mp4`, { attempt: 2 });
    const { payload } = await house.catalog.fact(videoId, ENDS, 2);
    expect(payload).to.include({ attempt: 2, sourceKey: `videos/${videoId}/2/source.1/original` });
  });

  it('a cancelled fetch stops at once, publishes nothing and is not begun again', async () => {
    const videoId = newId();
    await beginWaiting(videoId);
    const socket = house.server.requests.findLast(({ url }) => url === '/waits')?.socket;
    const gone = new Promise((resolve) => socket?.once('close', resolve));
    await house.catalog.cancel(videoId);
    await gone;
    await house.catalog.request(videoId, `https://${HOST}/waits`, { repeat: '-2' });
    await house.fetch('/video.mp4');
    expect(await stateOf(videoId)).to.equal('cancelled');
    expect(
      (await house.row('SELECT request FROM chassis.stages WHERE video_id = $1', videoId))?.['request'],
    ).to.deep.equal({});
    expect(house.catalog.facts(videoId).map(({ name }) => name)).not.to.include.members(ENDS);
  });

  describe('to be removed', () => {
    const purged = (videoId: string, nth = 1) => house.catalog.fact(videoId, ['ingestVideoPurged'], nth);

    it('is gone with every object, upload and row, stays gone, and is looked at once more', async () => {
      const { videoId } = await house.fetch('/video.mp4');
      await beginWaiting(videoId, { attempt: 2 });
      await until(async () => (await house.keys(videoId)).uploads.length === 1, {
        what: 'the second attempt’s upload',
      });
      await house.catalog.purge(videoId, 'PURGE_SCOPE_VIDEO');
      expect((await purged(videoId)).payload).to.deep.equal({ videoId, scope: 'PURGE_SCOPE_VIDEO', keepAttempt: 0 });
      expect(await house.keys(videoId)).to.deep.equal({ objects: [], uploads: [] });
      expect(await house.row('SELECT 1 FROM fetches WHERE video_id = $1', videoId)).to.equal(undefined);
      expect(await house.row("SELECT 1 FROM chassis.jobs WHERE video_id = $1 AND stage = 'fetch'", videoId)).to.equal(
        undefined,
      );

      await house.putObject(`videos/${videoId}/2/source.9/original`);
      await until(async () => (await house.keys(videoId)).objects.length === 0, { what: 'the second run' });
      await house.catalog.request(videoId, `https://${HOST}/video.mp4`, { attempt: 3 });
      await house.fetch('/video.mp4');
      expect(await house.row('SELECT 1 FROM chassis.stages WHERE video_id = $1', videoId)).to.equal(undefined);
    });

    it('again is answered again', async () => {
      const { videoId } = await house.fetch('/video.mp4');
      await house.catalog.purge(videoId, 'PURGE_SCOPE_VIDEO');
      await purged(videoId);
      await house.catalog.purge(videoId, 'PURGE_SCOPE_VIDEO', { repeat: '-2' });
      await purged(videoId, 2);
    });

    it('as a source leaves the row, so that a repeated request is still answered', async () => {
      const { videoId } = await house.fetch('/video.mp4');
      await house.catalog.purge(videoId, 'PURGE_SCOPE_SOURCE');
      await purged(videoId);
      expect((await house.keys(videoId)).objects).to.deep.equal([]);
      await house.catalog.request(videoId, `https://${HOST}/video.mp4`, { repeat: '-2' });
      expect(await house.catalog.fact(videoId, ENDS, 2)).to.include({ name: 'fetchCompleted' });
    });

    it('as other attempts leaves the one to keep', async () => {
      const { videoId } = await house.fetch('/video.mp4');
      await house.catalog.request(videoId, `https://${HOST}/video.mp4`, { attempt: 2 });
      const { payload } = await house.catalog.fact(videoId, ENDS, 2);
      await house.putObject(`videos/${videoId}/2/source.7/original`);
      await house.catalog.purge(videoId, 'PURGE_SCOPE_OTHER_ATTEMPTS', { keepAttempt: 2 });
      expect((await purged(videoId)).payload).to.include({ keepAttempt: 2 });
      expect((await house.keys(videoId)).objects).to.deep.equal([payload['sourceKey']]);
    });

    it('from others alone is not ours to answer', async () => {
      const { videoId } = await house.fetch('/video.mp4');
      await house.catalog.purge(videoId, 'PURGE_SCOPE_VIDEO', { owners: ['transcode'] });
      await house.fetch('/video.mp4');
      expect((await house.keys(videoId)).objects).to.have.length(1);
    });
  });

  it('and waits too long for a slot gets one of its own', async () => {
    const waiting = [newId(), newId()];
    for (const videoId of waiting) await beginWaiting(videoId); // Both slots are taken now.
    const [young, old] = [newId(), newId()];
    await house.catalog.request(young, `https://${HOST}/video.mp4`);
    await house.catalog.request(old, `https://${HOST}/video.mp4`, { ageMs: 11 * 60_000 });
    expect(await house.catalog.fact(old, ENDS)).to.include({ name: 'fetchCompleted' });
    expect(await stateOf(young)).to.equal('open');
    for (const videoId of waiting) await house.catalog.cancel(videoId);
    expect(await house.catalog.fact(young, ENDS)).to.include({ name: 'fetchCompleted' });
  });

  it('is ready for it, and counts what it does', async () => {
    expect(JSON.parse(await admin('/readyz'))).to.deep.include({
      ready: true,
      checks: { database: 'ok', bus: 'ok', sources: 'ok' },
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
