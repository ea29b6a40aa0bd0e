import { expect } from 'chai';
import { caller, errorOf, servePeers, startGateway, type Gateway } from './gateway.ts';

const id = '01jd3m8q0c7e5b9x2k4n6p8rst';

describe('paths and methods', () => {
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let gateway: Gateway;
  const calls: string[] = [];

  before(async () => {
    peers = await servePeers({ auth: { Authorize: async () => (calls.push('x'), caller) }, catalog: {} });
    gateway = await startGateway(peers.port);
  });
  after(async () => {
    await gateway.close();
    await peers.close();
  });

  const paths = [
    '/',
    '/v1',
    '/v1/',
    '/v1/video',
    '/v1/videos/',
    '/V1/videos',
    '/v1//videos',
    '/v2/videos',
    `/v1/videos/${id}/`,
    `/v1/videos/${id}/archive/`,
    `/v1/videos/${id}/hold`,
    `/v1/videos/${id}/archive/x`,
    '/v1/videos/%zz',
    '/v1/videos/%2e%2e/x',
    '/metrics',
    '/livez',
    '/favicon.ico',
    '/openapi.yaml',
    '/docs/',
  ];
  for (const path of paths)
    it(`${path} does not exist`, async () => {
      for (const method of ['GET', 'POST']) {
        const seen = await gateway.call(method, path);
        expect(seen.status).to.equal(404);
        expect(errorOf(seen).code).to.equal('not_found');
      }
    });

  const methods: readonly (readonly [path: string, methods: readonly string[]])[] = [
    ['/v1/videos', ['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']],
    [`/v1/videos/${id}`, ['POST', 'PUT', 'PATCH']],
    [`/v1/videos/${id}/archive`, ['GET', 'DELETE', 'PUT']],
    [`/v1/videos/${id}/republish`, ['GET', 'DELETE']],
    ['/openapi.json', ['POST', 'OPTIONS']],
    ['/docs', ['DELETE', 'OPTIONS']],
  ];
  for (const [path, missing] of methods)
    it(`${missing.join(', ')} at ${path} is 404, with and without credentials`, async () => {
      for (const method of missing) {
        expect((await gateway.call(method, path)).status, method).to.equal(404);
        expect((await gateway.callAs('good', method, path)).status, method).to.equal(404);
      }
    });

  it('HEAD is GET without its body: credentials, status and headers are the same', async () => {
    const statuses = {
      [`/v1/videos/${id}`]: 401,
      '/docs': 200,
      '/openapi.json': 200,
      '/v1/videos': 404,
      '/nothing': 404,
    };
    for (const [path, status] of Object.entries(statuses)) {
      const response = await fetch(gateway.base + path, { method: 'HEAD' });
      expect(response.status, path).to.equal(status);
      expect(response.headers.get('x-request-id')).to.match(/^req_/);
      expect(await response.text()).to.equal('');
    }
  });

  it('OPTIONS names the methods of a path, without credentials', async () => {
    const allowed = {
      '/v1/videos': 'POST, OPTIONS',
      [`/v1/videos/${id}`]: 'GET, DELETE, HEAD, OPTIONS',
      [`/v1/videos/${id}/archive`]: 'POST, OPTIONS',
    };
    for (const [path, allow] of Object.entries(allowed)) {
      const response = await fetch(gateway.base + path, { method: 'OPTIONS' });
      expect([response.status, response.headers.get('allow')], path).to.deep.equal([200, allow]);
      expect(response.headers.get('access-control-allow-origin')).to.equal(null);
    }
    expect((await fetch(`${gateway.base}/nothing`, { method: 'OPTIONS' })).status).to.equal(404);
  });

  it('an unknown path calls no service', () => {
    expect(calls).to.deep.equal([]);
  });

  it('every request gets its own id, never the client’s', async () => {
    const headers = { 'x-request-id': 'req_00000000000000000000000000' };
    const first = await gateway.call('GET', '/nothing', { headers });
    const second = await gateway.call('GET', '/nothing', { headers });
    for (const seen of [first, second]) {
      expect(errorOf(seen).request_id).to.equal(seen.headers.get('x-request-id'));
      expect(seen.headers.get('x-request-id')).not.to.equal(headers['x-request-id']);
    }
    expect(errorOf(first).request_id).not.to.equal(errorOf(second).request_id);
  });

  it('responses reveal no software and have security headers', async () => {
    const { headers } = await gateway.call('GET', '/nothing');
    for (const name of ['x-powered-by', 'server', 'etag']) expect(headers.has(name), name).to.equal(false);
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(headers.get('content-security-policy')).to.include("default-src 'none'");
    expect(headers.get('cache-control')).to.equal('no-store');
  });

  it('/openapi.json is the contract', async () => {
    const response = await fetch(`${gateway.base}/openapi.json`);
    expect(response.status).to.equal(200);
    const document = (await response.json()) as { openapi: string; paths: object };
    expect(document.openapi).to.equal('3.1.0');
    expect(Object.keys(document.paths)).to.include('/v1/videos/{id}/republish');
  });

  it('/docs is a page that may load from its own host only', async () => {
    const response = await fetch(`${gateway.base}/docs`);
    const page = await response.text();
    expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).to.include("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.to.match(/unsafe|\*|https?:/);
    const targets = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target = '']) => target);
    const files = targets.filter((target) => !target.startsWith('#'));
    expect(files).to.deep.equal(['docs/page.css', 'openapi.json', 'docs/page.js']);
    for (const target of files) {
      expect(target)
        .to.match(/^[\w/.-]+$/)
        .and.not.to.match(/^\//);
      const file = await fetch(`${gateway.base}/${target}`);
      expect(file.status, target).to.equal(200);
      expect(file.headers.get('content-type'), target).to.match(/charset=utf-8$/);
      expect(file.headers.get('x-content-type-options'), target).to.equal('nosniff');
      expect(Number(file.headers.get('content-length')), target).to.equal((await file.arrayBuffer()).byteLength);
    }
  });
});
