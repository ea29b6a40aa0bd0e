import { createCipheriv } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { HOST, newId, startHarness, type House } from './servers/harness.ts';
import { serveBytes } from './servers/source-server.ts';

const MIB = 1024 * 1024;
const PART = 32 * MIB;
const BYTES = createCipheriv('aes-128-ctr', Buffer.alloc(16, 9), Buffer.alloc(16)).update(Buffer.alloc(PART + 5 * MIB));

describe('a fetch that is interrupted', () => {
  let house: House;
  before(async function () {
    this.timeout(60_000);
    house = await startHarness();
  });
  after(function () {
    this.timeout(20_000);
    return house?.stop();
  });

  /** A path that sends one part and some more, then waits; later requests are served to the end. */
  const servePausing = (path: string): IncomingMessage[] => {
    const asked: IncomingMessage[] = [];
    house.server.on(path, (request: IncomingMessage, response: ServerResponse) => {
      asked.push(request);
      if (asked.length > 1) return serveBytes(BYTES)(request, response);
      response.writeHead(200, { etag: '"v1"', 'content-length': BYTES.length });
      response.write(BYTES.subarray(0, PART + MIB));
    });
    return asked;
  };
  const partStored = (videoId: string) =>
    until(() => house.row('SELECT 1 FROM parts WHERE video_id = $1', videoId), { what: 'the first part is stored' });
  const begin = async (path: string): Promise<{ videoId: string; asked: IncomingMessage[] }> => {
    const asked = servePausing(path);
    const videoId = newId();
    await house.catalog.request(videoId, `https://${HOST}${path}`);
    await partStored(videoId);
    return { videoId, asked };
  };
  const expectResumed = async (videoId: string, asked: readonly IncomingMessage[]): Promise<void> => {
    const { payload } = await house.catalog.fact(videoId, ['fetchCompleted', 'fetchFailed']);
    expect(asked.map(({ headers }) => headers.range)).to.deep.equal([undefined, `bytes=${PART}-`]);
    expect(asked[1]?.headers['if-range']).to.equal('"v1"');
    expect(payload['sourceKey']).to.equal(`videos/${videoId}/1/source.1/original`);
    expect((await house.object(payload['sourceKey'])).equals(BYTES)).to.equal(true);
    const names = house.catalog.facts(videoId).map(({ name }) => name);
    expect(names.filter((name) => name !== 'fetchProgressed').toSorted()).to.deep.equal([
      'fetchCompleted',
      'fetchStarted',
    ]);
    expect(await house.row('SELECT fence FROM chassis.jobs WHERE video_id = $1', videoId)).to.deep.equal({ fence: 2 });
    expect(await house.row('SELECT tries FROM fetches WHERE video_id = $1', videoId)).to.deep.equal({ tries: 0 });
  };

  it('by kill -9 is taken over after its lease and goes on after the last whole part', async () => {
    const first = await house.start();
    const { videoId, asked } = await begin('/killed');
    first.process.kill('SIGKILL');
    await first.exited;
    const second = await house.start();
    await expectResumed(videoId, asked);
    second.process.kill('SIGTERM');
    expect(await second.exited).to.equal(0);
  });

  it('by SIGTERM is given back at once, at no cost of a try, and goes on elsewhere', async () => {
    const first = await house.start({ LEASE: '10m', LEASE_RENEWAL: '2m' });
    const { videoId, asked } = await begin('/terminated');
    const second = await house.start();
    first.process.kill('SIGTERM');
    expect(await first.exited).to.equal(0);
    await expectResumed(videoId, asked);
    const { rows } = await house.pool.query('SELECT tries FROM chassis.jobs WHERE video_id = $1', [videoId]);
    expect(rows).to.deep.equal([{ tries: 1 }]);
    second.process.kill('SIGTERM');
    await second.exited;
  });

  it('by the loss of its lease stops and writes nothing more', async () => {
    const first = await house.start();
    const { videoId, asked } = await begin('/lost');
    const gone = new Promise((resolve) => asked[0]?.socket.once('close', resolve));
    await house.pool.query("UPDATE chassis.jobs SET state = 'cancelled', lease_until = NULL WHERE video_id = $1", [
      videoId,
    ]);
    await gone;
    expect(await house.row('SELECT state FROM chassis.stages WHERE video_id = $1', videoId)).to.deep.equal({
      state: 'open',
    });
    expect(await house.row('SELECT stored_bytes FROM fetches WHERE video_id = $1', videoId)).to.deep.equal({
      stored_bytes: String(PART),
    });
    first.process.kill('SIGTERM');
    await first.exited;
  });

  it('between the object and the row that tells of it is a success the second time', async () => {
    const first = await house.start();
    house.server.on('/whole', serveBytes(BYTES));
    const { videoId, payload } = await house.fetch('/whole');
    await house.pool.query(
      `UPDATE chassis.stages SET state = 'open', request = '{"sourceUrl": "https://absent.example/"}' WHERE video_id = $1`,
      [videoId],
    );
    await house.pool.query('UPDATE fetches SET upload_id = gen_random_uuid() WHERE video_id = $1', [videoId]);
    await house.pool.query("UPDATE chassis.jobs SET state = 'ready' WHERE video_id = $1", [videoId]);
    await until(
      async () =>
        (await house.row('SELECT state FROM chassis.stages WHERE video_id = $1', videoId))?.['state'] === 'completed',
      { what: 'the second end' },
    );
    expect((await house.object(payload['sourceKey'])).equals(BYTES)).to.equal(true);
    first.process.kill('SIGTERM');
    await first.exited;
  });

  it('by trouble of ours is tried again and then ends as internal_error', async () => {
    const other = await house.start({ SOURCES_BUCKET: 'absent-bucket', WORK_TRIES: '3', WORK_RETRY_DELAYS: '20ms' });
    const videoId = newId();
    house.server.on('/fine', serveBytes(BYTES));
    await house.catalog.request(videoId, `https://${HOST}/fine`);
    const { payload } = await house.catalog.fact(videoId, ['fetchFailed']);
    expect(payload).to.include({ code: 'internal_error' }).and.to.have.deep.property('details', {});
    expect(house.server.requests.filter(({ url }) => url === '/fine')).to.have.length(3);
    other.process.kill('SIGTERM');
    await other.exited;
  });

  it('by the removal of its upload starts over', async () => {
    await house.start();
    const { videoId, asked } = await begin('/removed');
    await house.removeUploads(videoId);
    asked[0]?.socket.destroy();
    const { payload } = await house.catalog.fact(videoId, ['fetchCompleted', 'fetchFailed']);
    expect((await house.object(payload['sourceKey'])).equals(BYTES)).to.equal(true);
    expect(asked.at(-1)?.headers.range).to.equal(undefined);
  });
}).timeout(30_000);
