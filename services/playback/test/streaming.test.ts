import { connect, createServer, type Server, type Socket } from 'node:net';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { lasts, until } from '@vds/testkit/until';
import { expect } from 'chai';
import { newFakeState, newSigner, servePeers, sign, type Signer } from './fake-services.ts';
import { putVideo, readyVideo, startPlayback, type Playback } from './playback.ts';

const MI_B = 1024 * 1024;
const large = Buffer.alloc(48 * MI_B, 7);

/** A connection to the bucket that can be cut, for one that fails in the middle of a response, or be slow to respond. */
async function openBreakableProxy(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  let whole = true;
  let held = Promise.resolve();
  const server: Server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far);
    void held.then(() => far.pipe(near));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  const cut = (): void => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  /** Holds back the responses of connections from now on, until the returned function is called. */
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return resolve;
  };
  return { url: `http://127.0.0.1:${address.port}`, cut, hold, close: async () => (cut(), void server.close()) };
}

describe('streaming from the bucket', () => {
  const state = newFakeState();
  let bucket: TestBucket;
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let signer: Signer;
  let path: string;

  before(async function () {
    this.timeout(20_000);
    bucket = await testBucket();
    await putVideo(bucket, 'v1', large);
    signer = await newSigner('k1');
    state.keys = [signer.jwk];
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', readyVideo('v1'));
    peers = await servePeers(state);
    path = `/p/${await sign(signer, 'pbk1abcdefghijklmnopqrstuvw')}/pbk1abcdefghijklmnopqrstuvw/piece-0.1/v/seg-00000.m4s`;
  });
  after(async () => {
    await peers.close();
    await bucket.drop();
  });

  const openReads = (playback: Playback): Promise<number> => playback.metric('vds_playback_open_reads');
  const sent = (playback: Playback): Promise<number> =>
    playback.metric('vds_playback_sent_bytes_total', { kind: 'segment' });
  const readsEnd = (playback: Playback): Promise<unknown> =>
    until(async () => (await openReads(playback)) === 0, { what: 'nothing is read any more' });

  it('reading the bucket stops when the viewer disconnects', async () => {
    const playback = await startPlayback(peers.port, bucket);
    try {
      const leaving = new AbortController();
      const response = await playback.get(path, { signal: leaving.signal });
      await response.body?.getReader().read();
      expect(await openReads(playback)).to.equal(1);
      leaving.abort();
      await readsEnd(playback);
      expect(await sent(playback)).to.be.below(large.length);
      expect(playback.lines.join('')).not.to.match(/"level":"(error|warn)"/);
    } finally {
      await playback.close();
    }
  });

  it('the bucket is read at the viewer’s speed, and an idle viewer is disconnected', async () => {
    const playback = await startPlayback(peers.port, bucket, { idleMs: 400 });
    const viewer = connect(playback.port, '127.0.0.1');
    viewer.pause();
    try {
      viewer.on('error', () => {});
      viewer.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
      await until(async () => (await sent(playback)) > 0, { what: 'bytes flow' });
      await readsEnd(playback);
      expect(await sent(playback)).to.be.below(large.length / 2);
    } finally {
      viewer.destroy();
      await playback.close();
    }
  });

  it('a viewer who reads a little all the time, but far too slowly, is disconnected', async () => {
    const playback = await startPlayback(peers.port, bucket, { idleMs: 1_500, minBytesPerSecond: 16 * MI_B });
    const viewer = connect(playback.port, '127.0.0.1').on('error', () => {});
    let read = 0;
    // Slower than the least, and faster than the buffers on the way could hide for a whole the idle time.
    const dripping = setInterval(() => {
      for (let more = 0; more < 4; more += 1) read += (viewer.read() as Buffer | null)?.length ?? 0;
    }, 50);
    try {
      viewer.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
      viewer.pause();
      viewer.on('readable', () => {});
      await until(async () => (await sent(playback)) > 0, { what: 'bytes flow' });
      await readsEnd(playback);
      expect(read).to.be.above(0);
      expect(await sent(playback)).to.be.below(large.length);
    } finally {
      clearInterval(dripping);
      viewer.destroy();
      await playback.close();
    }
  });

  it('a viewer is not blamed for a slow bucket', async () => {
    const proxy = await openBreakableProxy(bucket.endpoint);
    const idleMs = 200;
    const playback = await startPlayback(peers.port, bucket, { endpoint: proxy.url, idleMs });
    try {
      await playback.get(path, { method: 'HEAD' });
      const respond = proxy.hold();
      const response = playback.get(path, { headers: { range: 'bytes=0-99' } }).then((got) => got.arrayBuffer());
      response.catch(() => {}); // asserted below
      await until(async () => (await openReads(playback)) === 1, { what: 'the bucket is asked' });
      await lasts(4 * idleMs);
      respond();
      expect((await response).byteLength).to.equal(100);
    } finally {
      await playback.close();
      await proxy.close();
    }
  });

  it('a response is cut when the bucket fails midway, so that no player mistakes it for complete', async () => {
    const proxy = await openBreakableProxy(bucket.endpoint);
    const playback = await startPlayback(peers.port, bucket, { endpoint: proxy.url });
    try {
      const response = await playback.get(path);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      proxy.cut();
      const readOn = async (): Promise<string> => ((await reader.read()).done ? 'whole' : readOn());
      expect(await readOn().catch(() => 'cut')).to.equal('cut');
      expect(await playback.get('/t/pbk1abcdefghijklmnopqrstuvw.jpg').then(({ status }) => status)).to.equal(503);
      await readsEnd(playback);
      expect(await sent(playback)).to.be.below(large.length);
    } finally {
      await playback.close();
      await proxy.close();
    }
  });

  it('a bucket that is down gets 503 with retry-after', async () => {
    const proxy = await openBreakableProxy(bucket.endpoint);
    const playback = await startPlayback(peers.port, bucket, { endpoint: proxy.url });
    try {
      await proxy.close();
      for (const target of [path, path.replace(/piece.*/, 'master.m3u8')]) {
        const response = await playback.get(target);
        expect([response.status, response.headers.get('retry-after')]).to.deep.equal([503, '1']);
      }
    } finally {
      await playback.close();
    }
  });
});
