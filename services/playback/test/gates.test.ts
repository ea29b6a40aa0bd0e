import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { openGates } from '../src/outbound/gates.ts';
import { newKnown, newSigner, servePeers, sign, type Signer } from './fake-services.ts';
import { putTitle, readyVideo, startPlayback, type Playback } from './playback.ts';

const quiet = createLogger('t', 'error', { write: () => {} });

describe('what catalog says of a video', () => {
  const known = newKnown();
  let bucket: TestBucket;
  let peers: Awaited<ReturnType<typeof servePeers>> | undefined;
  let port = 0;
  let signer: Signer;
  const replicas: Playback[] = [];

  before(async () => {
    bucket = await testBucket();
    await putTitle(bucket, 'v1', Buffer.alloc(10));
    signer = await newSigner('k1');
    known.keys = [signer.jwk];
  });
  beforeEach(async () => {
    known.videos.clear();
    known.videos.set('pbk1', readyVideo('v1'));
    known.asked.resolve = 0;
    known.beforeAnswer = async () => {};
    peers = await servePeers(known);
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
  const look = async (replica: Playback, playbackId = 'pbk1'): Promise<number> =>
    (await replica.get(`/t/${playbackId}.jpg`)).status;

  it('is asked once while it is fresh, and once more when it is not', async () => {
    const replica = await start({ freshMs: 300 });
    for (let index = 0; index < 5; index++) expect(await look(replica)).to.equal(200);
    expect(known.asked.resolve).to.equal(1);
    await until(async () => (await look(replica)) === 200 && known.asked.resolve === 2, {
      what: 'catalog is asked again',
    });
  });

  it('is asked once for any number of viewers who come at the same time', async () => {
    let answer = (): void => {};
    known.beforeAnswer = () => new Promise((resolve) => (answer = resolve));
    const replica = await start();
    const looks = Array.from({ length: 20 }, () => look(replica));
    await until(() => known.asked.resolve === 1, { what: 'catalog is asked' });
    answer();
    expect(new Set(await Promise.all(looks))).to.deep.equal(new Set([200]));
    expect(known.asked.resolve).to.equal(1);
  });

  it('closes the gate at its own moment, the same on every replica, without being asked again', async () => {
    const [a, b] = [await start(), await start()];
    const closesAt = Date.now() + 700;
    known.videos.set('pbk1', { ...readyVideo('v1', 2), state: 'VIDEO_STATE_ARCHIVED', gateClosesAtMs: closesAt });
    expect([await look(a), await look(b)]).to.deep.equal([200, 200]);
    const closedSeen = async (replica: Playback): Promise<number> => {
      for (;;) {
        const asked = Date.now();
        const status = await look(replica);
        const answered = Date.now();
        if (answered < closesAt) expect(status).to.equal(200);
        if (asked >= closesAt) expect(status).to.equal(404);
        if (status === 404) return answered;
      }
    };
    await Promise.all([closedSeen(a), closedSeen(b)]);
    expect(known.asked.resolve).to.equal(2);
  });

  it('is dropped when the video has changed, but not by older news', async () => {
    const replica = await start();
    known.videos.set('pbk1', readyVideo('v1', 5));
    expect(await look(replica)).to.equal(200);
    known.videos.set('pbk1', { ...readyVideo('v1', 6), state: 'VIDEO_STATE_DELETED', gateClosesAtMs: Date.now() });
    replica.drop('v1', 5);
    expect(await look(replica)).to.equal(200);
    replica.drop('v2', 9);
    expect(await look(replica)).to.equal(200);
    replica.drop('v1', 6);
    expect(await look(replica)).to.equal(404);
    expect(known.asked.resolve).to.equal(2);
  });

  it('is not believed when it was on its way while the video changed', async () => {
    let answer = (): void => {};
    known.beforeAnswer = () => new Promise((resolve) => (answer = resolve));
    const replica = await start();
    const looking = look(replica);
    await until(() => known.asked.resolve === 1, { what: 'catalog is asked' });
    known.videos.set('pbk1', { ...readyVideo('v1', 2), state: 'VIDEO_STATE_DELETED', gateClosesAtMs: Date.now() });
    replica.drop('v1', 2);
    known.beforeAnswer = async () => {};
    answer();
    expect(await looking).to.equal(404);
  });

  it('holds on while catalog is away, but not for ever, and not after the video has changed', async () => {
    const replica = await start({ freshMs: 100, staleMs: 1_500 });
    const patient = await start({ freshMs: 100 });
    expect([await look(replica), await look(patient)]).to.deep.equal([200, 200]);
    await peers?.close();
    peers = undefined;
    expect(await look(replica)).to.equal(200);
    expect(await look(replica, 'unknown')).to.equal(503);
    await until(async () => (await look(replica)) === 503, { what: 'the last word is too old' });
    expect(await look(patient)).to.equal(200);
    patient.drop('v1', 2);
    expect(await look(patient)).to.equal(503);
  });

  it('is asked again soon about an id that nobody knew', async () => {
    const replica = await start();
    expect([await look(replica, 'new'), await look(replica, 'new')]).to.deep.equal([404, 404]);
    expect(known.asked.resolve).to.equal(1);
    known.videos.set('new', readyVideo('v1'));
    await until(async () => (await look(replica, 'new')) === 200, { what: 'the new id is known', capMs: 5_000 });
  });

  it('does not make every viewer wait for a catalog that is away', async () => {
    let questions = 0;
    const resolve = async () => {
      questions += 1;
      if (questions > 1) throw new Error('away');
      return { value: { ...readyVideo('v1'), subtitles: [], gateClosesAtMs: undefined as never }, ageMs: 0 };
    };
    const gates = openGates({
      resolve,
      freshMs: 0,
      staleMs: 60_000,
      log: quiet,
      metrics: createMetrics('t'),
    });
    for (let index = 0; index < 50; index++) expect((await gates.find('pbk1'))?.videoId).to.equal('v1');
    expect(questions).to.equal(2);
  });

  it('is not kept while it is older than what was heard', async () => {
    let questions = 0;
    const resolve = async () => {
      questions += 1;
      return { value: { ...readyVideo('v1', 3), subtitles: [] }, ageMs: 0 };
    };
    const gates = openGates({ resolve, freshMs: 60_000, staleMs: 60_000, log: quiet, metrics: createMetrics('t') });
    gates.drop('v1', 4);
    expect((await gates.find('pbk1'))?.version).to.equal(3);
    const before = questions;
    await gates.find('pbk1');
    expect(questions).to.be.greaterThan(before);
  });

  it('matters only to who has a token', async () => {
    const replica = await start();
    expect((await replica.get('/pbk1.m3u8')).status).to.equal(401);
    expect((await replica.get(`/p/${await sign(signer, 'other')}/pbk1/master.m3u8`)).status).to.equal(403);
    expect(known.asked.resolve).to.equal(0);
  });
});
