import { expect } from 'chai';
import { openPool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { claimNext } from '@vds/testkit/harness/claim-next';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { moveOverdueJobs } from '@vds/chassis/stage/stage-rows';
import { addJobRows, finish, postpone, type ClaimedJob } from '@vds/chassis/work/job-rows';
import { events } from '@vds/proto/events';
import type { StoredPart } from '../src/domain/stored-source.ts';
import { countFault, recordHead, recordPart, recordSource, openFetch } from '../src/outbound/fetch-rows.ts';

const JOB = { stage: 'fetch', queue: 'fetch', videoId: 'v', attempt: 1, name: 'source' };
function part(number: number): StoredPart {
  return {
    number,
    bytes: 10,
    sha256: Buffer.alloc(32, number),
  };
}
const PROGRESS = { isProgress: true, sourceWaitMs: 0 };
const SOURCE = { key: 'videos/v/1/source.1/manifest', partBytes: 10, validator: '"v1"', total: 25 };

describe('rows of a claimed fetch', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof openPool>;
  beforeEach(async () => {
    database = await testDatabase(new URL('../', import.meta.url));
    const settings = { databaseUrl: database.url, databasePassword: database.password, databasePoolSize: 2 };
    pool = openPool(settings, 'ingest', createLogger('ingest', 'error'));
    await addJobRows(pool, [JOB]);
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  /** Claims the job, also from a holder whose lease it ends. */
  const take = async (): Promise<ClaimedJob> => {
    await pool.query('UPDATE chassis.jobs SET lease_until = now()');
    return (await claimNext(pool, 'fetch')) ?? expect.fail('there is nothing to claim');
  };
  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing was thrown',
      (error: { code: string }) => error.code,
    );

  it('a claim of a fetch reads what earlier claims have stored', async () => {
    const first = await take();
    await openFetch(pool, first);
    await recordSource(pool, first, SOURCE);
    await recordPart(pool, first, part(1), PROGRESS);
    const { stored } = await openFetch(pool, await take());
    expect(stored).to.deep.equal({ source: SOURCE, parts: [part(1)] });
  });

  it('a claim of a fetch writes nothing once its job has been claimed again or has ended', async () => {
    const old = await take();
    await openFetch(pool, old);
    await recordSource(pool, old, SOURCE);
    const rejected = async (): Promise<void> => {
      expect(await codeOf(openFetch(pool, old))).to.equal('ABORTED');
      for (const work of [
        () => recordPart(pool, old, part(1), PROGRESS),
        () => recordSource(pool, old, SOURCE),
        () => recordHead(pool, old, SOURCE),
      ])
        expect(await codeOf(work())).to.equal('ABORTED');
      expect(
        await codeOf(
          postpone(pool, old, { delayMs: 0 }, (client) => countFault(client, old, { tries: 1, sourceWaitMs: 0 })),
        ),
      ).to.equal('ABORTED');
    };
    const next = await take();
    await rejected();
    await finish(pool, next, undefined);
    expect(await codeOf(recordPart(pool, next, part(1), PROGRESS))).to.equal('ABORTED');
    expect((await pool.query('SELECT source_key, tries FROM fetches')).rows).to.deep.equal([
      { source_key: SOURCE.key, tries: 0 },
    ]);
    expect((await pool.query('SELECT 1 FROM parts')).rowCount).to.equal(0);
  });

  it('a part of a fetch that starts over leaves the count of faults, and its time counts as theirs', async () => {
    const first = await take();
    await openFetch(pool, first);
    await postpone(pool, first, { delayMs: 0 }, (client) =>
      countFault(client, first, { tries: 3, sourceWaitMs: 5_000 }),
    );
    const failing = await take();
    await recordPart(pool, failing, part(1), { isProgress: false, sourceWaitMs: 700 });
    expect(await openFetch(pool, failing)).to.include({ tries: 3, failingMs: 5_700, sourceWaitMs: 5_700 });
  });

  it('a new part resets the count of faults, and a new source replaces the stored parts', async () => {
    const first = await take();
    await openFetch(pool, first);
    await postpone(pool, first, { delayMs: 0 }, (client) =>
      countFault(client, first, { tries: 3, sourceWaitMs: 5_000 }),
    );
    const failing = await take();
    const state = await openFetch(pool, failing);
    expect(state).to.include({ tries: 3, failingMs: 5_000 });
    await recordPart(pool, failing, part(1), PROGRESS);
    expect(await openFetch(pool, failing)).to.include({ tries: 0, failingMs: 0 });
    await recordSource(pool, failing, { ...SOURCE, key: 'videos/v/1/source.2/manifest' });
    expect((await openFetch(pool, failing)).stored.parts).to.deep.equal([]);
  });

  it('a fetch returns to the regular queue after a fault, without counting a try', async () => {
    const first = await take();
    await openFetch(pool, first);
    await pool.query("UPDATE chassis.jobs SET queue = 'fetch-overdue'");
    await postpone(pool, first, { delayMs: 0 }, (client) => countFault(client, first, { tries: 1, sourceWaitMs: 0 }));
    expect((await pool.query('SELECT queue, tries, state FROM chassis.jobs')).rows).to.deep.equal([
      { queue: 'fetch', tries: 0, state: 'ready' },
    ]);
  });

  it('a fetch is overdue by the arrival of its request where that does not say when the video was accepted', async () => {
    const moved = () => moveOverdueJobs(pool, { from: 'fetch', to: 'fetch-overdue', withinMs: 60_000 });
    await pool.query(
      "INSERT INTO chassis.stages (stage, video_id, attempt, revision, publisher_id, request) VALUES ('fetch', 'v', 1, 0, 'p', '{}')",
    );
    expect(await moved()).to.equal(0);
    await pool.query("UPDATE chassis.stages SET created_at = now() - interval '61 seconds'");
    expect(await moved()).to.equal(1);
  });

  it('each claim of a fetch announces its head with an id of its own', async () => {
    for (const fence of [1, 2]) {
      const claimed = await take();
      expect(claimed.fence).to.equal(fence);
      await recordHead(pool, claimed, SOURCE);
    }
    const { rows } = await pool.query('SELECT message_id, payload FROM chassis.outbox ORDER BY id');
    expect(rows.map((row) => row.message_id)).to.deep.equal([
      'ingest.head.stored.v1/v/1/1',
      'ingest.head.stored.v1/v/1/2',
    ]);
    expect(events.headStored.decode(rows[0].payload)).to.deep.include({
      ...{ videoId: 'v', attempt: 1, sourceKey: SOURCE.key, sourceBytes: 25 },
    });
  });
});
