import { expect } from 'chai';
import { openPool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import type { StoredPart } from '../src/domain/fetch-source.ts';
import {
  claimFetch,
  countFault,
  endCompleted,
  endFailed,
  keepPart,
  keepUpload,
  type ClaimedFetch,
} from '../src/outbound/claimed-fetch.ts';
import { addFetch } from '../src/outbound/fetches.ts';

const FETCH = {
  videoId: 'v',
  attempt: 1,
  publisherId: 'p',
  sourceUrl: 'https://media.example/',
  acceptedAt: new Date(),
};
function part(number: number): StoredPart {
  return {
    number,
    bytes: 10,
    sha256: Buffer.alloc(32, number),
    etag: `e${number}`,
  };
}
const UPLOAD = { key: 'videos/v/1/source.1/original', uploadId: 'u' };
const FILE = { validator: '"v1"', total: 25 };

describe('a claimed fetch', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof openPool>;
  beforeEach(async () => {
    database = await testDatabase(new URL('../', import.meta.url));
    const settings = { databaseUrl: database.url, databasePassword: database.password, databasePoolSize: 2 };
    pool = openPool(settings, 'ingest', createLogger('ingest', 'error'));
    await addFetch(pool, FETCH);
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const claim = async (): Promise<ClaimedFetch> =>
    (await claimFetch(pool, FETCH)) ?? expect.fail('there is nothing to claim');
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing was thrown',
      (error: { code: string }) => error.code,
    );

  it('is given with what is stored, under a fence that rises, and says started once', async () => {
    const first = await claim();
    await keepUpload(pool, first, UPLOAD, FILE);
    await keepPart(pool, first, part(1));
    const second = await claim();
    expect([first.fence, second.fence]).to.deep.equal([1, 2]);
    expect(second.stored).to.deep.equal({ upload: UPLOAD, parts: [part(1)], validator: '"v1"', total: 25 });
    expect((await pool.query('SELECT subject FROM chassis.outbox')).rows).to.deep.equal([
      { subject: 'ingest.fetch.started.v1' },
    ]);
  });

  it('refuses everything from the holder of an older fence', async () => {
    const old = await claim();
    await keepUpload(pool, old, UPLOAD, FILE);
    await claim();
    for (const work of [
      () => keepPart(pool, old, part(1)),
      () => keepUpload(pool, old, undefined, FILE),
      () => countFault(pool, old, 1, 0),
      () => endCompleted(pool, old, 'digest'),
    ])
      expect(await codeOf(work())).to.equal('ABORTED');
    expect((await pool.query('SELECT upload_id, state, tries FROM fetches')).rows).to.deep.equal([
      { upload_id: 'u', state: 'open', tries: 0 },
    ]);
    expect((await pool.query('SELECT 1 FROM parts')).rowCount).to.equal(0);
  });

  it('forgets its failures with every new part, and its parts with every new upload', async () => {
    const held = await claim();
    await countFault(pool, held, 3, 5_000);
    const failing = await claim();
    expect(failing.tries).to.equal(3);
    expect(failing.failingMs).to.be.within(5_000, 60_000);
    await keepPart(pool, failing, part(1));
    expect(await claim()).to.include({ tries: 0, failingMs: 0 });
    await keepUpload(pool, await claim(), { ...UPLOAD, uploadId: 'u2' }, FILE);
    expect((await claim()).stored.parts).to.deep.equal([]);
  });

  it('counts its running time from the first claim', async () => {
    await claim();
    // The column keeps milliseconds and may round up: one second more than the least.
    await pool.query("UPDATE fetches SET started_at = now() - interval '61 seconds'");
    expect((await claim()).runningMs).to.be.within(60_000, 120_000);
  });

  it('is not to be had once it has ended, and ends only once', async () => {
    await claim();
    expect(await endFailed(pool, FETCH, 'source_timeout', {})).to.equal(true);
    expect(await endFailed(pool, FETCH, 'internal_error', {})).to.equal(false);
    expect(await claimFetch(pool, FETCH)).to.equal(undefined);
    expect((await pool.query('SELECT code, source_url FROM fetches')).rows).to.deep.equal([
      { code: 'source_timeout', source_url: '' },
    ]);
  });
});
