import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { openGates } from '../src/outbound/gates.ts';
import { newFakeState, newSigner, servePeers, sign, type Signer } from './fake-services.ts';
import { putVideo, readyVideo, startPlayback, type Playback } from './playback.ts';

const quiet = createLogger('t', 'error', { write: () => {} });

describe('the cache of gates', () => {
  const state = newFakeState();
  let bucket: TestBucket;
  let peers: Awaited<ReturnType<typeof servePeers>> | undefined;
  let port = 0;
  let signer: Signer;
  const replicas: Playback[] = [];

  before(async () => {
    bucket = await testBucket();
    await putVideo(bucket, 'v1', Buffer.alloc(10));
    signer = await newSigner('k1');
    state.keys = [signer.jwk];
  });
  beforeEach(async () => {
    state.videos.clear();
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', readyVideo('v1'));
    state.calls.resolve = 0;
    state.beforeReply = async () => {};
    peers = await servePeers(state);
    port = peers.port;
  });
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.close()));
    await peers?.close();
    peers = undefined;
  });
  after(() => bucket.drop());

  const start = async (options: Parameters<typeof startPlayback>[2] = {}): Promise<Playback> => {
    const replica = await startPlayback(port, bucket, options);
    replicas.push(replica);
    return replica;
  };
  const fetchStatus = async (replica: Playback, playbackId = 'pbk1abcdefghijklmnopqrstuvw'): Promise<number> =>
    (await replica.get(`/p/${await sign(signer, playbackId)}/${playbackId}/master.m3u8`)).status;

  it('a gate is resolved once while it is fresh, and again when it is not', async () => {
    const replica = await start({ freshMs: 2_000 });
    for (let index = 0; index < 5; index++) expect(await fetchStatus(replica)).to.equal(200);
    expect(state.calls.resolve).to.equal(1);
    await until(async () => (await fetchStatus(replica)) === 200 && state.calls.resolve === 2, {
      what: 'catalog is called again',
    });
  });

  it('a gate is resolved once for any number of concurrent viewers', async () => {
    let reply = (): void => {};
    state.beforeReply = () => new Promise((resolve) => (reply = resolve));
    const replica = await start();
    const statuses = Array.from({ length: 20 }, () => fetchStatus(replica));
    await until(() => state.calls.resolve === 1, { what: 'catalog is called' });
    reply();
    expect(new Set(await Promise.all(statuses))).to.deep.equal(new Set([200]));
    expect(state.calls.resolve).to.equal(1);
  });

  it('a gate closes at its closing time on every replica, without being resolved again', async () => {
    const [a, b] = [await start(), await start()];
    const resolvedFrom = performance.now();
    const closesAt = resolvedFrom + 3_000;
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', {
      ...readyVideo('v1', 2),
      state: 'VIDEO_STATE_ARCHIVED',
      closesAt,
    });
    expect([await fetchStatus(a), await fetchStatus(b)]).to.deep.equal([200, 200]);
    // A replica counts from when it sent its request to catalog: no later than catalog, and no earlier than this.
    const onTheWayMs = performance.now() - resolvedFrom;
    const closedSeen = async (replica: Playback): Promise<number> => {
      for (;;) {
        const sentAt = performance.now();
        const status = await fetchStatus(replica);
        const receivedAt = performance.now();
        if (receivedAt < closesAt - onTheWayMs) expect(status).to.equal(200);
        if (sentAt >= closesAt) expect(status).to.equal(404);
        if (status === 404) return receivedAt;
      }
    };
    await Promise.all([closedSeen(a), closedSeen(b)]);
    expect(state.calls.resolve).to.equal(2);
  });

  it('a gate is dropped when the video has changed, but not by an older version', async () => {
    const replica = await start();
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', readyVideo('v1', 5));
    expect(await fetchStatus(replica)).to.equal(200);
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', {
      ...readyVideo('v1', 6),
      state: 'VIDEO_STATE_DELETED',
      gateClosesInMs: 0,
    });
    replica.drop('v1', 5);
    expect(await fetchStatus(replica)).to.equal(200);
    replica.drop('v2', 9);
    expect(await fetchStatus(replica)).to.equal(200);
    replica.drop('v1', 6);
    expect(await fetchStatus(replica)).to.equal(404);
    expect(state.calls.resolve).to.equal(2);
  });

  it('a gate resolved while the video changed is not used', async () => {
    let reply = (): void => {};
    state.beforeReply = () => new Promise((resolve) => (reply = resolve));
    const replica = await start();
    const looking = fetchStatus(replica);
    await until(() => state.calls.resolve === 1, { what: 'catalog is called' });
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', {
      ...readyVideo('v1', 2),
      state: 'VIDEO_STATE_DELETED',
      gateClosesInMs: 0,
    });
    replica.drop('v1', 2);
    state.beforeReply = async () => {};
    reply();
    expect(await looking).to.equal(404);
  });

  it('a stale gate is used while catalog is down, for a limited time, and not after the video has changed', async () => {
    const replica = await start({ freshMs: 100, staleMs: 3_000 });
    const patient = await start({ freshMs: 100 });
    expect([await fetchStatus(replica), await fetchStatus(patient)]).to.deep.equal([200, 200]);
    await peers?.close();
    peers = undefined;
    expect(await fetchStatus(replica)).to.equal(200);
    expect(await fetchStatus(replica, 'unknown')).to.equal(503);
    await until(async () => (await fetchStatus(replica)) === 503, { what: 'the stale gate expires' });
    expect(await fetchStatus(patient)).to.equal(200);
    patient.drop('v1', 2);
    expect(await fetchStatus(patient)).to.equal(503);
  });

  it('an unknown playback id is resolved again soon', async () => {
    const replica = await start();
    expect([await fetchStatus(replica, 'new'), await fetchStatus(replica, 'new')]).to.deep.equal([404, 404]);
    expect(state.calls.resolve).to.equal(1);
    state.videos.set('new', readyVideo('v1'));
    await until(async () => (await fetchStatus(replica, 'new')) === 200, {
      what: 'the new id is served',
      capMs: 5_000,
    });
  });

  it('viewers do not wait for a catalog that is down', async () => {
    let calls = 0;
    const resolve = async () => {
      calls += 1;
      if (calls > 1) throw new Error('down');
      return { ...readyVideo('v1'), subtitles: [], held: false, gateClosesInMs: undefined as never };
    };
    const gates = openGates({
      resolve,
      freshMs: 0,
      staleMs: 60_000,
      log: quiet,
      metrics: createMetrics('t'),
    });
    for (let index = 0; index < 50; index++)
      expect((await gates.find('pbk1abcdefghijklmnopqrstuvw', true)).value?.videoId).to.equal('v1');
    expect(calls).to.equal(2);
  });

  it('after catalog was restored to an earlier moment a gate is resolved once and cached, like before', async () => {
    const replica = await start();
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', readyVideo('v1', 5));
    expect(await fetchStatus(replica)).to.equal(200);
    replica.drop('v1', 6);
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', readyVideo('v1', 3));
    state.calls.resolve = 0;
    for (let index = 0; index < 5; index++) expect(await fetchStatus(replica)).to.equal(200);
    expect(state.calls.resolve).to.equal(1);
    // From the earlier version on, changes count as before.
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', { ...readyVideo('v1', 4), state: 'VIDEO_STATE_DELETED' });
    replica.drop('v1', 4);
    expect(await fetchStatus(replica)).to.equal(404);
  });

  it('a request without a valid token resolves no gate', async () => {
    const replica = await start();
    expect((await replica.get('/pbk1abcdefghijklmnopqrstuvw.m3u8')).status).to.equal(401);
    expect(
      (await replica.get(`/p/${await sign(signer, 'other')}/pbk1abcdefghijklmnopqrstuvw/master.m3u8`)).status,
    ).to.equal(403);
    expect(state.calls.resolve).to.equal(0);
  });
});
