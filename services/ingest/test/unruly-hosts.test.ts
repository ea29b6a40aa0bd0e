import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { startHarness, type Harness } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

const MIB = 1024 * 1024;
const PART = 64 * 1024;
const BYTES = Buffer.from(Array.from({ length: 4 * MIB }, (_, n) => (n * 7919) % 251));
const BAN_MS = 2_000;

/** Hosts that a browser or curl fetches from, and that are not quite as others are. */
describe('an unruly host', () => {
  let harness: Harness;
  before(async function () {
    this.timeout(60_000);
    harness = await startHarness();
    await harness.start({ SOURCE_PART_BYTES: String(PART), TIME_SCALE: 'total=12s' });
  });
  after(function () {
    this.timeout(20_000);
    return harness?.stop();
  });

  const requestsTo = (path: string): IncomingMessage[] => harness.server.requests.filter(({ url }) => url === path);
  const expectFetched = async (path: string, requests: number): Promise<void> => {
    const { name, payload } = await harness.fetch(path);
    expect({ name, code: payload['code'] }).to.deep.equal({ name: 'fetchCompleted', code: undefined });
    expect((await harness.source(payload['sourceKey'])).equals(BYTES)).to.equal(true);
    expect(requestsTo(path)).to.have.length(requests);
  };

  // A host that serves ranges is asked a second time when it serves: for the tail of the file.
  const SERVED = 2;

  /** Serves the file once `until` has passed; whoever asks before is kept out for as long again. */
  const limit = (path: string, status: number, ban: () => { readonly until: number; readonly says: string }): void => {
    let until = 0;
    harness.server.on(path, (request, response) => {
      if (until !== 0 && Date.now() >= until) return serveBytes(BYTES)(request, response);
      const banned = ban();
      until = banned.until;
      response.writeHead(status, { 'retry-after': banned.says }).end();
    });
  };

  it('that says 429 is asked again after the seconds of its Retry-After, and not before', async () => {
    limit('/seconds', 429, () => ({ until: Date.now() + BAN_MS, says: String(BAN_MS / 1_000) }));
    await expectFetched('/seconds', 1 + SERVED);
  });

  it('that says 503 is asked again after the date of its Retry-After, and not before', async () => {
    limit('/date', 503, () => {
      const says = new Date(Date.now() + BAN_MS + 1_000).toUTCString();
      return { until: Date.parse(says), says };
    });
    await expectFetched('/date', 1 + SERVED);
  });

  it('that sends interim answers which nobody asked for, 100 among them, is fetched from', async () => {
    harness.server.on('/interim', (request, response) => {
      response.writeContinue();
      response.writeEarlyHints({ link: '</poster.jpg>; rel=preload' });
      setTimeout(() => serveBytes(BYTES)(request, response), 100);
    });
    await expectFetched('/interim', SERVED);
  });

  it('that resumes before the byte that was asked for costs neither a try nor the bytes that are stored', async () => {
    const block = 1.5 * MIB;
    const from: number[] = [];
    harness.server.on('/blocks', (request, response) => {
      const asked = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const first = asked - (asked % block);
      from.push(asked);
      response.writeHead(asked === 0 ? 200 : 206, {
        etag: '"v1"',
        'content-length': BYTES.length - first,
        ...(asked > 0 && { 'content-range': `bytes ${first}-${BYTES.length - 1}/${BYTES.length}` }),
      });
      if (asked > 0) return response.end(BYTES.subarray(first));
      response.write(BYTES.subarray(0, 2 * MIB), () => response.destroy());
    });
    await expectFetched('/blocks', 2);
    expect(from[1]).to.be.within(MIB, 2 * MIB);
  });

  for (const [what, path, headers] of [
    ['and has no validator', '/cut', {}],
    ['and ignores ranges of the file that it has named', '/cut-named', { etag: '"v1"' }],
  ] as const)
    it(`that cuts every answer ${what} is tried six times, then the fetch fails as source_truncated`, async () => {
      harness.server.on(path, (_request, response) => {
        response.writeHead(200, { ...headers, 'content-length': BYTES.length });
        response.write(BYTES.subarray(0, MIB), () => response.destroy());
      });
      const { name, payload } = await harness.fetch(path);
      expect({ name, code: payload['code'], requests: requestsTo(path).length }).to.deep.equal({
        name: 'fetchFailed',
        code: 'source_truncated',
        requests: 6,
      });
    });

  it('that cuts every answer and can be resumed is asked until the file is whole, however often that is', async () => {
    const whole = BYTES.subarray(0, MIB);
    harness.server.on('/resumed', (request, response) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const to = from + 3 * PART;
      response.writeHead(from === 0 ? 200 : 206, {
        etag: '"v1"',
        'content-length': whole.length - from,
        ...(from > 0 && { 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` }),
      });
      if (to >= whole.length) return response.end(whole.subarray(from));
      response.write(whole.subarray(from, to), () => response.destroy());
    });
    const { payload } = await harness.fetch('/resumed');
    expect((await harness.source(payload['sourceKey'])).equals(whole)).to.equal(true);
    expect(requestsTo('/resumed').length).to.be.at.least(6);
  });
}).timeout(30_000);
