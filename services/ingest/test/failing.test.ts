import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { HOST, startHarness, type Harness } from './servers/harness.ts';
import type { Worker } from '@vds/testkit/harness/service-harness';
import { SHORT_DEADLINES } from './servers/short-times.ts';
import { serveBytes, type SourceServer } from './servers/source-server.ts';

const CAP = 1_000_000;
const DRIP_BYTES_PER_MS = 60;
const BYTES = Buffer.alloc(400_000, 'v');

function status(code: number): Record<string, string> {
  return { http_status: String(code) };
}
const cases: readonly (readonly [
  what: string,
  path: string,
  code: string,
  details?: Record<string, string>,
  tries?: number,
])[] = [
  ['a 404', '/404', 'source_not_found', status(404), 1],
  ['a 410', '/410', 'source_not_found', status(410), 1],
  ['a 401', '/401', 'source_forbidden', status(401), 1],
  ['a 403', '/403', 'source_forbidden', status(403), 1],
  ['a 402', '/402', 'source_forbidden', status(402), 1],
  ['a 407', '/407', 'source_forbidden', status(407), 1],
  ['a 451', '/451', 'source_forbidden', status(451), 1],
  ['a 204', '/204', 'source_server_error', status(204), 1],
  ['a 400', '/400', 'source_server_error', status(400), 1],
  ['a 500', '/500', 'source_server_error', status(500), 6],
  ['a 503', '/503', 'source_server_error', status(503), 6],
  ['a 408', '/408', 'source_server_error', status(408), 6],
  ['a 429', '/429', 'source_server_error', status(429), 6],
  ['an unrequested part', '/206', 'source_server_error', status(206), 1],
  ['a response that is not HTTP', '/babble', 'source_server_error', {}, 1],
  ['a connection that is closed without a response', '/hang-up', 'source_server_error', {}, 6],
  ['a redirect without a location', '/redirect', 'source_server_error', status(302), 1],
  ['a refused connection', 'https://refused.example/', 'source_unreachable'],
  [
    'the certificate of another host',
    'https://stranger.example/',
    'source_unreachable',
    { reason: 'certificate_of_another_name' },
  ],
  ['a name that is not there', 'https://absent.example/', 'source_unreachable'],
  ['a name server that fails', 'https://broken.example/', 'source_unreachable'],
  ['an address that resolves to loopback', 'https://loopback.example/', 'source_address_blocked'],
  ['an address that resolves to the metadata service', 'https://metadata.example/', 'source_address_blocked'],
  ['an address of which one is private', 'https://mixed.example/', 'source_address_blocked'],
  ['a literal private address', 'https://[fd00::1]/', 'source_address_blocked'],
  ['an address that is not https', `http://${HOST}/`, 'source_address_blocked'],
  ['a redirect to loopback', '/redirect-loopback', 'source_address_blocked', {}, 1],
  ['a redirect to the metadata service', '/redirect-metadata', 'source_address_blocked', {}, 1],
  ['a redirect to a name of loopback', '/redirect-name', 'source_address_blocked', {}, 1],
  ['a redirect to http', '/redirect-http', 'source_address_blocked', {}, 1],
  ['redirects in a circle', '/redirect-circle', 'source_too_many_redirects', { ...status(302), redirects: '5' }, 6],
  ['a compressed body', '/gzip', 'source_encoded', { ...status(200), content_encoding: 'gzip' }, 1],
  ['a response that never begins', '/mute', 'source_timeout', {}, 6],
  ['a body that stalls', '/stalled', 'source_timeout', {}, 6],
  ['a body that trickles', '/slow', 'source_timeout', {}, 6],
  ['a body that comes steadily and never ends in time', '/drip', 'source_timeout', {}, 1],
  ['half a file, again and again', '/half', 'source_truncated', {}, 6],
  ['a file that is announced too large', '/announced', 'source_too_large', { max_bytes: String(CAP) }, 1],
  ['a body that never ends', '/endless', 'source_too_large', { max_bytes: String(CAP) }, 1],
];

