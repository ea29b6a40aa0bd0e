/** A replica before a bucket with two finished titles (`pbk1`, `pbk2`) and a viewer with a token for the first. */
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { newKnown, newSigner, servePeers, sign, type Signer } from './fake-services.ts';
import { putTitle, readyVideo, startPlayback, type Playback } from './playback.ts';

export type Viewer = {
  bucket: TestBucket;
  playback: Playback;
  signer: Signer;
  token: string;
  /** Path of everything that the token opens. */
  under: string;
};

/** Registers the hooks of the calling suite; the viewer is whole once its tests run. */
export function viewerFixture(segment: Buffer): Viewer {
  const viewer = {} as Viewer;
  const known = newKnown();
  let peers: Awaited<ReturnType<typeof servePeers>>;

  before(async () => {
    viewer.bucket = await testBucket();
    await Promise.all([putTitle(viewer.bucket, 'v1', segment), putTitle(viewer.bucket, 'v2', segment)]);
    viewer.signer = await newSigner('k1');
    known.keys = [viewer.signer.jwk];
    known.videos.set('pbk1', readyVideo('v1')).set('pbk2', readyVideo('v2'));
    peers = await servePeers(known);
    viewer.playback = await startPlayback(peers.port, viewer.bucket);
    viewer.token = await sign(viewer.signer, 'pbk1');
    viewer.under = `/p/${viewer.token}/pbk1`;
  });
  after(async () => {
    await viewer.playback.close();
    await peers.close();
    await viewer.bucket.drop();
  });
  return viewer;
}
