/** The first and the last parts of a source are stored, readable and announced before its middle is read. */
import { createCipheriv } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { partKey } from '@vds/proto/documents/source';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { HOST, newId, startHarness, type Harness } from './servers/harness.ts';
import { serveBytes, type Handler } from './servers/source-server.ts';

const PART = 64 * 1024;
const PARTS = 6;
/** The last part is shorter. */
const LENGTH = (PARTS - 1) * PART + 1_000;
const BYTES = createCipheriv('aes-128-ctr', Buffer.alloc(16, 5), Buffer.alloc(16)).update(Buffer.alloc(LENGTH));
/** Where the last but one part begins. */
const TAIL = (PARTS - 2) * PART;
const HEAD = { etag: '"v1"', 'accept-ranges': 'bytes', 'content-length': LENGTH };

function rangeOf({ headers }: IncomingMessage): string | undefined {
  return headers.range;
}

describe('the head and the tail of a source', () => {
  let harness: Harness;
  before(async function () {
    this.timeout(60_000);
    harness = await startHarness();
    await harness.start({ SOURCE_PART_BYTES: String(PART) });
  });
  after(function () {
    this.timeout(20_000);
    return harness?.stop();
  });

  const requestsTo = (path: string): IncomingMessage[] => harness.server.requests.filter(({ url }) => url === path);
  const numbersOf = async (videoId: string): Promise<number[]> => {
    const text = 'SELECT number FROM parts WHERE video_id = $1 ORDER BY number';
    return (await harness.pool.query<{ number: number }>(text, [videoId])).rows.map(({ number }) => number);
  };
  const heads = (videoId: string): readonly Record<string, unknown>[] =>
    harness.catalog.published(videoId).flatMap(({ name, payload }) => (name === 'headStored' ? [payload] : []));
  /** Fetches a path to its end: in one try, whatever happens to the second request. */
  const fetchWhole = async (path: string, bytes = BYTES): Promise<string> => {
    const { videoId, name, payload } = await harness.fetch(path);
    expect(name).to.equal('fetchCompleted');
    expect((await harness.source(payload['sourceKey'])).equals(bytes)).to.equal(true);
    const costs = 'SELECT fence, fetches.tries FROM chassis.jobs JOIN fetches USING (video_id) WHERE video_id = $1';
    expect(await harness.row(costs, videoId)).to.deep.equal({ fence: 1, tries: 0 });
    return videoId;
  };
  /** Serves the first request as a good host does, and gives the second one to `second`. */
  const serveSecond = (path: string, second: Handler, headers: object = HEAD): void => {
    let served = 0;
    harness.server.on(path, (request, response) => {
      served += 1;
      if (served > 1) return second(request, response);
      response.writeHead(200, { ...headers }).end(BYTES);
    });
  };

  it('they are readable and announced while the host has not sent the middle', async () => {
    let first: ServerResponse | undefined;
    harness.server.on('/held', (request, response) => {
      if (rangeOf(request) !== undefined) return serveBytes(BYTES)(request, response);
      first = response;
      response.writeHead(200, HEAD).write(BYTES.subarray(0, PART + 10));
    });
    const videoId = newId();
    await harness.catalog.request(videoId, `https://${HOST}/held`);
    const { payload } = await harness.catalog.waitFor(videoId, ['headStored']);
    expect(payload).to.include({ videoId, attempt: 1, sourceBytes: LENGTH });
    const key = String(payload['sourceKey']);
    expect(JSON.parse(String(await harness.object(key)))).to.deep.equal({ bytes: LENGTH, partBytes: PART });
    for (const number of [1, PARTS - 1, PARTS]) {
      const stored = await harness.object(partKey(key, number));
      expect(stored.equals(BYTES.subarray((number - 1) * PART, number * PART)), String(number)).to.equal(true);
    }
    expect(await numbersOf(videoId)).to.deep.equal([1, PARTS - 1, PARTS]);
    expect(harness.catalog.published(videoId).map(({ name }) => name)).not.to.include('fetchCompleted');
    const [, tail] = requestsTo('/held');
    await until(() => tail?.socket.destroyed, { what: 'the second connection is closed' });

    first?.write(BYTES.subarray(PART + 10, TAIL));
    const { payload: completed } = await harness.catalog.waitFor(videoId, ['fetchCompleted', 'fetchFailed']);
    expect(completed).to.include({ sourceKey: key, sourceBytes: LENGTH });
    expect((await harness.source(key)).equals(BYTES)).to.equal(true);
    expect(requestsTo('/held').map(rangeOf)).to.deep.equal([undefined, `bytes=${TAIL}-`]);
    expect(tail?.headers['if-range']).to.equal('"v1"');
    expect(heads(videoId)).to.have.length(1);
  });

  const refusals: Readonly<Record<string, Handler>> = {
    'refused with 503': (_request, response) => void response.writeHead(503).end(),
    'refused with 403': (_request, response) => void response.writeHead(403).end(),
    'answered with the whole file': (_request, response) => void response.writeHead(200, HEAD).end(BYTES),
    'answered with another ETag': (_request, response) => {
      const range = `bytes ${TAIL}-${LENGTH - 1}/${LENGTH}`;
      response.writeHead(206, { ...HEAD, etag: '"v2"', 'content-length': LENGTH - TAIL, 'content-range': range });
      response.end(BYTES.subarray(TAIL));
    },
    'answered for a file of another length': (_request, response) => {
      const range = `bytes ${TAIL}-${LENGTH}/${LENGTH + 1}`;
      response.writeHead(206, { ...HEAD, 'content-length': LENGTH - TAIL + 1, 'content-range': range });
      response.end(Buffer.concat([BYTES.subarray(TAIL), Buffer.of(0)]));
    },
    'answered with another range': (_request, response) => {
      const range = `bytes 0-9/${LENGTH}`;
      response.writeHead(206, { ...HEAD, 'content-length': 10, 'content-range': range }).end(BYTES.subarray(0, 10));
    },
    'closed without an answer': ({ socket }) => void socket.destroy(),
    'cut in its first part': (_request, response) => {
      const range = `bytes ${TAIL}-${LENGTH - 1}/${LENGTH}`;
      response.writeHead(206, { ...HEAD, 'content-length': LENGTH - TAIL, 'content-range': range });
      response.write(BYTES.subarray(TAIL, TAIL + 100), () => response.destroy());
    },
    'cut in its last part': (_request, response) => {
      const range = `bytes ${TAIL}-${LENGTH - 1}/${LENGTH}`;
      response.writeHead(206, { ...HEAD, 'content-length': LENGTH - TAIL, 'content-range': range });
      response.write(BYTES.subarray(TAIL, TAIL + PART + 100), () => response.destroy());
    },
  };
  for (const [what, second] of Object.entries(refusals))
    it(`a request for the tail that is ${what} costs nothing: the source is read in sequence`, async () => {
      const path = `/${what.replaceAll(' ', '-')}`;
      serveSecond(path, second);
      const videoId = await fetchWhole(path);
      expect(requestsTo(path).map(rangeOf)).to.deep.equal([undefined, `bytes=${TAIL}-`]);
      expect(heads(videoId)).to.have.length(1);
    });

  const fail: Handler = (_request, response) => void response.writeHead(500).end();
  for (const [what, ranges] of [
    ['says nothing of ranges', {}],
    ['has no ranges', { 'accept-ranges': 'none' }],
  ] as const)
    it(`of a host that ${what} the source is read with one request, and announced after its first part`, async () => {
      const path = `/${what.replaceAll(' ', '-')}`;
      serveSecond(path, fail, { etag: '"v1"', 'content-length': LENGTH, ...ranges });
      const videoId = await fetchWhole(path);
      expect(requestsTo(path)).to.have.length(1);
      expect(heads(videoId)).to.have.length(1);
    });

  it('a source without a validator is read with one request and not announced', async () => {
    serveSecond('/unmarked', fail, { 'accept-ranges': 'bytes', 'content-length': LENGTH });
    const videoId = await fetchWhole('/unmarked');
    expect(requestsTo('/unmarked')).to.have.length(1);
    expect(heads(videoId)).to.deep.equal([]);
  });

  it('a source of three parts is read with one request and not announced, and one of four parts is announced', async () => {
    for (const [path, parts] of [
      ['/three', 3],
      ['/four', 4],
    ] as const) {
      const bytes = BYTES.subarray(0, parts * PART);
      harness.server.on(path, serveBytes(bytes));
      const videoId = await fetchWhole(path, bytes);
      const ranges = parts === 4 ? [undefined, `bytes=${2 * PART}-`] : [undefined];
      expect(requestsTo(path).map(rangeOf)).to.deep.equal(ranges);
      expect(heads(videoId)).to.have.length(parts === 4 ? 1 : 0);
    }
  });

  it('a fetch that is cancelled while it waits for the tail ends at once', async () => {
    let waits = false;
    serveSecond('/mute-tail', () => (waits = true));
    const videoId = newId();
    await harness.catalog.request(videoId, `https://${HOST}/mute-tail`);
    await until(() => waits, { what: 'the request for the tail' });
    await harness.catalog.cancel(videoId);
    await until(() => requestsTo('/mute-tail').every(({ socket }) => socket.destroyed), { what: 'no connection' });
    expect(await numbersOf(videoId)).to.deep.equal([1]);
    expect(heads(videoId)).to.deep.equal([]);
  });
}).timeout(30_000);
