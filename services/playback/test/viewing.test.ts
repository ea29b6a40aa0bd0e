import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sign } from './fake-services.ts';
import { viewerFixture } from './viewer-fixture.ts';

const segment = randomBytes(300_000);

describe('watching a video', () => {
  const viewer = viewerFixture(segment);

  before(() =>
    viewer.bucket.client.putObject(viewer.bucket.bucket, 'videos/v1/2/piece-0.1/v/seg-00000.m4s', 'another attempt'),
  );

  it('the published address redirects to a path with the token', async () => {
    const response = await viewer.playback.get(`/pbk1abcdefghijklmnopqrstuvw.m3u8?token=${viewer.token}`);
    expect(response.status).to.equal(302);
    expect(new URL(response.headers.get('location') ?? '', response.url).pathname).to.equal(
      `${viewer.under}/master.m3u8`,
    );
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('referrer-policy')).to.equal('no-referrer');
  });

  it('every file of the playlists is served by relative addresses only', async () => {
    const entered = await fetch(`${viewer.playback.base}/pbk1abcdefghijklmnopqrstuvw.m3u8?token=${viewer.token}`);
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

  it('files have their bytes, types, lengths and cache-control', async () => {
    const table: readonly (readonly [path: string, type: string, age: string])[] = [
      ['piece-0.1/v/seg-00000.m4s', 'video/iso.segment', 'private, max-age=3600, immutable'],
      ['piece-0.1/v/init.mp4', 'video/mp4', 'private, max-age=3600, immutable'],
      ['assemble.1/v/720p/index.m3u8', 'application/vnd.apple.mpegurl', 'private, max-age=300'],
      ['piece-0.1/storyboard-0.jpg', 'image/jpeg', 'private, max-age=300'],
      ['assemble.1/storyboard.vtt', 'text/vtt; charset=utf-8', 'private, max-age=300'],
    ];
    for (const [path, type, age] of table) {
      const response = await viewer.playback.get(`${viewer.under}/${path}`);
      expect(
        [response.status, response.headers.get('content-type'), response.headers.get('cache-control')],
        path,
      ).to.deep.equal([200, type, age]);
      expect((await response.arrayBuffer()).byteLength).to.equal(Number(response.headers.get('content-length')));
    }
    const bytes = Buffer.from(
      await (await viewer.playback.get(`${viewer.under}/piece-0.1/v/seg-00000.m4s`)).arrayBuffer(),
    );
    expect(bytes.equals(segment)).to.equal(true);
  });

  it('nothing else of the bucket is served: no ladder, no other attempt or video, no parent path', async () => {
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
      expect(await viewer.playback.rawStatus(`${viewer.under}/${path}`), path).to.equal(404);
    const { get } = viewer.playback;
    for (const path of [
      '/',
      '/pbk1abcdefghijklmnopqrstuvw',
      '/pbk1abcdefghijklmnopqrstuvw.mpd',
      '/t/pbk1abcdefghijklmnopqrstuvw.png',
      `/p/${viewer.token}`,
      `/p/${viewer.token}/pbk1abcdefghijklmnopqrstuvw`,
      '/metrics',
      '/livez',
    ])
      expect((await get(path)).status, path).to.equal(404);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await get(`${viewer.under}/master.m3u8`, { method })).status).to.equal(404);
  });

  it('the thumbnail needs no token, the storyboard does', async () => {
    const thumbnail = await viewer.playback.get('/t/pbk1abcdefghijklmnopqrstuvw.jpg');
    expect([thumbnail.status, thumbnail.headers.get('content-type'), await thumbnail.text()]).to.deep.equal([
      200,
      'image/jpeg',
      'a picture',
    ]);
    const storyboard = await fetch(`${viewer.playback.base}${viewer.under}/storyboard.vtt`);
    expect(storyboard.url).to.match(/\/assemble\.1\/storyboard\.vtt$/);
    expect(await storyboard.text()).to.match(/^WEBVTT/);
    expect(await (await fetch(new URL('../piece-0.1/storyboard-0.jpg', storyboard.url))).text()).to.equal('tiles');
  });

  it('CORS allows any page', async () => {
    const responses = await Promise.all([
      viewer.playback.get(`${viewer.under}/master.m3u8`),
      viewer.playback.get('/t/pbk1abcdefghijklmnopqrstuvw.jpg'),
      viewer.playback.get('/pbk1abcdefghijklmnopqrstuvw.m3u8'),
      viewer.playback.get('/nothing'),
    ]);
    for (const { headers } of responses) {
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('access-control-expose-headers')).to.match(/Content-Length.*Content-Range.*ETag/);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(headers.has('x-powered-by')).to.equal(false);
    }
  });

  for (const [player, headers] of [
    ['a Chromecast receiver', ['accept-encoding', 'content-type', 'range']],
    ['a smart TV', ['content-type', 'accept-encoding', 'range', 'if-none-match', 'if-modified-since', 'cache-control']],
    ['hls.js that resumes', ['range', 'if-range']],
    ['a player that reports client data', ['cmcd-object', 'cmcd-request', 'cmcd-session', 'cmcd-status', 'range']],
  ] as const)
    it(`the preflight request of ${player} is allowed on every path`, async () => {
      for (const path of [
        '/pbk1abcdefghijklmnopqrstuvw.m3u8',
        `${viewer.under}/master.m3u8`,
        `${viewer.under}/v/0/1.m4s`,
        '/t/pbk1abcdefghijklmnopqrstuvw.jpg',
      ]) {
        const preflight = await viewer.playback.get(path, {
          method: 'OPTIONS',
          headers: {
            origin: 'https://x.example',
            'access-control-request-method': 'GET',
            'access-control-request-headers': headers.join(','),
          },
        });
        const listed = (name: string): string[] => preflight.headers.get(name)?.toLowerCase().split(', ') ?? [];
        expect([preflight.status, await preflight.text()], path).to.deep.equal([204, '']);
        expect(preflight.headers.get('access-control-allow-origin')).to.equal('*');
        expect(listed('access-control-allow-methods')).to.have.members(['get', 'head', 'post', 'options']);
        expect(listed('access-control-allow-headers')).to.include.members([...headers]);
        expect(preflight.headers.get('access-control-max-age')).to.equal('86400');
      }
    });

  it('playback starts are logged with key id and token id, never with the token', async () => {
    const mine = await sign(viewer.signer, 'pbk1abcdefghijklmnopqrstuvw', { jti: 'the-token-id' });
    await fetch(`${viewer.playback.base}/pbk1abcdefghijklmnopqrstuvw.m3u8?token=${mine}`);
    await viewer.playback.get(`/p/${mine}/pbk2abcdefghijklmnopqrstuvw/master.m3u8`);
    await viewer.playback.get(`//p/${mine}/x`);
    const log = viewer.playback.lines.join('');
    expect(log)
      .to.include('"jti":"the-token-id"')
      .and.include('"kid":"k1"')
      .and.include('/p/-/pbk1abcdefghijklmnopqrstuvw/master.m3u8');
    for (const secret of mine.split('.').slice(1)) expect(log).not.to.include(secret);
  });

  it('requests and bytes are counted by kind', async () => {
    const sent = (): Promise<number> => viewer.playback.metric('vds_playback_sent_bytes_total', { kind: 'segment' });
    const before = await sent();
    await (await viewer.playback.get(`${viewer.under}/piece-0.1/v/seg-00000.m4s`)).arrayBuffer();
    expect(await sent()).to.equal(before + 300_000);
    const requests = await viewer.playback.metric('vds_http_seconds_count', {
      method: 'GET',
      route: 'segment',
      status: '200',
    });
    expect(requests).to.be.greaterThan(0);
    expect(await viewer.playback.metric('vds_playback_gate_reads_total', { outcome: 'cached' })).to.be.greaterThan(0);
    expect(await viewer.playback.metric('vds_playback_object_reads_total', { outcome: 'cached' })).to.be.greaterThan(0);
  });
});
