import { randomBytes } from 'node:crypto';
import { testBucket, type TestBucket } from '@vds/shared/testing/objects';
import { expect } from 'chai';
import { newKnown, newSigner, servePeers, sign, type Signer } from './peers.ts';
import { putTitle, readyVideo, startPlayback, type Playback } from './playback.ts';

const segment = randomBytes(300_000);

describe('viewing', () => {
  const known = newKnown();
  let bucket: TestBucket;
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let playback: Playback;
  let signer: Signer;
  let token: string;
  let under: string;

  before(async () => {
    bucket = await testBucket();
    await putTitle(bucket, 'v1', segment);
    await putTitle(bucket, 'v2', segment);
    await bucket.client.putObject(bucket.bucket, 'videos/v1/2/piece-0.1/v/seg-00000.m4s', 'another attempt');
    signer = await newSigner('k1');
    known.keys = [signer.jwk];
    known.videos.set('pbk1', readyVideo('v1')).set('pbk2', readyVideo('v2'));
    peers = await servePeers(known);
    playback = await startPlayback(peers.port, bucket);
    token = await sign(signer, 'pbk1');
    under = `/p/${token}/pbk1`;
  });
  after(async () => {
    await playback.close();
    await peers.close();
    await bucket.drop();
  });

  it('leads from the address that partners hand out to a path that carries the token', async () => {
    const response = await playback.get(`/pbk1.m3u8?token=${token}`);
    expect(response.status).to.equal(302);
    expect(new URL(response.headers.get('location') ?? '', response.url).pathname).to.equal(`${under}/master.m3u8`);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('referrer-policy')).to.equal('no-referrer');
  });

  it('serves every file that the playlists name, by relative addresses alone', async () => {
    const entered = await fetch(`${playback.base}/pbk1.m3u8?token=${token}`);
    const master = await entered.text();
    expect(entered.headers.get('content-type')).to.equal('application/vnd.apple.mpegurl');
    const named = (text: string): string[] =>
      [...text.matchAll(/URI="([^"]+)"/g)]
        .map(([, uri = '']) => uri)
        .concat(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
    const playlists = named(master);
    expect(playlists).to.have.members([
      'assemble.1/v/1080p/index.m3u8',
      'assemble.1/v/720p/index.m3u8',
      'audio.1/a/index.m3u8',
    ]);
    for (const playlist of playlists) {
      expect(playlist).not.to.match(/^[a-z]+:|^\//);
      const response = await fetch(new URL(playlist, entered.url));
      expect(response.status).to.equal(200);
      const files = named(await response.text());
      expect(files.length).to.equal(2);
      for (const file of files) expect((await fetch(new URL(file, response.url))).status, file).to.equal(200);
    }
  });

  it('gives bytes, types, lengths and ages', async () => {
    const table: readonly (readonly [path: string, type: string, age: string])[] = [
      ['piece-0.1/v/seg-00000.m4s', 'video/iso.segment', 'private, max-age=3600, immutable'],
      ['piece-0.1/v/init.mp4', 'video/mp4', 'private, max-age=3600, immutable'],
      ['assemble.1/v/720p/index.m3u8', 'application/vnd.apple.mpegurl', 'private, max-age=300'],
      ['piece-0.1/storyboard-0.jpg', 'image/jpeg', 'private, max-age=300'],
      ['assemble.1/storyboard.vtt', 'text/vtt; charset=utf-8', 'private, max-age=300'],
    ];
    for (const [path, type, age] of table) {
      const response = await playback.get(`${under}/${path}`);
      expect(
        [response.status, response.headers.get('content-type'), response.headers.get('cache-control')],
        path,
      ).to.deep.equal([200, type, age]);
      expect((await response.arrayBuffer()).byteLength).to.equal(Number(response.headers.get('content-length')));
    }
    const bytes = Buffer.from(await (await playback.get(`${under}/piece-0.1/v/seg-00000.m4s`)).arrayBuffer());
    expect(bytes.equals(segment)).to.equal(true);
  });

  it('has nothing else of the bucket: no ladder, no other attempt, no other video, no way up', async () => {
    for (const path of [
      'assemble.1/ladder.json',
      'ladder.json',
      'v/none.m4s',
      '../2/piece-0.1/v/seg-00000.m4s',
      '..%2f2/piece-0.1/v/seg-00000.m4s',
      '../../v2/1/piece-0.1/v/seg-00000.m4s',
      'piece-0.1',
      'piece-0.1/',
      '',
    ])
      expect(await playback.rawStatus(`${under}/${path}`), path).to.equal(404);
    const { get } = playback;
    for (const path of [
      '/',
      '/pbk1',
      '/pbk1.mpd',
      '/t/pbk1.png',
      `/p/${token}`,
      `/p/${token}/pbk1`,
      '/metrics',
      '/livez',
    ])
      expect((await get(path)).status, path).to.equal(404);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await get(`${under}/master.m3u8`, { method })).status).to.equal(404);
  });

  it('shows the thumbnail without a token, and the storyboard behind it', async () => {
    const thumbnail = await playback.get('/t/pbk1.jpg');
    expect([thumbnail.status, thumbnail.headers.get('content-type'), await thumbnail.text()]).to.deep.equal([
      200,
      'image/jpeg',
      'a picture',
    ]);
    const storyboard = await fetch(`${playback.base}${under}/storyboard.vtt`);
    expect(storyboard.url).to.match(/\/assemble\.1\/storyboard\.vtt$/);
    expect(await storyboard.text()).to.match(/^WEBVTT/);
    expect(await (await fetch(new URL('../piece-0.1/storyboard-0.jpg', storyboard.url))).text()).to.equal('tiles');
  });

  it('lets any page read, and says what it may ask', async () => {
    const answers = await Promise.all([
      playback.get(`${under}/master.m3u8`),
      playback.get('/t/pbk1.jpg'),
      playback.get('/pbk1.m3u8'),
      playback.get('/nothing'),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('access-control-expose-headers')).to.match(/Content-Length.*Content-Range.*ETag/);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(headers.has('x-powered-by')).to.equal(false);
    }
    const preflight = await playback.get(`${under}/master.m3u8`, {
      method: 'OPTIONS',
      headers: { origin: 'https://x.example', 'access-control-request-headers': 'range' },
    });
    expect([
      preflight.status,
      preflight.headers.get('access-control-allow-methods'),
      preflight.headers.get('access-control-allow-headers'),
    ]).to.deep.equal([204, 'GET, HEAD, OPTIONS', 'Range, If-Range, If-None-Match']);
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    for (const path of [`${under}/master.m3u8`, `${under}/piece-0.1/v/seg-00000.m4s`, '/t/pbk1.jpg', '/nothing']) {
      const [get, head] = [
        await playback.get(path),
        await playback.get(path, { method: 'HEAD', headers: { range: 'bytes=0-9' } }),
      ];
      for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
        expect(head.headers.get(name), `${name} of ${path}`).to.equal(get.headers.get(name));
      expect([head.status, await head.text()]).to.deep.equal([get.status, '']);
    }
  });

  it('gives parts of a segment', async () => {
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await playback.get(`${under}/piece-0.1/v/seg-00000.m4s`, { headers: { range, ...more } });
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        body: Buffer.from(await response.arrayBuffer()),
        etag: response.headers.get('etag') ?? '',
      };
    };
    const first = await part('bytes=0-9');
    expect([first.status, first.range]).to.deep.equal([206, 'bytes 0-9/300000']);
    expect(first.body.equals(segment.subarray(0, 10))).to.equal(true);
    expect((await part('bytes=-5')).body.equals(segment.subarray(-5))).to.equal(true);
    expect((await part('bytes=299990-')).body.equals(segment.subarray(-10))).to.equal(true);
    const outside = await part('bytes=300000-');
    expect([outside.status, outside.range, outside.body.length]).to.deep.equal([416, 'bytes */300000', 0]);
    const several = await part('bytes=0-9,20-29');
    expect([several.status, several.body.length]).to.deep.equal([200, 300_000]);
    expect((await part('bytes=0-9', { 'if-range': first.etag })).status).to.equal(206);
    expect((await part('bytes=0-9', { 'if-range': '"other"' })).status).to.equal(200);
  });

  it('says when the viewer has it already', async () => {
    for (const path of [`${under}/master.m3u8`, `${under}/piece-0.1/v/seg-00000.m4s`, '/t/pbk1.jpg']) {
      const etag = (await playback.get(path)).headers.get('etag') ?? '';
      expect(etag).to.match(/^"[^"]+"$/);
      const again = await playback.get(path, { headers: { 'if-none-match': `"x", W/${etag}` } });
      expect([again.status, again.headers.get('etag'), await again.text()]).to.deep.equal([304, etag, '']);
    }
  });

  it('writes down who came in by key id and token id, and never a token', async () => {
    const mine = await sign(signer, 'pbk1', { jti: 'the-token-id' });
    await fetch(`${playback.base}/pbk1.m3u8?token=${mine}`);
    await playback.get(`/p/${mine}/pbk2/master.m3u8`);
    await playback.get(`//p/${mine}/x`);
    const log = playback.lines.join('');
    expect(log).to.include('"jti":"the-token-id"').and.include('"kid":"k1"').and.include('/p/-/pbk1/master.m3u8');
    for (const secret of mine.split('.').slice(1)) expect(log).not.to.include(secret);
  });

  it('counts requests and bytes by kind', async () => {
    const sent = (): Promise<number> => playback.metric('vds_playback_sent_bytes_total', { kind: 'segment' });
    const before = await sent();
    await (await playback.get(`${under}/piece-0.1/v/seg-00000.m4s`)).arrayBuffer();
    expect(await sent()).to.equal(before + 300_000);
    const answered = await playback.metric('vds_http_seconds_count', {
      method: 'GET',
      route: 'segment',
      status: '200',
    });
    expect(answered).to.be.greaterThan(0);
    expect(await playback.metric('vds_playback_gate_reads_total', { outcome: 'remembered' })).to.be.greaterThan(0);
    expect(await playback.metric('vds_playback_object_reads_total', { outcome: 'cached' })).to.be.greaterThan(0);
  });
});
