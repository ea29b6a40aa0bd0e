/** A replica with two finished videos (`pbk1abcdefghijklmnopqrstuvw`, `pbk2abcdefghijklmnopqrstuvw`) in its bucket, and a viewer with a token for the first. */
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { newFakeState, newSigner, servePeers, sign, type FakeState, type Signer } from './fake-services.ts';
import { putVideo, readyVideo, startPlayback, type Playback } from './playback.ts';

export type Viewer = {
  bucket: TestBucket;
  playback: Playback;
  /** Where auth and catalog answer. */
  peersPort: number;
  signer: Signer;
  state: FakeState;
  token: string;
  /** Path of everything that the token gives access to. */
  under: string;
};

/** Registers the hooks of the calling suite; the viewer is complete once its tests run. */
export function viewerFixture(segment: Buffer): Viewer {
  const viewer = {} as Viewer;
  const state = newFakeState();
  viewer.state = state;
  let peers: Awaited<ReturnType<typeof servePeers>>;

  before(async () => {
    viewer.bucket = await testBucket();
    await Promise.all([putVideo(viewer.bucket, 'v1', segment), putVideo(viewer.bucket, 'v2', segment)]);
    viewer.signer = await newSigner('k1');
    state.keys = [viewer.signer.jwk];
    state.videos
      .set('pbk1abcdefghijklmnopqrstuvw', readyVideo('v1'))
      .set('pbk2abcdefghijklmnopqrstuvw', readyVideo('v2'));
    peers = await servePeers(state);
    viewer.peersPort = peers.port;
    viewer.playback = await startPlayback(peers.port, viewer.bucket);
    viewer.token = await sign(viewer.signer, 'pbk1abcdefghijklmnopqrstuvw');
    viewer.under = `/p/${viewer.token}/pbk1abcdefghijklmnopqrstuvw`;
  });
  after(async () => {
    await viewer.playback.close();
    await peers.close();
    await viewer.bucket.drop();
  });
  return viewer;
}
