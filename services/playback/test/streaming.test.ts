import { connect, createServer, type Server, type Socket } from 'node:net';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { newKnown, newSigner, servePeers, sign, type Signer } from './fake-services.ts';
import { putTitle, readyVideo, startPlayback, type Playback } from './playback.ts';

const MiB = 1024 * 1024;
const large = Buffer.alloc(48 * MiB, 7);

/** A wire to the bucket that can be cut: for a bucket that goes away in the middle of an answer. */
async function cuttableWire(endpoint: string): Promise<{ url: string; cut: () => void; close: () => Promise<void> }> {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  let whole = true;
  const server: Server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  const cut = (): void => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${address.port}`, cut, close: async () => (cut(), void server.close()) };
}

describe('streaming', () => {
  const known = newKnown();
  let bucket: TestBucket;
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let signer: Signer;
  let path: string;

  before(async function () {
    this.timeout(20_000);
    bucket = await testBucket();
    await putTitle(bucket, 'v1', large);
    signer = await newSigner('k1');
    known.keys = [signer.jwk];
    known.videos.set('pbk1', readyVideo('v1'));
    peers = await servePeers(known);
    path = `/p/${await sign(signer, 'pbk1')}/pbk1/piece-0.1/v/seg-00000.m4s`;
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

  it('stops reading the bucket when the viewer goes away', async () => {
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

  it('reads no faster than the viewer takes, and lets go of one who takes nothing', async () => {
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

  it('cuts the answer when the bucket goes away in its middle, so that nobody takes it for whole', async () => {
    const wire = await cuttableWire(bucket.endpoint);
    const playback = await startPlayback(peers.port, bucket, { endpoint: wire.url });
    try {
      const response = await playback.get(path);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      wire.cut();
      const readOn = async (): Promise<string> => ((await reader.read()).done ? 'whole' : readOn());
      expect(await readOn().catch(() => 'cut')).to.equal('cut');
      expect(await playback.get('/t/pbk1.jpg').then(({ status }) => status)).to.equal(503);
      await readsEnd(playback);
      expect(await sent(playback)).to.be.below(large.length);
    } finally {
      await playback.close();
      await wire.close();
    }
  });

  it('says 503 and when to come again while the bucket is away', async () => {
    const wire = await cuttableWire(bucket.endpoint);
    const playback = await startPlayback(peers.port, bucket, { endpoint: wire.url });
    try {
      await wire.close();
      for (const asked of [path, path.replace(/piece.*/, 'master.m3u8')]) {
        const response = await playback.get(asked);
        expect([response.status, response.headers.get('retry-after')]).to.deep.equal([503, '1']);
      }
    } finally {
      await playback.close();
    }
  });
});
