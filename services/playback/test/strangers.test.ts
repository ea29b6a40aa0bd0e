/** Requests that need no token: what a stranger's made-up ids cost catalog and other viewers. */
import { randomBytes } from 'node:crypto';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { newFakeState, newSigner, servePeers, sign, type Signer } from './fake-services.ts';
import { putVideo, readyVideo, startPlayback, type Playback } from './playback.ts';

const REAL = 'real'.padEnd(27, '0');
const OTHER = 'other'.padEnd(27, '0');

function madeUp(): string {
  return randomBytes(20).toString('hex').slice(0, 27);
}

describe('strangers at playback', () => {
  const state = newFakeState();
  let bucket: TestBucket;
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let playback: Playback;
  let signer: Signer;

  before(async () => {
    bucket = await testBucket();
    await putVideo(bucket, 'v1', Buffer.alloc(10));
    signer = await newSigner('k1');
    state.keys = [signer.jwk];
    state.videos.set(REAL, readyVideo('v1')).set(OTHER, readyVideo('v1'));
    peers = await servePeers(state);
  });
  beforeEach(async () => {
    state.calls.resolve = 0;
    state.beforeReply = async () => {};
    playback = await startPlayback(peers.port, bucket);
  });
  afterEach(() => playback.close());
  after(async () => {
    await peers.close();
    await bucket.drop();
  });

  const thumbnail = async (id: string): Promise<number> => {
    const response = await playback.get(`/t/${id}.jpg`);
    await response.arrayBuffer();
    return response.status;
  };
  const master = async (id: string): Promise<number> =>
    (await playback.get(`/p/${await sign(signer, id)}/${id}/master.m3u8`)).status;

  it('an id of another form never reaches catalog', async () => {
    for (const id of ['a', 'x'.repeat(26), 'x'.repeat(28), 'x'.repeat(64), `${'x'.repeat(26)}_`, `${'x'.repeat(26)}-`])
      expect(await thumbnail(id), id).to.equal(404);
    expect(state.calls.resolve).to.equal(0);
    expect(await thumbnail(REAL)).to.equal(200);
  });

  it('one made-up id that is asked for again and again reaches catalog about once a second', async () => {
    const id = madeUp();
    const from = performance.now();
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 20 }, () => thumbnail(id)));
    expect(state.calls.resolve).to.be.within(1, 2 + (performance.now() - from) / 1_000);
  });

  it('made-up ids are asked for a few at a time, and hold up neither viewers nor known thumbnails', async () => {
    expect(await thumbnail(REAL)).to.equal(200);
    const replies: (() => void)[] = [];
    let isHeld = true;
    state.beforeReply = () => (isHeld ? new Promise((resolve) => void replies.push(resolve)) : Promise.resolve());
    state.calls.resolve = 0;
    const flood = Array.from({ length: 300 }, () => thumbnail(madeUp()));
    await until(() => state.calls.resolve > 0, { what: 'the flood reaches catalog' });
    expect(await thumbnail(REAL)).to.equal(200);
    // Every request of the flood has been read by now: this one was sent after them.
    const viewer = master(OTHER);
    await until(() => state.calls.resolve === 9, { what: 'catalog is asked about the viewer’s video' });
    isHeld = false;
    for (const reply of replies) reply();
    expect(await viewer).to.equal(200);
    expect(new Set(await Promise.all(flood))).to.deep.equal(new Set([404]));
  });

  it('strangers that are too many are told to come back', async () => {
    const replies: (() => void)[] = [];
    let isHeld = true;
    state.beforeReply = () => (isHeld ? new Promise((resolve) => void replies.push(resolve)) : Promise.resolve());
    const flood = Array.from({ length: 600 }, () => thumbnail(madeUp()));
    expect(await Promise.race(flood)).to.equal(503);
    expect(state.calls.resolve).to.be.at.most(8);
    isHeld = false;
    for (const reply of replies) reply();
    expect(new Set(await Promise.all(flood))).to.deep.equal(new Set([503, 404]));
  });
});
