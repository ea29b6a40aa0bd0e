import { createCipheriv, createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { folderPrefix } from '@vds/chassis/objects/keys';
import { partKey } from '@vds/proto/documents/source';
import { expect } from 'chai';

import { HOST, startHarness, type Harness, type IngestEvent } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

const MIB = 1024 * 1024;
const PART = 8 * MIB;
const BYTES = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16)).update(Buffer.alloc(70 * MIB));

/** Some parts. */
const CLIP = BYTES.subarray(0, 37 * MIB);

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
function digestOf(bytes: Buffer): string {
  const parts = Array.from({ length: Math.ceil(bytes.length / PART) }, (_, n) =>
    sha256(bytes.subarray(n * PART, (n + 1) * PART)),
  );
  return sha256(Buffer.concat(parts)).toString('hex');
}

describe('fetching a source', () => {
  let harness: Harness;
  let fetched: Awaited<ReturnType<Harness['fetch']>>;
  before(async function () {
    this.timeout(60_000);
    harness = await startHarness();
    harness.server.on('/video.mp4', serveBytes(BYTES));
    await harness.start();
    fetched = await harness.fetch('/video.mp4');
  });
  after(function () {
    this.timeout(20_000);
    return harness?.stop();
  });

  const expectWhole = async ({ name, payload }: IngestEvent, bytes: Buffer): Promise<void> => {
    expect(name).to.equal('fetchCompleted');
    expect(payload).to.include({ attempt: 1, sourceBytes: bytes.length, digest: digestOf(bytes) });
    expect((await harness.source(payload['sourceKey'])).equals(bytes)).to.equal(true);
  };

  it('a source is stored in parts, byte for byte, with the digest of its parts', async () => {
    await expectWhole(fetched, BYTES);
    expect(fetched.payload['sourceKey']).to.match(
      new RegExp(`^videos/${fetched.videoId}/1/source\\.1-[0-9a-f]{12}/manifest$`),
    );
    const { rows } = await harness.pool.query(
      'SELECT number, bytes, sha256 FROM parts WHERE video_id = $1 ORDER BY number',
      [fetched.videoId],
    );
    expect(rows.map(({ number, bytes }) => [number, bytes])).to.deep.equal([
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, PART]),
      [9, 6 * MIB],
    ]);
    expect(rows[1].sha256.equals(sha256(BYTES.subarray(PART, 2 * PART)))).to.equal(true);
  });

  it('a fetch publishes started and the stored head once, each percentage at most once, and one terminal event', () => {
    const published = harness.catalog.published(fetched.videoId);
    const others = published.map(({ name }) => name).filter((name) => name !== 'fetchProgressed');
    expect(others.toSorted()).to.deep.equal(['fetchCompleted', 'fetchStarted', 'headStored']);
    const percents = published.flatMap(({ name, payload }) =>
      name === 'fetchProgressed' ? [Number(payload['percent'])] : [],
    );
    expect(percents).to.have.length(new Set(percents).size);
    for (const percent of percents) expect(percent).to.be.within(1, 99);
    expect(percents).not.to.have.length(0);
  });

  it('no row has the address of a source', async () => {
    const sql =
      'SELECT request::text, error, payload::text FROM chassis.stages JOIN chassis.jobs USING (video_id) WHERE video_id = $1';
    const row = await harness.row(sql, fetched.videoId);
    expect(row?.['request']).to.include(HOST);
    expect(JSON.stringify(row)).not.to.include('https:');
  });

  it('a completed fetch leaves a manifest and its parts, and nothing else', async () => {
    const key = String(fetched.payload['sourceKey']);
    const parts = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => partKey(key, number));
    expect(await harness.keys(fetched.videoId)).to.have.members([key, ...parts]);
  });

  for (const size of [0, 1, PART, PART + 1])
    it(`a source of ${size} bytes is fetched with and without a content length`, async () => {
      const bytes = BYTES.subarray(0, size);
      harness.server.on('/sized', serveBytes(bytes));
      harness.server.on('/chunked', (_request, response) => {
        response.writeHead(200, { 'transfer-encoding': 'chunked' });
        response.end(bytes);
      });
      await expectWhole(await harness.fetch('/sized'), bytes);
      await expectWhole(await harness.fetch('/chunked'), bytes);
    });

  it('a fetch resumes at once where a connection was cut', async () => {
    let served = 0;
    harness.server.on('/cut', (request, response) => {
      served += 1;
      if (served > 3) return serveBytes(CLIP)(request, response);
      const from = Number(/bytes=(\d+)/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const head = { etag: '"v1"', 'content-length': CLIP.length - from };
      if (from === 0) response.writeHead(200, head);
      else response.writeHead(206, { ...head, 'content-range': `bytes ${from}-${CLIP.length - 1}/${CLIP.length}` });
      response.write(CLIP.subarray(from, from + 10 * MIB + 17), () => response.destroy());
    });
    const whole = await harness.fetch('/cut');
    await expectWhole(whole, CLIP);
    expect(served).to.equal(4);
    expect(await harness.row('SELECT tries FROM fetches WHERE video_id = $1', whole.videoId)).to.deep.equal({
      tries: 0,
    });
    expect(await harness.row('SELECT fence FROM chassis.jobs WHERE video_id = $1', whole.videoId)).to.deep.equal({
      fence: 1,
    });
  });

  it('a connection that is lost while the tail is read is replaced where it was', async () => {
    const ranges: (string | undefined)[] = [];
    let first: ServerResponse | undefined;
    harness.server.on('/waiting', (request, response) => {
      ranges.push(request.headers.range);
      first?.destroy();
      if (ranges.length > 1) return serveBytes(CLIP)(request, response);
      first = response;
      response.writeHead(200, { etag: '"v1"', 'accept-ranges': 'bytes', 'content-length': CLIP.length });
      response.write(CLIP.subarray(0, PART));
    });
    const whole = await harness.fetch('/waiting');
    await expectWhole(whole, CLIP);
    expect(ranges).to.deep.equal([undefined, `bytes=${3 * PART}-`, `bytes=${PART}-`]);
    expect(await harness.row('SELECT fence FROM chassis.jobs WHERE video_id = $1', whole.videoId)).to.deep.equal({
      fence: 1,
    });
  });

  it('a fetch starts over when the source has changed in between', async () => {
    const other = Buffer.from(CLIP.toReversed());
    let served = 0;
    harness.server.on('/changed', (request, response) => {
      served += 1;
      if (served > 1) return serveBytes(other, '"v2"')(request, response);
      response.writeHead(200, { etag: '"v1"', 'content-length': CLIP.length });
      response.write(CLIP.subarray(0, 35 * MIB), () => response.destroy());
    });
    const whole = await harness.fetch('/changed');
    await expectWhole(whole, other);
    const folders = (await harness.keys(whole.videoId)).map(folderPrefix);
    expect(new Set(folders)).to.deep.equal(new Set([folderPrefix(String(whole.payload['sourceKey']))]));
    const ranges = harness.server.requests
      .filter(({ url }) => url === '/changed')
      .map(({ headers }) => headers['if-range']);
    expect(ranges).to.include('"v1"');
  });

  it('a fetch never joins two versions of a source, even where their lengths match', async () => {
    const other = Buffer.from(CLIP.subarray(0, 2 * MIB).toReversed());
    let served = 0;
    harness.server.on('/fitting', (request, response) => {
      served += 1;
      if (served > 1) return serveBytes(other, '"v2"')(request, response);
      response.writeHead(200, { etag: '"v1"', 'content-length': CLIP.length });
      response.write(CLIP.subarray(0, 35 * MIB), () => response.destroy());
    });
    await expectWhole(await harness.fetch('/fitting'), other);
  });

  it('a fetch requests the rest where a host sends less of the range than requested', async () => {
    harness.server.on('/pieces', (request, response) => {
      const from = Number(/bytes=(\d+)/.exec(request.headers.range ?? '')?.[1] ?? -1);
      if (from < 0) {
        response.writeHead(200, { etag: '"v1"', 'content-length': CLIP.length });
        return void response.write(CLIP.subarray(0, 12 * MIB), () => response.destroy());
      }
      const to = Math.min(CLIP.length, from + 10 * MIB);
      const range = `bytes ${from}-${to - 1}/${CLIP.length}`;
      response.writeHead(206, { etag: '"v1"', 'content-length': to - from, 'content-range': range });
      response.end(CLIP.subarray(from, to));
    });
    await expectWhole(await harness.fetch('/pieces'), CLIP);
    expect(harness.server.requests.filter(({ url }) => url === '/pieces').length).to.be.within(4, 6);
  });

  it('a fetch starts over when the host does not support ranges', async () => {
    let served = 0;
    harness.server.on('/plain', (_request, response) => {
      served += 1;
      response.writeHead(200, { 'content-length': CLIP.length });
      if (served > 1) response.end(CLIP);
      else response.write(CLIP.subarray(0, 35 * MIB), () => response.destroy());
    });
    await expectWhole(await harness.fetch('/plain'), CLIP);
    expect(served).to.equal(2);
  });

  it('a fetch follows redirects to the source', async () => {
    harness.server.on('/small', serveBytes(CLIP.subarray(0, 100)));
    harness.server.on('/moved', (_request, response) => void response.writeHead(302, { location: '/small' }).end());
    await expectWhole(await harness.fetch('/moved'), CLIP.subarray(0, 100));
  });

  it('a source that fails a few times is fetched', async () => {
    let served = 0;
    harness.server.on('/flaky', (request, response) => {
      served += 1;
      if (served > 5) serveBytes(CLIP.subarray(0, 100))(request, response);
      else response.writeHead(503).end();
    });
    await expectWhole(await harness.fetch('/flaky'), CLIP.subarray(0, 100));
  });
}).timeout(30_000);
