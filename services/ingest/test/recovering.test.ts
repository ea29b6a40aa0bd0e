import { createCipheriv } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { folderPrefix } from '@vds/chassis/objects/keys';
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { HOST, newId, startHarness, type Harness } from './servers/harness.ts';
import { serveBytes, type Handler } from './servers/source-server.ts';

const MIB = 1024 * 1024;
const PART = 8 * MIB;
const BYTES = createCipheriv('aes-128-ctr', Buffer.alloc(16, 9), Buffer.alloc(16)).update(Buffer.alloc(PART + 5 * MIB));

describe('an interrupted fetch', () => {
  let harness: Harness;
  before(async function () {
    this.timeout(60_000);
    harness = await startHarness();
  });
  after(function () {
    this.timeout(20_000);
    return harness?.stop();
  });

  /** A path that sends one part and some more, then waits; later requests are served to the end. */
  const servePausing = (path: string): IncomingMessage[] => {
    const requests: IncomingMessage[] = [];
    harness.server.on(path, (request: IncomingMessage, response: ServerResponse) => {
      requests.push(request);
      if (requests.length > 1) return serveBytes(BYTES)(request, response);
      response.writeHead(200, { etag: '"v1"', 'content-length': BYTES.length });
      response.write(BYTES.subarray(0, PART + MIB));
    });
    return requests;
  };
  const partStored = (videoId: string) =>
    until(() => harness.row('SELECT 1 FROM parts WHERE video_id = $1', videoId), { what: 'the first part is stored' });
  const begin = async (path: string): Promise<{ videoId: string; requests: IncomingMessage[] }> => {
    const requests = servePausing(path);
    const videoId = newId();
    await harness.catalog.request(videoId, `https://${HOST}${path}`);
    await partStored(videoId);
    return { videoId, requests };
  };

  it('the job of a fetch that will be retried shows the operator its last error and its worker', async () => {
    const ingest = await harness.start({ TIME_SCALE: 'sourceDelays=60s+60s,retryWindow=14m' });
    harness.server.on('/unavailable', (_request, response) => void response.writeHead(503).end());
    const videoId = newId();
    await harness.catalog.request(videoId, `https://${HOST}/unavailable`);
    const job = await until(
      () =>
        harness.row(
          'SELECT error, claimed_by, state FROM chassis.jobs WHERE video_id = $1 AND error IS NOT NULL',
          videoId,
        ),
      { what: 'the first try has failed' },
    );
    expect(job).to.include({ state: 'ready', error: 'try 1: the host cannot serve the file now (http_status 503)' });
    expect(job['claimed_by']).to.match(new RegExp(`^${hostname()}/${ingest.process.pid}$`));
    ingest.process.kill('SIGTERM');
    expect(await ingest.exited).to.equal(0);
  });

  it('a fetch interrupted between its object and its row succeeds on the next try', async () => {
    const first = await harness.start();
    harness.server.on('/whole', serveBytes(BYTES));
    const { videoId, payload } = await harness.fetch('/whole');
    harness.catalog.addresses.set(videoId, 'https://absent.example/');
    await harness.pool.query("UPDATE chassis.stages SET state = 'open' WHERE video_id = $1", [videoId]);
    await harness.pool.query("UPDATE chassis.jobs SET state = 'ready' WHERE video_id = $1", [videoId]);
    await until(
      async () =>
        (await harness.row('SELECT state FROM chassis.stages WHERE video_id = $1', videoId))?.['state'] === 'completed',
      { what: 'the second end' },
    );
    expect((await harness.source(payload['sourceKey'])).equals(BYTES)).to.equal(true);
    first.process.kill('SIGTERM');
    await first.exited;
  });

  it('a fetch that our own storage fails is retried for a day, shortened here, and then ends as internal_error', async () => {
    const other = await harness.start({
      SOURCES_BUCKET: 'absent-bucket',
      TIME_SCALE: 'retryDelays=20ms,dependencyLimit=1s,breakerPause=20ms',
    });
    const videoId = newId();
    harness.server.on('/fine', serveBytes(BYTES));
    await harness.catalog.request(videoId, `https://${HOST}/fine`);
    const { payload } = await harness.catalog.waitFor(videoId, ['fetchFailed']);
    expect(payload).to.include({ code: 'internal_error' }).and.to.have.deep.property('details', {});
    expect(harness.server.requests.filter(({ url }) => url === '/fine').length).to.be.greaterThan(1);
    other.process.kill('SIGTERM');
    await other.exited;
  });

  describe('whose tail is stored', () => {
    const SMALL = 64 * 1024;
    const LENGTH = 6 * SMALL;
    const small = BYTES.subarray(0, LENGTH);
    /** A path that sends the head, the tail and half of the middle; later requests are given to `then`. */
    const beginMiddle = async (
      path: string,
      then: Handler,
    ): Promise<{ videoId: string; requests: IncomingMessage[] }> => {
      const requests: IncomingMessage[] = [];
      harness.server.on(path, (request, response) => {
        requests.push(request);
        if (requests.length > 2) return then(request, response);
        if (requests.length > 1) return serveBytes(small)(request, response);
        response.writeHead(200, { etag: '"v1"', 'accept-ranges': 'bytes', 'content-length': LENGTH });
        response.write(small.subarray(0, 3 * SMALL - 100));
      });
      const videoId = newId();
      await harness.catalog.request(videoId, `https://${HOST}${path}`);
      const count = 'SELECT count(*)::int AS n FROM parts WHERE video_id = $1';
      await until(async () => (await harness.row(count, videoId))?.['n'] === 4, { what: 'parts 1, 2, 5 and 6' });
      return { videoId, requests };
    };
    const killed = async (path: string, then: Handler) => {
      const first = await harness.start({ SOURCE_PART_BYTES: String(SMALL) });
      const begun = await beginMiddle(path, then);
      first.process.kill('SIGKILL');
      await first.exited;
      // The length of its parts stays what it was.
      const second = await harness.start({ SOURCE_PART_BYTES: String(2 * SMALL) });
      const { payload } = await harness.catalog.waitFor(begun.videoId, ['fetchCompleted', 'fetchFailed']);
      second.process.kill('SIGTERM');
      await second.exited;
      return { ...begun, key: String(payload['sourceKey']) };
    };

    it('resumes in the gap, and reads no further than to the tail', async () => {
      let sent = 0;
      const { videoId, requests, key } = await killed('/gap', (_request, response) => {
        const range = `bytes ${2 * SMALL}-${LENGTH - 1}/${LENGTH}`;
        response.writeHead(206, { etag: '"v1"', 'content-length': LENGTH - 2 * SMALL, 'content-range': range });
        // Nothing of the tail: a fetch that read it would wait for it.
        response.write(small.subarray(2 * SMALL, 4 * SMALL));
        sent += 1;
      });
      expect((await harness.source(key)).equals(small)).to.equal(true);
      expect(JSON.parse(String(await harness.object(key)))).to.deep.equal({ bytes: LENGTH, partBytes: SMALL });
      expect(requests.map(({ headers }) => headers.range)).to.deep.equal([
        undefined,
        `bytes=${4 * SMALL}-`,
        `bytes=${2 * SMALL}-`,
      ]);
      expect([sent, requests[2]?.headers['if-range']]).to.deep.equal([1, '"v1"']);
      const announced = harness.catalog.published(videoId).filter(({ name }) => name === 'headStored');
      expect(announced).to.have.length(2);
    });

    it('starts over in another folder when the file has changed, and the folder before is removed', async () => {
      const other = Buffer.from(small.toReversed());
      const { videoId, key } = await killed('/changed', serveBytes(other, '"v2"'));
      expect((await harness.source(key)).equals(other)).to.equal(true);
      expect(key).to.match(/\/source\.2-[0-9a-f]{12}\//);
      const folders = (await harness.keys(videoId)).map(folderPrefix);
      expect(new Set(folders)).to.deep.equal(new Set([folderPrefix(key)]));
    });

    it('fails with the code of its host when the file is gone, and its parts are removed', async () => {
      const { videoId } = await killed('/gone', (_request, response) => void response.writeHead(404).end());
      expect((await harness.catalog.waitFor(videoId, ['fetchFailed'])).payload).to.include({
        code: 'source_not_found',
      });
      await until(async () => (await harness.keys(videoId)).length === 0, { what: 'the source is removed' });
    });
  });

  it('a fetch whose parts are removed starts over', async () => {
    const first = await harness.start();
    const { videoId, requests } = await begin('/removed');
    first.process.kill('SIGKILL');
    await first.exited;
    await harness.removeParts(videoId);
    const second = await harness.start();
    const { payload } = await harness.catalog.waitFor(videoId, ['fetchCompleted', 'fetchFailed']);
    expect((await harness.source(payload['sourceKey'])).equals(BYTES)).to.equal(true);
    expect(requests.at(-1)?.headers.range).to.equal(undefined);
    second.process.kill('SIGTERM');
    await second.exited;
  });
}).timeout(60_000);
