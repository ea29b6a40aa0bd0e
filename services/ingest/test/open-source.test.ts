import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { BYTES, faultOf, HOST, readAll, reasonOf, startSources, type Sources } from './servers/sources.ts';
import { serveBytes } from './servers/source-server.ts';

describe('opening a source', () => {
  let sources: Sources;
  let open: Sources['open'];
  before(async () => {
    sources = await startSources();
    open = sources.open;
    sources.server.on('/hop', (request, response) => {
      const left = Number(new URL(request.url ?? '', 'https://x').searchParams.get('left'));
      response.writeHead(302, { location: left === 0 ? '/video.mp4' : `/hop?left=${left - 1}` }).end();
    });
    sources.server.on('/to', (request, response) => {
      const to = new URL(request.url ?? '', 'https://x').searchParams.get('to') ?? '';
      response.writeHead(307, { location: to }).end('elsewhere');
    });
  });
  after(() => sources.close());

  it('an opened source has the status, headers and bytes of its response', async () => {
    const source = await open('/video.mp4');
    expect(source.status).to.equal(200);
    expect(source.headers).to.include({ etag: '"v1"', 'content-length': String(BYTES.length) });
    expect((await readAll(source)).equals(BYTES)).to.equal(true);
  });

  it('a request for a source accepts no compression, has no credentials and has our user agent', async () => {
    await readAll(await open('/video.mp4?signature=abc%2F'));
    const request = sources.server.requests.at(-1);
    expect(request?.url).to.equal('/video.mp4?signature=abc%2F');
    expect(request?.headers).to.deep.equal({
      host: HOST,
      connection: 'keep-alive',
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'vds-ingest/1.0',
    });
  });

  it('a proxy in the environment is not used', async () => {
    process.env['HTTPS_PROXY'] = process.env['https_proxy'] = 'http://127.0.0.1:1';
    const source = await open('/video.mp4');
    delete process.env['HTTPS_PROXY'];
    delete process.env['https_proxy'];
    expect((await readAll(source)).length).to.equal(BYTES.length);
  });

  it('a range request has If-Range with the validator of the stored bytes', async () => {
    const source = await open('/video.mp4', { range: { from: 200_000, validator: '"v1"' } });
    expect(source.status).to.equal(206);
    expect((await readAll(source)).equals(BYTES.subarray(200_000))).to.equal(true);
    expect(sources.server.requests.at(-1)?.headers).to.include({ range: 'bytes=200000-', 'if-range': '"v1"' });
  });

  it('five redirects are followed and the sixth is a fault', async () => {
    expect((await readAll(await open('/hop?left=4'))).length).to.equal(BYTES.length);
    expect(await faultOf(open('/hop?left=5'))).to.deep.equal({
      reason: 'redirects_exceeded',
      code: 'source_too_many_redirects',
      details: { http_status: '302', redirects: '5' },
    });
  });

  it('a redirect whose location is not encoded leads to the file', async () => {
    sources.server.on('/v%C3%ADdeo%20%E6%B1%BA%E5%8B%9D.mp4', serveBytes(BYTES));
    const location = Buffer.from('/vídeo 決勝.mp4').toString('latin1');
    sources.server.on('/raw', (_request, response) => response.writeHead(302, { location }).end());
    expect((await readAll(await open('/raw'))).equals(BYTES)).to.equal(true);
  });

  it('circular redirects end after six requests', async () => {
    sources.server.on('/circle', (_request, response) => response.writeHead(301, { location: '/circle' }).end());
    const before = sources.server.requests.length;
    expect(await faultOf(open('/circle'))).to.deep.include({
      code: 'source_too_many_redirects',
      details: { http_status: '301', redirects: '5' },
    });
    expect(sources.server.requests).to.have.length(before + 6);
  });

  for (const [what, location] of [
    ['no location', undefined],
    ['an empty location', ''],
    ['a location that is not an address', 'https://[::'],
    ['two locations', ['/video.mp4', '/other.mp4']],
  ] as const)
    it(`a redirect with ${what} fails as source_server_error`, async () => {
      sources.server.on('/nowhere', (_request, response) => {
        if (location !== undefined) response.setHeader('location', location);
        response.writeHead(303).end();
      });
      expect(await faultOf(open('/nowhere'))).to.deep.equal({
        reason: 'redirect_invalid',
        code: 'source_server_error',
        details: { http_status: '303' },
      });
    });

  it('the range is requested again after a redirect to another host', async () => {
    const source = await open(`/to?to=${encodeURIComponent('https://second.example/video.mp4')}`, {
      range: { from: 10, validator: '"v1"' },
    });
    expect((await readAll(source)).length).to.equal(BYTES.length - 10);
    expect(sources.server.requests.at(-1)?.headers).to.include({ host: 'second.example', range: 'bytes=10-' });
  });

  for (const target of [
    'http://media.example/video.mp4',
    'https://user:pw@media.example/video.mp4',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://inside.example/',
    'https://metadata.example/',
    'https://localhost/',
    'file:///etc/passwd',
    '//inside.example/',
  ])
    it(`a redirect to ${target} is rejected and not dialled`, async () => {
      const before = sources.server.connections();
      expect(await reasonOf(open(`/to?to=${encodeURIComponent(target)}`))).to.equal('address_blocked');
      expect(sources.server.connections()).to.equal(before + 1);
    });

  it('no connection stays open after a rejected redirect', async () => {
    await reasonOf(open(`/to?to=${encodeURIComponent('https://127.0.0.1/')}`));
    await readAll(await open('/video.mp4'));
    await until(async () => (await sources.server.openConnections()) === 0, { what: 'all connections are closed' });
  });
});
