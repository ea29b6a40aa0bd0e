import { events } from '@vds/proto/events';
import type { Bus } from '@vds/chassis/bus/bus';
import { freePort } from '@vds/testkit/servers/free-port';
import { testNats, type TestNats } from '@vds/testkit/harness/nats';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { openBus } from '@vds/testkit/harness/service-harness';
import { spawnService, type ServiceProcess } from '@vds/testkit/harness/service-process';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { captionTrack, putTrack } from './caption-files.ts';
import { newFakeState, newSigner, RPC_TOKEN, servePeers, sign, type Signer } from './fake-services.ts';
import { putVideo, readyVideo } from './playback.ts';

const service = new URL('..', import.meta.url);

describe('two replicas of playback', () => {
  const state = newFakeState();
  let nats: TestNats;
  let bucket: TestBucket;
  let captions: TestBucket;
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let catalogBus: Bus;
  let signer: Signer;
  const replicas: Replica[] = [];

  const boot = (environment: Record<string, string>): ServiceProcess => spawnService(service, environment);
  type Replica = ServiceProcess & { readonly base: string };

  const bootWith = (more: Record<string, string> = {}): ServiceProcess => {
    const target = `dns:///127.0.0.1:${peers.port}`;
    return boot({
      AUTH_RPC: target, CATALOG_RPC: target, TRANSCODE_RPC: target, RPC_TOKEN, NATS_URL: nats.url, MEDIA_BUCKET: bucket.bucket,
      CAPTIONS_BUCKET: captions.bucket,
      S3_ENDPOINT: bucket.endpoint, S3_REGION: bucket.region, S3_ACCESS_KEY: bucket.accessKey, S3_SECRET_KEY: bucket.secretKey,
      ...more,
    }); // prettier-ignore
  };
  const bootReady = async (more: Record<string, string> = {}): Promise<Replica> => {
    const replica = bootWith(more);
    await until(() => replica.lines.some((line) => line['msg'] === 'ready'), { what: 'a replica is ready' });
    const serving = replica.lines.find((line) => 'http_port' in line);
    return { ...replica, base: `http://127.0.0.1:${Number(serving?.['http_port'])}` };
  };

  before(async function () {
    this.timeout(30_000);
    nats = await testNats();
    [bucket, captions] = await Promise.all([testBucket(), testBucket()]);
    await Promise.all([putVideo(bucket, 'v1', Buffer.alloc(100_000)), putTrack(captions, 'v1', 'es')]);
    signer = await newSigner('k1');
    state.keys = [signer.jwk];
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', readyVideo('v1'));
    peers = await servePeers(state);
    catalogBus = await openBus(nats.url, 'catalog');
    // The test decides how long catalog takes, on a slow machine too.
    const patient = { TIME_SCALE: 'peerTimeout=60s' };
    replicas.push(...(await Promise.all([bootReady(patient), bootReady(patient)])));
  });
  after(async () => {
    for (const { process: child } of replicas) child.kill('SIGKILL');
    await catalogBus.close();
    await peers.close();
    await Promise.all([bucket.drop(), captions.drop()]);
    await nats.remove();
  });

  const fetchStatus = async ({ base }: Replica) => (await fetch(`${base}/t/pbk1abcdefghijklmnopqrstuvw.jpg`)).status;
  const publish = (version: number): Promise<void> =>
    catalogBus.publish(events.videoChanged, { videoId: 'v1', version }, `v1-${version}`);

  it('both replicas stop serving a deleted video at once', async () => {
    expect(await Promise.all(replicas.map(fetchStatus))).to.deep.equal([200, 200]);
    // Publishes versions that change nothing until both replicas are subscribed.
    let version = 1;
    await until(
      async () => {
        state.calls.resolve = 0;
        version += 1;
        state.videos.set('pbk1abcdefghijklmnopqrstuvw', readyVideo('v1', version));
        await publish(version);
        await Promise.all(replicas.map(fetchStatus));
        return state.calls.resolve === 2;
      },
      { what: 'both replicas are subscribed' },
    );
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', {
      ...readyVideo('v1', version + 1),
      state: 'VIDEO_STATE_DELETED',
      gateClosesInMs: 0,
    });
    await publish(version + 1);
    const since = performance.now();
    await until(async () => (await Promise.all(replicas.map(fetchStatus))).every((status) => status === 404), {
      what: 'both are closed',
    });
    expect(performance.now() - since).to.be.below(5_000); // the gate's 15 s were not waited for
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', readyVideo('v1', version + 2));
    await publish(version + 2);
    await until(async () => (await Promise.all(replicas.map(fetchStatus))).every((status) => status === 200), {
      what: 'both are open again',
    });
  });

  it('both replicas offer a caption track once it is ready, long before the gate expires', async () => {
    const token = await sign(signer, 'pbk1abcdefghijklmnopqrstuvw');
    const under = ({ base }: Replica): string => `${base}/p/${token}/pbk1abcdefghijklmnopqrstuvw`;
    const menu = async (replica: Replica): Promise<string> => (await fetch(`${under(replica)}/master.m3u8`)).text();
    for (const text of await Promise.all(replicas.map(menu))) expect(text).not.to.include('SUBTITLES');
    const version = 1 + Number(state.videos.get('pbk1abcdefghijklmnopqrstuvw')?.version);
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', {
      ...readyVideo('v1', version),
      tracks: [captionTrack('v1', 'es')],
    });
    await publish(version);
    const since = performance.now();
    await until(
      async () => (await Promise.all(replicas.map(menu))).every((text) => text.includes('URI="c/es/index.m3u8"')),
      {
        what: 'both offer the track',
      },
    );
    expect(performance.now() - since).to.be.below(5_000); // the gate's 15 s were not waited for
    for (const replica of replicas)
      expect(await (await fetch(`${under(replica)}/c/es/seg-00000.vtt`)).text()).to.include('Palabras');
  });

  it('replicas keep serving while NATS is down', async () => {
    await nats.stop();
    expect(await Promise.all(replicas.map(fetchStatus))).to.deep.equal([200, 200]);
    await nats.restart();
  });

  it('a replica starts while NATS is down', async () => {
    const further = await bootReady({ NATS_URL: `nats://127.0.0.1:${await freePort()}` });
    expect(await fetchStatus(further)).to.equal(200);
    further.process.kill('SIGKILL');
  }).timeout(30_000);

  it('a replica whose clock is a day and a half ahead or behind admits those who may watch, and nobody else', async () => {
    const skewed = new URL(import.meta.resolve('@vds/testkit/harness/clock-skew'));
    const replica = await bootReady({ NODE_OPTIONS: `--import=${skewed.href}` });
    const closesAt = performance.now() + 60_000;
    state.videos.set('closing', { ...readyVideo('v1'), state: 'VIDEO_STATE_ARCHIVED', closesAt });
    state.videos.set('closed', { ...readyVideo('v1'), state: 'VIDEO_STATE_ARCHIVED', gateClosesInMs: 0 });
    const hour = 3_600;
    const now = Math.floor(Date.now() / 1_000);
    const enter = async (playbackId: string, claims: object = {}): Promise<number> => {
      const token = await sign(signer, playbackId, { ...claims });
      return (await fetch(`${replica.base}/${playbackId}.m3u8?token=${token}`, { redirect: 'manual' })).status;
    };
    const outcomes = async () => ({
      open: await enter('closing'),
      closed: await enter('closed'),
      expired: await enter('closing', { iat: now - 2 * hour, exp: now - hour }),
    });
    try {
      for (const clock of ['right', 'ahead', 'behind']) {
        expect(await outcomes(), clock).to.deep.equal({ open: 302, closed: 404, expired: 403 });
        replica.process.kill('SIGUSR2');
      }
    } finally {
      replica.process.kill('SIGKILL');
    }
  }).timeout(30_000);

  it('a replica is not ready while a bucket is missing, and names the check', async () => {
    const admin = await freePort();
    const { process: child, exited } = bootWith({ MEDIA_BUCKET: 'vds-no-such-bucket', ADMIN_PORT: String(admin) });
    const readyz = async (): Promise<string> => (await fetch(`http://127.0.0.1:${admin}/readyz`)).text();
    const expected = /"ready":false.*"auth_reached":"ok".*"media_reached":"failing"/;
    await until(async () => expected.test(await readyz()), { what: '/readyz names the check' });
    child.kill('SIGTERM');
    expect(await exited).to.equal(0);
  });
});