/** Adds the handlers for the paths of the cases. */
function misbehave(server: SourceServer): void {
  for (const status of [401, 402, 403, 404, 407, 410, 451, 204, 400, 408, 500, 503, 429, 206])
    server.on(`/${status}`, (_request, response) => void response.writeHead(status).end('internal text'));
  for (const [name, to] of [
    ['loopback', 'https://127.0.0.1/'],
    ['metadata', 'https://169.254.169.254/'],
    ['name', 'https://loopback.example/'],
    ['http', `http://${HOST}/video.mp4`],
    ['circle', '/redirect-circle'],
  ] as const)
    server.on(`/redirect-${name}`, (_request, response) => void response.writeHead(302, { location: to }).end());
  server.on('/redirect', (_request, response) => void response.writeHead(302).end());
  server.on('/babble', ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  server.on('/hang-up', ({ socket }) => void socket.destroy());
  server.on('/gzip', (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'));
  server.on('/mute', () => {});
  server.on('/stalled', (_request, response) => void response.writeHead(200, { 'content-length': 1_000 }).write('x'));
  server.on('/slow', (_request, response) => {
    response.writeHead(200, { 'content-length': 100_000 });
    const timer = setInterval(() => response.write('x'.repeat(50)), 50);
    response.on('close', () => clearInterval(timer));
  });
  server.on('/drip', (_request, response) => {
    // By the clock, or a busy machine falls below the minimum rate; it stays below the cap until the deadline.
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      response.write('x'.repeat(Math.round((now - last) * DRIP_BYTES_PER_MS)));
      last = now;
    }, 50);
    response.on('close', () => clearInterval(timer));
  });
  server.on('/half', (_request, response) => {
    response.writeHead(200, { 'content-length': BYTES.length });
    response.write(BYTES.subarray(0, 200_000), () => response.destroy());
  });
  server.on(
    '/announced',
    (_request, response) => void response.writeHead(200, { 'content-length': CAP + 1 }).write('x'),
  );
  server.on('/endless', (_request, response) => {
    const more = (): boolean =>
      response.destroyed || (response.write(BYTES) ? more() : response.once('drain', more).destroyed);
    more();
  });
  server.on('/whole-part', (_request, response) => {
    const range = `bytes 0-${BYTES.length - 1}/${BYTES.length}`;
    response.writeHead(206, { 'content-range': range, 'content-length': BYTES.length }).end(BYTES);
  });
  server.on('/at-the-cap', serveBytes(Buffer.alloc(CAP)));
}

describe('a source that cannot be fetched', () => {
  let harness: Harness;
  let ingest: Worker;
  /** All cases run at once; each test checks its own. */
  const results = new Map<string, ReturnType<Harness['fetch']>>();
  before(async function () {
    this.timeout(60_000);
    harness = await startHarness({
      'loopback.example': ['127.0.0.1'],
      'metadata.example': ['169.254.169.254'],
      'mixed.example': ['2d00::1', '10.0.0.1'],
      'broken.example': 'servfail',
    });
    ingest = await harness.start({ ...SHORT_DEADLINES, MAX_SOURCE_BYTES: String(CAP) });
    misbehave(harness.server);
    for (const [, path] of cases) results.set(path, harness.fetch(path));
  });
  after(function () {
    this.timeout(20_000);
    return harness?.stop();
  });

  for (const [what, path, code, details = {}, tries] of cases)
    it(`a fetch fails as ${code} for ${what}`, async () => {
      const { videoId, name, payload } = await (results.get(path) ?? harness.fetch(path));
      expect({ name, code: payload['code'], details: payload['details'] }).to.deep.equal({
        name: 'fetchFailed',
        code,
        details,
      });
      if (tries !== undefined) expect(harness.server.requests.filter(({ url }) => url === path)).to.have.length(tries);
      await until(async () => (await harness.keys(videoId)).length === 0, { what: 'the source is removed' });
    });

  it('a file of exactly the maximum size is fetched', async () => {
    expect((await harness.fetch('/at-the-cap')).payload).to.include({ sourceBytes: CAP });
  });

  it('a file that a host serves as one unrequested part is fetched with one request', async () => {
    expect((await harness.fetch('/whole-part')).payload).to.include({ sourceBytes: BYTES.length });
    expect(harness.server.requests.filter(({ url }) => url === '/whole-part')).to.have.length(1);
  });

  it('neither events nor rows nor logs of a failed fetch contain secrets or internal addresses', async () => {
    const { videoId, payload } = await harness.fetch('/404?X-Signature=topsecret');
    const row = await harness.row(
      'SELECT request::text, payload::text, error FROM chassis.stages JOIN chassis.jobs USING (video_id) WHERE video_id = $1',
      videoId,
    );
    expect(JSON.stringify(row)).to.include(HOST).and.not.include('topsecret');
    expect(JSON.stringify(payload)).not.to.include('topsecret');
    expect(ingest.output()).not.to.include('topsecret');
    const published = JSON.stringify((await harness.fetch('https://refused.example/')).payload);
    expect(published).not.to.match(/127\.0\.0\.1|ECONN|internal text/);
  });
}).timeout(60_000);
