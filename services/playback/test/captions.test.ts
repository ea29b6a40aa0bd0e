import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { expect } from 'chai';
import { captionTrack, cue, putTrack } from './caption-files.ts';
import { newFakeState, newSigner, servePeers, sign, type Signer } from './fake-services.ts';
import { putVideo, readyVideo, startPlayback, type Playback } from './playback.ts';

describe('serving captions', () => {
  const state = newFakeState();
  let bucket: TestBucket;
  let captions: TestBucket;
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let playback: Playback;
  let signer: Signer;
  let under: string;

  before(async () => {
    [bucket, captions] = await Promise.all([testBucket(), testBucket()]);
    await Promise.all([
      putVideo(bucket, 'v1', Buffer.alloc(1_000)),
      putTrack(captions, 'v1', 'en', 'Text'),
      putTrack(captions, 'v1', 'pt-BR', 'Palavras'),
      putTrack(captions, 'v1', 'fr', 'Mots'),
      putTrack(captions, 'v2', 'en', 'Of another video'),
    ]);
    signer = await newSigner('k1');
    state.keys = [signer.jwk];
    peers = await servePeers(state);
    playback = await startPlayback(peers.port, bucket, { captionsBucket: captions.bucket });
    under = `/p/${await sign(signer, 'pbk1abcdefghijklmnopqrstuvw')}/pbk1abcdefghijklmnopqrstuvw`;
  });
  beforeEach(() => {
    const tracks = [captionTrack('v1', 'en'), captionTrack('v1', 'pt-BR')];
    state.videos.set('pbk1abcdefghijklmnopqrstuvw', { ...readyVideo('v1'), tracks });
  });
  after(async () => {
    await playback.close();
    await peers.close();
    await Promise.all([bucket.drop(), captions.drop()]);
  });
  const get = (path: string, init?: RequestInit): Promise<Response> => playback.get(`${under}/${path}`, init);

  it('captions are reachable from the master playlist by relative addresses only', async () => {
    const entered = await fetch(`${playback.base}${under}/master.m3u8`);
    const [, address = ''] = /LANGUAGE="pt-BR".*URI="([^"]+)"/.exec(await entered.text()) ?? [];
    const list = await fetch(new URL(address, entered.url));
    expect([list.status, list.headers.get('content-type')]).to.deep.equal([200, 'application/vnd.apple.mpegurl']);
    const segment = await fetch(new URL('seg-00000.vtt', list.url));
    expect([segment.headers.get('content-type'), await segment.text()]).to.deep.equal([
      'text/vtt; charset=utf-8',
      cue('Palavras'),
    ]);
    expect(await list.text()).to.include('seg-00000.vtt');
    expect(await (await get('c/en/captions.vtt')).text()).to.equal(cue('Text'));
  });

  it('captions have entity tags, ranges and CORS, and are never immutable', async () => {
    const whole = await get('c/en/seg-00000.vtt');
    expect(whole.headers.get('cache-control')).to.equal('private, max-age=300');
    expect(whole.headers.get('access-control-allow-origin')).to.equal('*');
    const etag = whole.headers.get('etag') ?? '';
    expect((await get('c/en/seg-00000.vtt', { headers: { 'if-none-match': etag } })).status).to.equal(304);
    const part = await get('c/en/seg-00000.vtt', { headers: { range: 'bytes=0-5' } });
    expect([part.status, await part.text()]).to.deep.equal([206, 'WEBVTT']);
    const head = await get('c/en/index.m3u8', { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
  });

  it('captions expose nothing else of the bucket: no sentences, no hidden track, no other video', async () => {
    for (const path of [
      'c/en/track.json',
      'c/fr/index.m3u8',
      'c/EN/index.m3u8',
      'c/en/none.vtt',
      'c/en/../translate-fr.1/index.m3u8',
      'c/en/..%2ftranslate-fr.1%2findex.m3u8',
      'c/constructor/index.m3u8',
      'translate-en.1/index.m3u8',
    ])
      expect(await playback.rawStatus(`${under}/${path}`), path).to.equal(404);
  });

  it('captions need the token and the open gate of their video', async () => {
    expect((await playback.get(`/p/x/pbk1abcdefghijklmnopqrstuvw/c/en/index.m3u8`)).status).to.equal(401);
    expect(
      (
        await playback.get(
          `/p/${await sign(signer, 'pbk2abcdefghijklmnopqrstuvw')}/pbk1abcdefghijklmnopqrstuvw/c/en/index.m3u8`,
        )
      ).status,
    ).to.equal(403);
    state.videos.set('shut', {
      ...readyVideo('v1'),
      state: 'VIDEO_STATE_ARCHIVED',
      tracks: [captionTrack('v1', 'en')],
    });
    expect((await playback.get(`/p/${await sign(signer, 'shut')}/shut/c/en/index.m3u8`)).status).to.equal(404);
  });

  it('invalid caption tracks are skipped and logged, and the video plays', async () => {
    const tracks = [
      captionTrack('v2', 'en'),
      { ...captionTrack('v1', 'pt-BR'), name: 'a"b' },
      captionTrack('v1', 'e"n'),
    ];
    state.videos.set('odd', { ...readyVideo('v1'), tracks });
    const odd = `/p/${await sign(signer, 'odd')}/odd`;
    const master = await playback.get(`${odd}/master.m3u8`);
    expect(master.status).to.equal(200);
    const offered = (await master.text()).split('\n').filter((line) => line.includes('SUBTITLES,'));
    expect(offered).to.have.length(1);
    expect(offered[0]).to.include('NAME="pt-BR"');
    expect((await playback.get(`${odd}/c/en/index.m3u8`)).status).to.equal(404);
    expect(playback.lines.join('')).to.include('"languages":["en","e\\"n"]');
  });

  it('regenerated captions are served under the same address once the video has changed', async () => {
    await Promise.all([putVideo(bucket, 'v3', Buffer.alloc(10)), putTrack(captions, 'v3', 'en', 'Text')]);
    await putTrack(captions, 'v3', 'en', 'Better text', 2);
    state.videos.set('pbk3', { ...readyVideo('v3'), tracks: [captionTrack('v3', 'en')] });
    const path = `/p/${await sign(signer, 'pbk3')}/pbk3/c/en/captions.vtt`;
    const first = await playback.get(path);
    expect(await first.text()).to.equal(cue('Text'));
    state.videos.set('pbk3', { ...readyVideo('v3', 2), tracks: [captionTrack('v3', 'en', 2)] });
    playback.drop('v3', 2);
    const second = await playback.get(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect([second.status, await second.text()]).to.deep.equal([200, cue('Better text')]);
  });

  it('captions have their own label in the byte counter', async () => {
    const sent = () => playback.metric('vds_playback_sent_bytes_total', { kind: 'captions' });
    const before = await sent();
    const { length } = await (await get('c/en/captions.vtt')).text();
    expect(await sent()).to.equal(before + length);
    expect(await playback.metric('vds_http_seconds_count', { route: 'captions', status: '200' })).to.be.greaterThan(0);
  });
});
