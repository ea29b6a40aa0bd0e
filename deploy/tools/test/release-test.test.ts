/** The release test, run as `helm test` runs it, against a fake gateway and playback. */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { messageOf } from '@vds/chassis/errors';
import { videoLifecycle } from '../release-test/video.ts';

const script = fileURLToPath(new URL('../release-test/main.ts', import.meta.url));
const KEY = `svc_live_${'a'.repeat(24)}_${'b'.repeat(32)}`;
const video = '/v1/videos/01jd3m8q0c7e5b9x2k4n6p8rst';

type Reply = { readonly status: number; readonly body: unknown };
/** By method and path; the replies of a list are sent in order, the last one repeatedly. */
type Replies = Readonly<Record<string, Reply | readonly Reply[]>>;

const refused = { error: { code: 'missing_credentials', message: 'Send your key.', request_id: 'req_1' } };
function record(status: string, more: object = {}): Reply {
  return { status: 200, body: { status, ...more } };
}
/** The connection is closed instead of a reply. */
const broken: Reply = { status: 0, body: undefined };
const live = record('ready', { playback: { hls_url: 'https://play.example.com/abc.m3u8' } });
const healthy: Replies = {
  'GET /openapi.json': { status: 200, body: { info: { version: '1.0.0' }, paths: { '/v1/videos': {} } } },
  'GET /v1/videos/vid_00000000000000000000000000': { status: 401, body: refused },
  'GET /release-test.m3u8': { status: 401, body: 'no token' },
  'POST /v1/videos': { status: 202, body: { id: 'vid_1', resource_url: video } },
  [`GET ${video}`]: [record('processing'), { status: 500, body: {} }, live, record('deleted')],
  [`DELETE ${video}`]: record('deleted'),
};
const withVideo = { TEST_SOURCE_URL: 'https://media.example.com/clip.mp4', TEST_KEY: KEY };

describe('the release test', function () {
  this.timeout(60_000);
  let server: Server;
  let requests: string[];
  let replies: Record<string, Reply | readonly Reply[]>;

  const next = (request: IncomingMessage): Reply => {
    const call = `${request.method} ${request.url}`;
    requests.push(`${call}${request.headers.authorization === `Bearer ${KEY}` ? ' with the key' : ''}`);
    const reply = replies[call] ?? { status: 404, body: {} };
    if (!Array.isArray(reply)) return reply as Reply;
    const [first = { status: 404, body: {} }, ...others] = reply as readonly Reply[];
    if (others.length > 0) replies[call] = others;
    return first;
  };
  const base = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = async (more: Readonly<Record<string, string>> = {}, changed: Replies = {}) => {
    replies = { ...healthy, ...changed };
    const env = {
      PATH: process.env['PATH'],
      TEST_GATEWAY: base(),
      TEST_PLAYBACK: base(),
      TEST_PLAYBACK_PUBLIC_URL: 'https://play.example.com',
      TEST_POLL: '5ms',
      TEST_STARTUP_TIMEOUT: '0s',
      ...more,
    };
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => void (output += data.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, output };
  };

  beforeEach(async () => {
    requests = [];
    server = createServer((request, response) => {
      const { status, body } = next(request);
      if (status === broken.status) return void response.destroy();
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => void server.close());

  it('the release test checks the endpoints, and prints why the video is skipped', async () => {
    const { code, output } = await run();
    expect(code).to.equal(0);
    expect(output).to.match(/^skipped +a video .*tests\.sourceUrl and tests\.keySecret\.name/m);
    expect(output).to.include('release test: 3 ok, 0 failed, 1 skipped');
    expect(requests.some((call) => call.startsWith('POST'))).to.equal(false);
  });

  it('the release test polls a video until it is live, retries after a 500, and deletes it', async () => {
    const { code, output } = await run(withVideo);
    expect(output).to.include('release test: 4 ok, 0 failed, 0 skipped');
    expect(code).to.equal(0);
    expect(requests.filter((call) => call.endsWith('with the key')).map((call) => call.split(' ')[0])).to.deep.equal([
      ...['POST', 'GET', 'GET', 'GET', 'DELETE', 'GET'],
    ]);
  });

  it('the release test fails with the code of a failed video, and deletes it', async () => {
    const failed = record('failed', { failure: { code: 'source_not_found' } });
    const { code, output } = await run(withVideo, { [`GET ${video}`]: [failed, record('deleted')] });
    expect(code).to.equal(1);
    expect(output).to.include('the video is failed, not ready (source_not_found)');
    expect(requests).to.include(`DELETE ${video} with the key`);
  });

  it('the release test fails for a video that is not live in time, and deletes it', async () => {
    replies = { ...healthy, [`GET ${video}`]: record('processing'), [`DELETE ${video}`]: { status: 403, body: {} } };
    const time = new AbortController();
    server.on('request', () => requests.length === 3 && time.abort());
    const test = { gateway: base(), publicUrl: undefined, sourceUrl: 'https://media.example.com/clip.mp4', key: KEY };
    const error: unknown = await videoLifecycle({ ...test, pollMs: 5, signal: time.signal }).catch(
      (caught: unknown) => caught,
    );
    expect(messageOf(error)).to.equal('timed out while polling the video: its status is processing');
    expect(requests).to.include(`DELETE ${video} with the key`);
  });

  it('the release test fails with the last error when the gateway is unreachable until the timeout', async () => {
    replies = { ...healthy, [`GET ${video}`]: broken, [`DELETE ${video}`]: { status: 403, body: {} } };
    const time = new AbortController();
    server.on('request', () => requests.length === 4 && time.abort());
    const test = { gateway: base(), publicUrl: undefined, sourceUrl: 'https://media.example.com/clip.mp4', key: KEY };
    const error: unknown = await videoLifecycle({ ...test, pollMs: 5, signal: time.signal }).catch(
      (caught: unknown) => caught,
    );
    expect(messageOf(error)).to.match(/^timed out while polling the video: the last request failed: GET http:/);
  });

  it('the release test fails for a playlist at another address than the public one', async () => {
    const { code, output } = await run({ ...withVideo, TEST_PLAYBACK_PUBLIC_URL: 'https://elsewhere.example.com' });
    expect(code).to.equal(1);
    expect(output).to.include("its playlist is 'https://play.example.com/abc.m3u8'");
  });

  it('the release test fails for a gateway that accepts a request without a key', async () => {
    const { code, output } = await run({}, { 'GET /v1/videos/vid_00000000000000000000000000': record('ready') });
    expect(code).to.equal(1);
    expect(output).to.match(/^failed +the gateway requires a key: .* answers 200, not 401/m);
  });

  it('the release test fails for an unreachable endpoint, and never prints the key', async () => {
    const { code, output } = await run({ ...withVideo, TEST_PLAYBACK: 'http://127.0.0.1:9' });
    expect(code).to.equal(1);
    expect(output).to.match(/^failed +playback requires a token: GET .* failed/m);
    expect(output).not.to.include(KEY);
  });

  it('the release test fails with the name of a missing variable', async () => {
    const { code, output } = await run({ TEST_GATEWAY: '' });
    expect(code).to.equal(1);
    expect(output).to.include('TEST_GATEWAY is not set');
  });
});
