/** The client against a server with scripted responses: requests, retries by spec §7, polling by spec §6, errors. */
import { expect } from 'chai';
import fc from 'fast-check';
import { ApiError, ConnectionError, createClient, isLive, type Video } from '../src/client.ts';
import { pollDelayMs } from '../src/poll.ts';
import { backoffDelayMs } from '../src/retry.ts';
import { fault, KEY, rejection, startFakeServer, type Scripted } from './fake-server.ts';

const ID = 'vid_01jd3m8q0c7e5b9x2k4n6p8rst';
function video(status: string): Scripted {
  return { status: 200, body: { id: ID, status } };
}
const source = { source_url: 'https://media.example.com/final.mp4', title: 'Final' };

describe('the client', () => {
  let open: Awaited<ReturnType<typeof startFakeServer>> | undefined;
  const openClient = async (...script: Parameters<typeof startFakeServer>) => (open = await startFakeServer(...script));
  afterEach(() => open?.close());

  it('the client sends each operation with its method, path, credentials and body', async () => {
    const done = { status: 200, body: { id: ID, status: 'archived' } };
    const { client, received } = await openClient([
      { status: 202, body: { id: ID } },
      video('ready'),
      done,
      done,
      done,
    ]);
    expect((await client.submit(source)).id).to.equal(ID);
    await client.get(ID);
    await client.archive(ID);
    await client.republish(ID);
    await client.delete(ID);
    expect(received.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
      'POST /v1/videos',
      `GET /v1/videos/${ID}`,
      `POST /v1/videos/${ID}/archive`,
      `POST /v1/videos/${ID}/republish`,
      `DELETE /v1/videos/${ID}`,
    ]);
    expect(received.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).to.equal(true);
    expect(JSON.parse(received[0]?.body ?? '')).to.deep.equal(source);
    expect(received[0]?.headers['content-type']).to.equal('application/json');
  });

  it('an id cannot reach another path', async () => {
    const { client, received } = await openClient([fault(404, 'not_found')]);
    await rejection(client.get('../keys?x#y'));
    expect(received[0]?.path).to.equal('/v1/videos/..%2Fkeys%3Fx%23y');
  });

  it('a 5xx is retried five times, after 1, 2, 4, 8 and 16 s, and then thrown', async () => {
    const { client, received, waits } = await openClient(Array.from({ length: 9 }, () => fault(500, 'internal_error')));
    const error = (await rejection(client.submit(source))) as ApiError;
    expect(error).to.be.instanceOf(ApiError);
    expect(error).to.include({ status: 500, code: 'internal_error', requestId: 'req_1', message: 'A sentence.' });
    expect(waits).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(received).to.have.length(6);
  });

  it('every retry delay is within 25 % of its base', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
        const base = 1_000 * 2 ** (failures - 1);
        expect(backoffDelayMs(failures, random)).to.be.within(0.75 * base, 1.25 * base);
      }),
    ));

  it('retry delays spread over the full 25 % to both sides', () => {
    expect([0, 0.5, 1].map((random) => backoffDelayMs(1, random))).to.deep.equal([750, 1_000, 1_250]);
  });

  it('a 429 is retried after retry-after seconds, as often as it takes', async () => {
    const busy = fault(429, 'rate_limited', { 'retry-after': '7' });
    const { client, waits } = await openClient([...Array.from({ length: 8 }, () => busy), video('ready')]);
    expect((await client.get(ID)).status).to.equal('ready');
    expect(waits).to.deep.equal(Array.from({ length: 8 }, () => 7_000));
  });

  it('a 429 does not count as one of the five retries', async () => {
    const busy = fault(429, 'rate_limited', { 'retry-after': '1' });
    const bad = fault(500, 'internal_error');
    const { client, waits } = await openClient([bad, bad, busy, bad, bad, bad, video('ready')]);
    expect((await client.get(ID)).status).to.equal('ready');
    expect(waits).to.deep.equal([1_000, 2_000, 1_000, 4_000, 8_000, 16_000]);
  });

  it('a spent day budget is waited for up to maxDailyWaitSeconds only', async () => {
    const spent = (seconds: string): Scripted => fault(429, 'daily_ingest_limit', { 'retry-after': seconds });
    const { client, waits } = await openClient([spent('120'), spent('121')]);
    const error = (await rejection(client.submit(source))) as ApiError;
    expect(error).to.include({ code: 'daily_ingest_limit', retryAfterSeconds: 121 });
    expect(waits).to.deep.equal([120_000]);
  });

  for (const [status, code] of [
    [400, 'invalid_input'],
    [401, 'invalid_credentials'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
  ] as const)
    it(`a ${status} is never retried`, async () => {
      const { client, received, waits } = await openClient([fault(status, code)]);
      expect(await rejection(client.get(ID))).to.include({ status, code });
      expect([received.length, waits.length]).to.deep.equal([1, 0]);
    });

  it('every call is retried when the connection breaks, a submission under one Idempotency-Key of its own', async () => {
    const accepted = { status: 202, body: { id: ID, status: 'processing' } };
    const script: Scripted[] = ['drop', video('ready'), 'drop', fault(500, 'internal_error'), accepted, accepted];
    const { client, received, waits } = await openClient(script);
    expect((await client.get(ID)).status).to.equal('ready');
    expect((await client.submit(source)).id).to.equal(ID);
    await client.submit(source);
    expect(waits).to.deep.equal([1_000, 1_000, 2_000]);
    const [read, readAgain, first, again, last, other] = received.map(({ headers }) => headers['idempotency-key']);
    expect([read, readAgain]).to.deep.equal([undefined, undefined]);
    expect(first).to.match(/^[!-~]{16,255}$/);
    expect([again, last]).to.deep.equal([first, first]);
    expect(other)
      .to.match(/^[!-~]{16,255}$/)
      .and.not.equal(first);
  });

  it('a submission under an idempotency key of the caller’s is repeated under it', async () => {
    const accepted = { status: 202, body: { id: ID, status: 'processing' } };
    const { client, received, waits } = await openClient(['drop', accepted]);
    expect((await client.submit(source, { idempotencyKey: 'final-1' })).id).to.equal(ID);
    expect(waits).to.deep.equal([1_000]);
    expect(received.map(({ headers }) => headers['idempotency-key'])).to.deep.equal(['final-1', 'final-1']);
  });

  it('an ApiError has the field that a 400 is about in param', async () => {
    const error = { code: 'invalid_input', message: 'title is required', param: 'title', request_id: 'req_1' };
    const { client } = await openClient([{ status: 400, body: { error } }, fault(400, 'invalid_input')]);
    expect(await rejection(client.submit(source))).to.include({ code: 'invalid_input', param: 'title' });
    expect(await rejection(client.submit(source))).to.have.property('param', undefined);
  });

  it('a request that takes too long is aborted, and the error has the timeout', async () => {
    const { client } = await openClient(
      Array.from({ length: 6 }, () => 'silence' as const),
      { timeoutMs: 50 },
    );
    const error = (await rejection(client.submit(source))) as Error;
    expect(error).to.be.instanceOf(ConnectionError);
    expect(error.message).to.equal('POST /v1/videos: no response within 50 ms');
  });

  it('a response that is not the interface’s is unexpected_response', async () => {
    const page = { status: 403, body: '<html>proxy</html>', headers: { 'content-type': 'text/html' } };
    const { client } = await openClient([page, { ...page, status: 200 }]);
    expect(await rejection(client.get(ID))).to.include({ status: 403, code: 'unexpected_response' });
    expect(await rejection(client.get(ID))).to.include({ status: 200, code: 'unexpected_response' });
  });

  it('redirects are not followed, so the key is sent nowhere else', async () => {
    const redirect: Scripted = { status: 302, headers: { location: 'http://127.0.0.1:9/' } };
    const { client, received } = await openClient(Array.from({ length: 6 }, () => redirect));
    expect(await rejection(client.submit(source))).to.be.instanceOf(ConnectionError);
    expect(received).to.have.length(6);
  });

  it('follow polls after 10, 20, 40, 80 and then every 120 s until the status is final', async () => {
    const busy = Array.from({ length: 6 }, () => video('processing'));
    const { client, waits } = await openClient([...busy, video('ready')]);
    const seen: string[] = [];
    const record = await client.follow(ID, { onRecord: ({ status }) => seen.push(status) });
    expect(record.status).to.equal('ready');
    expect(waits).to.deep.equal([10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 120_000]);
    expect(seen).to.deep.equal([...Array.from({ length: 6 }, () => 'processing'), 'ready']);
    expect(pollDelayMs(100)).to.equal(120_000);
  });

  for (const status of ['archived', 'failed', 'deleted'])
    it(`follow stops at ${status}`, async () => {
      const { client } = await openClient([video(status)]);
      expect((await client.follow(ID)).status).to.equal(status);
    });

  it('onResponse is called for every response, including retried ones', async () => {
    const seen: unknown[] = [];
    const headers = { 'x-request-id': 'r2', 'x-ratelimit-remaining': '59', 'x-ratelimit-daily-remaining': '499' };
    const accepted = { status: 202, body: { id: ID }, headers };
    const { client } = await openClient([fault(500, 'internal_error'), accepted], {
      onResponse: (info) => seen.push(info),
    });
    await client.submit(source);
    expect(seen).to.deep.equal([
      { status: 500, requestId: 'req_1', rateLimitRemaining: undefined, dailyRemaining: undefined },
      { status: 202, requestId: 'r2', rateLimitRemaining: 59, dailyRemaining: 499 },
    ]);
  });

  it('a video is live only when ready, available and playable', () => {
    const playback = { playback_id: 'p', hls_url: 'https://x/p.m3u8', thumbnail_url: 'https://x/p.jpg' };
    const live = { status: 'ready', is_available: true, playback } as Video;
    expect(isLive(live)).to.equal(true);
    for (const less of [{ status: 'archived' }, { is_available: false }, { playback: null }] as Partial<Video>[])
      expect(isLive({ ...live, ...less })).to.equal(false);
  });

  it('an insecure base address and a malformed key are rejected', () => {
    expect(() => createClient({ baseUrl: 'http://api.example.com', apiKey: KEY })).to.throw(TypeError, 'https');
    expect(() => createClient({ baseUrl: 'https://api.example.com', apiKey: 'secret-thing' })).to.throw(
      TypeError,
      /^apiKey must be (?!.*secret-thing)/,
    );
  });
});

describe('an AbortSignal', () => {
  it('an AbortSignal aborts a running request', async () => {
    const { client, close } = await startFakeServer(['silence']);
    const stop = new AbortController();
    const work = rejection(client.get(ID, { signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 30);
    expect(await work).to.include({ message: 'enough' });
    close();
  });

  it('an AbortSignal ends the wait before the next poll', async () => {
    const client = createClient({ baseUrl: 'https://api.example.com', apiKey: KEY });
    const stop = new AbortController();
    const work = rejection(client.follow(ID, { signal: stop.signal }));
    stop.abort(new Error('enough'));
    expect(await work).to.include({ message: 'enough' });
  });

  it('an aborted AbortSignal sends nothing', async () => {
    const { client, received, close } = await startFakeServer([video('ready')]);
    expect(await rejection(client.get(ID, { signal: AbortSignal.abort(new Error('enough')) }))).to.include({
      message: 'enough',
    });
    expect(received).to.deep.equal([]);
    close();
  });
});
