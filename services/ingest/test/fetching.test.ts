import { createCipheriv, createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Fact } from './servers/catalog.ts';
import { startHarness, type House } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

const MIB = 1024 * 1024;
const PART = 32 * MIB;
const BYTES = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16)).update(Buffer.alloc(70 * MIB));

/** More than a part. */
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

describe('fetching', () => {
  let house: House;
  let fetched: Awaited<ReturnType<House['fetch']>>;
  before(async function () {
    this.timeout(60_000);
    house = await startHarness();
    house.server.on('/video.mp4', serveBytes(BYTES));
    await house.start();
    fetched = await house.fetch('/video.mp4');
  });
  after(function () {
    this.timeout(20_000);
    return house?.stop();
  });

  const expectWhole = async ({ name, payload }: Fact, bytes: Buffer): Promise<void> => {
    expect(name).to.equal('fetchCompleted');
    expect(payload).to.include({ attempt: 1, sourceBytes: bytes.length, digest: digestOf(bytes) });
    expect((await house.object(payload['sourceKey'])).equals(bytes)).to.equal(true);
  };

  it('brings a file in parts into the bucket, byte for byte, with the digest over its parts', async () => {
    await expectWhole(fetched, BYTES);
    expect(fetched.payload['sourceKey']).to.equal(`videos/${fetched.videoId}/1/source.1/original`);
    const { rows } = await house.pool.query(
      'SELECT number, bytes, sha256 FROM parts WHERE video_id = $1 ORDER BY number',
      [fetched.videoId],
    );
    expect(rows.map(({ number, bytes }) => [number, bytes])).to.deep.equal([
      [1, PART],
      [2, PART],
      [3, 6 * MIB],
    ]);
    expect(rows[1].sha256.equals(sha256(BYTES.subarray(PART, 2 * PART)))).to.equal(true);
  });

  it('says started once, each percent of progress at most once, and one last word', () => {
    const facts = house.catalog.facts(fetched.videoId);
    const others = facts.map(({ name }) => name).filter((name) => name !== 'fetchProgressed');
    expect(others.toSorted()).to.deep.equal(['fetchCompleted', 'fetchStarted']);
    const percents = facts.flatMap(({ name, payload }) =>
      name === 'fetchProgressed' ? [Number(payload['percent'])] : [],
    );
    expect(percents).to.have.length(new Set(percents).size);
    for (const percent of percents) expect(percent).to.be.within(1, 99);
    expect(percents).not.to.have.length(0);
  });

  it('forgets the address once the file is here', async () => {
    const row = await house.row('SELECT request, state FROM chassis.stages WHERE video_id = $1', fetched.videoId);
    expect(row).to.deep.equal({ request: {}, state: 'completed' });
  });

  it('leaves no unfinished upload behind', async () => {
    expect(await house.keys(fetched.videoId)).to.deep.equal({ objects: [fetched.payload['sourceKey']], uploads: [] });
  });

  for (const size of [0, 1, PART, PART + 1])
    it(`takes a file of ${size} bytes, with and without a length`, async () => {
      const bytes = BYTES.subarray(0, size);
      house.server.on('/sized', serveBytes(bytes));
      house.server.on('/chunked', (_request, response) => {
        response.writeHead(200, { 'transfer-encoding': 'chunked' });
        response.end(bytes);
      });
      await expectWhole(await house.fetch('/sized'), bytes);
      await expectWhole(await house.fetch('/chunked'), bytes);
    });

  it('goes on at once where a connection was cut', async () => {
    let served = 0;
    house.server.on('/cut', (request, response) => {
      served += 1;
      if (served > 3) return serveBytes(CLIP)(request, response);
      const from = Number(/bytes=(\d+)/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const head = { etag: '"v1"', 'content-length': CLIP.length - from };
      if (from === 0) response.writeHead(200, head);
      else response.writeHead(206, { ...head, 'content-range': `bytes ${from}-${CLIP.length - 1}/${CLIP.length}` });
      response.write(CLIP.subarray(from, from + 10 * MIB + 17), () => response.destroy());
    });
    const whole = await house.fetch('/cut');
    await expectWhole(whole, CLIP);
    expect(served).to.equal(4);
    expect(await house.row('SELECT tries FROM fetches WHERE video_id = $1', whole.videoId)).to.deep.equal({ tries: 0 });
    expect(await house.row('SELECT fence FROM chassis.jobs WHERE video_id = $1', whole.videoId)).to.deep.equal({
      fence: 1,
    });
  });

  it('starts over when the file has changed in between', async () => {
    const other = Buffer.from(CLIP.toReversed());
    let served = 0;
    house.server.on('/changed', (request, response) => {
      served += 1;
      if (served > 1) return serveBytes(other, '"v2"')(request, response);
      response.writeHead(200, { etag: '"v1"', 'content-length': CLIP.length });
      response.write(CLIP.subarray(0, 35 * MIB), () => response.destroy());
    });
    await expectWhole(await house.fetch('/changed'), other);
    const ranges = house.server.requests
      .filter(({ url }) => url === '/changed')
      .map(({ headers }) => headers['if-range']);
    expect(ranges).to.include('"v1"');
  });

  it('never joins two files, even where their lengths fit', async () => {
    const other = Buffer.from(CLIP.subarray(0, 2 * MIB).toReversed());
    let served = 0;
    house.server.on('/fitting', (request, response) => {
      served += 1;
      if (served > 1) return serveBytes(other, '"v2"')(request, response);
      response.writeHead(200, { etag: '"v1"', 'content-length': CLIP.length });
      response.write(CLIP.subarray(0, 35 * MIB), () => response.destroy());
    });
    await expectWhole(await house.fetch('/fitting'), other);
  });

  it('asks on where a host gives less of the range than was asked for', async () => {
    house.server.on('/pieces', (request, response) => {
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
    await expectWhole(await house.fetch('/pieces'), CLIP);
    expect(house.server.requests.filter(({ url }) => url === '/pieces').length).to.be.within(4, 6);
  });

  it('starts over when the host cannot resume', async () => {
    let served = 0;
    house.server.on('/plain', (_request, response) => {
      served += 1;
      response.writeHead(200, { 'content-length': CLIP.length });
      if (served > 1) response.end(CLIP);
      else response.write(CLIP.subarray(0, 35 * MIB), () => response.destroy());
    });
    await expectWhole(await house.fetch('/plain'), CLIP);
    expect(served).to.equal(2);
  });

  it('follows redirects to where the file lies', async () => {
    house.server.on('/small', serveBytes(CLIP.subarray(0, 100)));
    house.server.on('/moved', (_request, response) => void response.writeHead(302, { location: '/small' }).end());
    await expectWhole(await house.fetch('/moved'), CLIP.subarray(0, 100));
  });

  it('takes a source that fails a few times', async () => {
    let served = 0;
    house.server.on('/flaky', (request, response) => {
      served += 1;
      if (served > 5) serveBytes(CLIP.subarray(0, 100))(request, response);
      else response.writeHead(503).end();
    });
    await expectWhole(await house.fetch('/flaky'), CLIP.subarray(0, 100));
  });
}).timeout(30_000);
