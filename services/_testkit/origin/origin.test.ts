import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOrigin, type Origin } from './origin.ts';
import {
  answerStatus,
  cutFirst,
  truncated,
  emptyFile,
  failFirst,
  hangUp,
  htmlPage,
  redirect,
  serveChanging,
  serveFile,
  serveOverLine,
  serveSlowly,
  serveWhole,
} from './routes.ts';

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer; complete: boolean };

describe('the test origin', () => {
  let root: string;
  let origin: Origin;
  const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));

  /** One GET by a client that trusts only the origin's authority and connects to loopback. */
  const get = async (path: string, headers: Record<string, string> = {}, host = 'clips.test'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: origin.port,
        path,
        servername: host,
        headers: { host, ...headers },
        ca: readFileSync(origin.caFile),
        agent: false,
      };
      const sent = request(options, (response) => {
        const parts: Buffer[] = [];
        const done = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
            complete: response.complete,
          });
        response
          .on('data', (part: Buffer) => parts.push(part))
          .on('end', done)
          .on('error', done);
      });
      sent.on('error', reject).end();
    });

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'vds-origin-test-'));
    const file = join(root, 'clip.mp4');
    writeFileSync(file, content);
    origin = await startOrigin({
      root,
      hosts: ['clips.test', 'other.test'],
      names: { 'blocked.test': ['169.254.169.254'] },
      routes: {
        '/403.mp4': answerStatus(403),
        '/flaky.mp4': failFirst(2, 500, serveFile(file)),
        '/page.mp4': htmlPage(),
        '/empty.mp4': emptyFile(),
        '/cut.mp4': truncated(file),
        '/resumes.mp4': cutFirst(1, file),
        '/whole.mp4': serveWhole(file),
        '/slow.mp4': serveSlowly(file, 400_000),
        '/line.mp4': serveOverLine(file, 1_000_000),
        '/moved.mp4': redirect('https://other.test/clip.mp4', 301),
        '/gone.mp4': hangUp(),
        '/changing.mp4': serveChanging(file),
      },
    });
  });
  after(async () => {
    await origin.close();
    rmSync(root, { recursive: true });
  });

  it('the test origin serves a file with its length, a strong ETag and Accept-Ranges', async () => {
    const { status, headers, body } = await get('/clip.mp4');
    expect(status).to.equal(200);
    expect(body.equals(content)).to.equal(true);
    expect(headers).to.include({ 'content-length': '100000', 'accept-ranges': 'bytes' });
    expect(headers.etag).to.match(/^"[0-9a-f]+"$/);
  });

  it('the test origin answers a range with 206, and with 416 beyond the end', async () => {
    const part = await get('/clip.mp4', { range: 'bytes=500-999' });
    expect(part.status).to.equal(206);
    expect(part.headers['content-range']).to.equal('bytes 500-999/100000');
    expect(part.body.equals(content.subarray(500, 1000))).to.equal(true);
    expect((await get('/clip.mp4', { range: 'bytes=100000-' })).status).to.equal(416);
  });

  it('the test origin honours If-Range: 206 with the current ETag, the whole file with another', async () => {
    const { etag = '' } = (await get('/clip.mp4')).headers;
    expect((await get('/clip.mp4', { range: 'bytes=0-9', 'if-range': etag })).status).to.equal(206);
    expect((await get('/clip.mp4', { range: 'bytes=0-9', 'if-range': '"older"' })).status).to.equal(200);
  });

  it('the test origin answers 404 for a missing file, a folder, a malformed escape and a path out of the root', async () => {
    for (const path of ['/none.mp4', '/', '/%E0%A4%A', '/..%2f..%2f..%2f..%2fetc/passwd']) {
      expect((await get(path)).status, path).to.equal(404);
    }
  });

  it('the test origin fails the configured number of times, then serves', async () => {
    const statuses = [];
    for (let times = 0; times < 4; times++) statuses.push((await get('/flaky.mp4')).status);
    expect(statuses).to.deep.equal([500, 500, 200, 200]);
  });

  it('the test origin acts as a bad host: 403, a page, an empty file, a closed connection', async () => {
    expect((await get('/403.mp4')).status).to.equal(403);
    expect((await get('/page.mp4')).headers['content-type']).to.match(/^text\/html/);
    expect((await get('/empty.mp4')).headers['content-length']).to.equal('0');
    const failure = await get('/gone.mp4').then(
      () => 'answered',
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(failure).to.equal('ECONNRESET');
  });

  it('the test origin cuts every response in half under its full Content-Length', async () => {
    for (const range of ['bytes=0-', 'bytes=50000-']) {
      const cut = await get('/cut.mp4', { range });
      expect(cut).to.include({ status: 200, complete: false });
      expect(cut.headers['content-length']).to.equal('100000');
      expect(cut.body.length).to.equal(50_000);
    }
  });

  it('the test origin cuts the first response and lets a range resume it', async () => {
    const first = await get('/resumes.mp4');
    expect(first.complete).to.equal(false);
    const rest = await get('/resumes.mp4', {
      range: `bytes=${first.body.length}-`,
      'if-range': first.headers.etag ?? '',
    });
    expect(rest.status).to.equal(206);
    expect(Buffer.concat([first.body, rest.body]).equals(content)).to.equal(true);
  });

  it('the test origin can lack ranges, and can change its ETag with every request', async () => {
    expect((await get('/whole.mp4', { range: 'bytes=0-9' })).status).to.equal(200);
    const tags = [(await get('/changing.mp4')).headers.etag, (await get('/changing.mp4')).headers.etag];
    expect(tags[0]).not.to.equal(tags[1]);
  });

  it('the test origin serves a file slowly and whole', async () => {
    const started = performance.now();
    const { body } = await get('/slow.mp4');
    expect(body.equals(content)).to.equal(true);
    expect(performance.now() - started).to.be.greaterThan(150);
  });

  it('the test origin serves ranges of a file over a line that all responses share', async () => {
    const started = performance.now();
    const [whole, part] = await Promise.all([get('/line.mp4'), get('/line.mp4', { range: 'bytes=50000-' })]);
    expect([whole.status, part.status]).to.deep.equal([200, 206]);
    expect(whole.body.equals(content)).to.equal(true);
    expect(part.body.equals(content.subarray(50_000))).to.equal(true);
    expect(part.headers['content-range']).to.equal('bytes 50000-99999/100000');
    expect(performance.now() - started).to.be.greaterThan(140);
  });

  it('the test origin redirects to another host of its certificate', async () => {
    const { status, headers } = await get('/moved.mp4');
    expect([status, headers.location]).to.deep.equal([301, 'https://other.test/clip.mp4']);
    expect((await get('/clip.mp4', {}, 'other.test')).status).to.equal(200);
  });

  it('the certificate of the test origin is invalid for names that it was not started with', async () => {
    const failure = await get('/clip.mp4', {}, 'stranger.test').then(
      () => 'trusted',
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(failure).to.equal('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('the test origin records its requests and names the settings of a stack', async () => {
    await get('/clip.mp4?signature=1', { 'user-agent': 'a test' });
    expect(origin.requests().at(-1)).to.deep.include({ method: 'GET', host: 'clips.test', path: '/clip.mp4' });
    expect(origin.requests().at(-1)?.headers['user-agent']).to.equal('a test');
    expect(origin.environment.PRIVATE_SOURCES).to.equal(
      `clips.test:${origin.port}=127.0.0.1:${origin.port},other.test:${origin.port}=127.0.0.1:${origin.port}`,
    );
    expect(origin.url('a.mp4', 'other.test')).to.equal(`https://other.test:${origin.port}/a.mp4`);
  });

  it('the test origin takes a new route while it runs', async () => {
    origin.route('/late.mp4', answerStatus(503, { 'retry-after': '1' }));
    const { status, headers } = await get('/late.mp4');
    expect([status, headers['retry-after']]).to.deep.equal([503, '1']);
  });
});
