/** Staff watches what is finished of a video that is still being encoded; nobody else does. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { sign } from './fake-services.ts';
import { viewerFixture } from './viewer-fixture.ts';

const videoId = '01kb2m4n5p6q7r8s9tavbwcxdy';
const segment = randomBytes(10_000);
const beginning = '#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:6.0,\n../../../piece-0.1/v/seg-00000.m4s\n';
const rung = {
  name: '720p',
  width: 1_280,
  height: 720,
  frameRate: 25,
  bandwidth: 2_000_000,
  averageBandwidth: 1_500_000,
};
const audio = { bandwidth: 130_000, averageBandwidth: 128_000, codecs: 'mp4a.40.2', channels: 2, sampleRate: 48_000 };

const processing = {
  ...({ videoId, state: 'VIDEO_STATE_PROCESSING', version: 1, durationMs: 0 } as const),
  ...{ ladderKey: '', thumbnailKey: '', held: false },
};

describe('a video that is still being encoded', () => {
  const viewer = viewerFixture(segment);
  const path = (token: string, rest: string): string => `/p/${token}/${videoId}/${rest}`;
  let staff: string;
  let apps: string;

  before(async () => {
    staff = await sign(viewer.signer, videoId, { preview: 'staff' });
    apps = await sign(viewer.signer, videoId, { preview: 'apps' });
    viewer.state.videos.set(videoId, processing);
    const client = viewer.bucket.client;
    for (const attempt of [1, 2])
      await client.putObject(viewer.bucket.bucket, `videos/${videoId}/${attempt}/piece-0.1/v/seg-00000.m4s`, segment);
  });

  it('nothing of a video is served to staff before something can be played', async () => {
    for (const rest of ['master.m3u8', 'preview/v/720p/index.m3u8', 'piece-0.1/v/seg-00000.m4s'])
      expect((await viewer.playback.get(path(staff, rest))).status, rest).to.equal(404);
    expect((await viewer.playback.get(`/${videoId}.m3u8?token=${staff}`)).status).to.equal(404);
  });

  it('the beginning of a video plays for staff as for viewers, and its playlists grow', async () => {
    const playlists = [
      { path: 'preview/v/720p/index.m3u8', text: beginning },
      { path: 'preview/a/index.m3u8', text: beginning },
    ];
    const rungs = [{ ...rung, codecs: 'avc1.64001f', playlistKey: 'preview/v/720p/index.m3u8' }];
    const sound = { ...audio, playlistKey: 'preview/a/index.m3u8', language: '' };
    viewer.state.previews.set(videoId, { videoId, attempt: 2, rungs, audio: sound, playlists });
    const master = await fetch(`${viewer.playback.base}/${videoId}.m3u8?token=${staff}`);
    expect([master.status, master.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    const text = await master.text();
    expect(text)
      .to.include('RESOLUTION=1280x720')
      .and.include('URI="preview/a/index.m3u8"')
      .and.not.include('LANGUAGE');
    const media = await fetch(new URL('preview/v/720p/index.m3u8', master.url));
    expect([media.headers.get('cache-control'), await media.text()]).to.deep.equal(['no-store', beginning]);
    const bytes = await fetch(new URL('../../../piece-0.1/v/seg-00000.m4s', media.url));
    expect(Buffer.from(await bytes.arrayBuffer()).equals(segment)).to.equal(true);
    expect(new URL(bytes.url).pathname).to.equal(path(staff, 'piece-0.1/v/seg-00000.m4s'));
    const grown = `${beginning}#EXTINF:6.0,\n../../../piece-1.1/v/seg-00000.m4s\n`;
    viewer.state.previews.set(videoId, {
      videoId,
      attempt: 2,
      rungs,
      playlists: [{ path: 'preview/v/720p/index.m3u8', text: grown }],
    });
    const isGrown = async () => (await (await fetch(media.url)).text()) === grown;
    await until(isGrown, { what: 'the playlist has grown', capMs: 10_000, everyMs: 100 });
  });

  it('a viewer’s token does not open a video that is being encoded, and neither does a token of an app for another video', async () => {
    const viewers = await sign(viewer.signer, videoId);
    const others = await sign(viewer.signer, '01kb2m4n5p6q7r8s9tavbwcxdz', { preview: 'apps' });
    for (const rest of ['master.m3u8', 'preview/v/720p/index.m3u8', 'piece-0.1/v/seg-00000.m4s']) {
      expect((await viewer.playback.get(path(viewers, rest))).status, rest).to.equal(404);
      expect((await viewer.playback.get(path(others, rest))).status, rest).to.equal(403);
    }
  });

  it('nothing but playlists and media of the attempt is served, and the views of staff and of apps are not counted', async () => {
    for (const token of [staff, apps]) {
      for (const rest of ['ladder.json', 'storyboard.vtt', 'c/en/index.m3u8', 'inspect.1/packets', 'v/none.m4s'])
        expect((await viewer.playback.get(path(token, rest))).status, rest).to.equal(404);
      expect((await viewer.playback.get(path(token, 'events'), { method: 'POST', body: '{}' })).status).to.equal(204);
    }
  });

  it('viewers of apps watch it while it is processed and while it is live, staff until it is deleted', async () => {
    const opened = { ladderKey: 'videos/v/2/assemble.1/ladder.json', state: 'VIDEO_STATE_READY' } as const;
    const cases = [
      [{}, 200, 200],
      [{ held: true }, 404, 200],
      [{ state: 'VIDEO_STATE_ARCHIVED' }, 404, 200],
      [{ state: 'VIDEO_STATE_FAILED' }, 404, 200],
      [{ state: 'VIDEO_STATE_DELETED' }, 404, 404],
      [opened, 200, 200],
      [{ ...opened, closesAt: performance.now() - 1 }, 404, 200],
      [{ ...opened, state: 'VIDEO_STATE_ARCHIVED' }, 404, 200],
    ] as const;
    for (const [place, [change, ofApps, ofStaff]] of cases.entries()) {
      const version = place + 2;
      viewer.state.videos.set(videoId, { ...processing, ...change, version });
      viewer.playback.drop(videoId, version);
      for (const address of ['master.m3u8', 'piece-0.1/v/seg-00000.m4s']) {
        const statuses = [apps, staff].map(async (token) => (await viewer.playback.get(path(token, address))).status);
        expect(await Promise.all(statuses), JSON.stringify(change)).to.deep.equal([ofApps, ofStaff]);
      }
    }
  });
});
