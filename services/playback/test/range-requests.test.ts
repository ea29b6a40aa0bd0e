import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { viewerFixture } from './viewer-fixture.ts';

const segment = randomBytes(300_000);

describe('conditional and range requests', () => {
  const viewer = viewerFixture(segment);

  it('HEAD gets the headers of GET and no body', async () => {
    for (const path of [
      `${viewer.under}/master.m3u8`,
      `${viewer.under}/piece-0.1/v/seg-00000.m4s`,
      '/t/pbk1abcdefghijklmnopqrstuvw.jpg',
      '/nothing',
    ]) {
      const [get, head] = [
        await viewer.playback.get(path),
        await viewer.playback.get(path, { method: 'HEAD', headers: { range: 'bytes=0-9' } }),
      ];
      for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
        expect(head.headers.get(name), `${name} of ${path}`).to.equal(get.headers.get(name));
      expect([head.status, await head.text()]).to.deep.equal([get.status, '']);
    }
  });

  it('byte ranges of a segment are served', async () => {
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await viewer.playback.get(`${viewer.under}/piece-0.1/v/seg-00000.m4s`, {
        headers: { range, ...more },
      });
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

  it('a matching If-None-Match gets 304', async () => {
    for (const path of [
      `${viewer.under}/master.m3u8`,
      `${viewer.under}/piece-0.1/v/seg-00000.m4s`,
      '/t/pbk1abcdefghijklmnopqrstuvw.jpg',
    ]) {
      const etag = (await viewer.playback.get(path)).headers.get('etag') ?? '';
      expect(etag).to.match(/^"[^"]+"$/);
      const again = await viewer.playback.get(path, { headers: { 'if-none-match': `"x", W/${etag}` } });
      expect([again.status, again.headers.get('etag'), await again.text()]).to.deep.equal([304, etag, '']);
    }
  });
});
