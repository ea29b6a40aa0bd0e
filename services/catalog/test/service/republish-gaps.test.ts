/** When unanswered requests and unconfirmed purges are due again, in a database of its own. */
import { openPool } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { testDatabase } from '@vds/testkit/harness/database';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { makeAllDue, republish } from '../../src/outbound/republish.ts';
import { newId } from './harness.ts';
import { serviceFolder } from './process.ts';

/** In how many seconds each stage and purge is due, and how often it was republished. */
const stateSql = `SELECT stage AS name, republished, extract(epoch FROM next_republish_at - now())::float8 AS seconds FROM stages
  UNION ALL SELECT owner, republished, extract(epoch FROM next_republish_at - now())::float8 FROM purges ORDER BY name`;

describe('the gaps between repeats', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let pool: ReturnType<typeof openPool>;
  let tried: string[];
  let failure: AppError | undefined;
  let isUp: boolean;

  beforeEach(async () => {
    database = await testDatabase(serviceFolder);
    const { url: databaseUrl, password: databasePassword } = database;
    const log = createLogger('catalog', 'error');
    pool = openPool({ databaseUrl, databasePassword, databasePoolSize: 2 }, 'catalog', log);
    [tried, failure, isUp] = [[], undefined, true];
  });
  afterEach(async () => {
    await pool.close();
    await database.drop();
  });

  const publishRaw = async (_subject: string, _payload: Uint8Array, messageId: string) => {
    tried.push(messageId);
    if (failure) throw failure;
    return { stream: 'CATALOG', sequence: tried.length };
  };
  /** @returns the code of the error, if any */
  const run = (): Promise<unknown> =>
    republish(
      {
        ...{ pool, bus: { publishRaw, isUp: () => isUp }, onRepublished: () => {} },
        ...{ republishFirstMs: 15_000, republishMaxMs: 300_000 },
      },
      10,
    ).catch((error: unknown) => (error as AppError).code);
  const addVideo = async (): Promise<string> => {
    const id = newId();
    await pool.query(
      `WITH made AS (INSERT INTO videos (id, publisher_id, key_id, budget_id, source_url, title, tags, language_code)
        VALUES ($1, 'p', 'k', 'b', 'https://media.example.com/x', 't', '{}', 'en') RETURNING id)
      INSERT INTO stages (video_id, attempt, stage, owner, next_republish_at) SELECT id, 1, 'fetch', 'ingest', now() - interval '1 s' FROM made`,
      [id],
    );
    return id;
  };
  /** @param due, next intervals from now */
  const addPurge = (id: string, owner: string, due: string, next: string): Promise<unknown> =>
    pool.query(
      `INSERT INTO purges (video_id, owner, scope, request_id, due_at, next_republish_at)
       VALUES ($1, $2, 'VIDEO', 'r', now() + $3::interval, now() + $4::interval)`,
      [id, owner, due, next],
    );
  type State = { readonly name: string; readonly republished: number; readonly seconds: number };
  const states = async (): Promise<readonly State[]> => (await pool.query<State>(stateSql)).rows;
  const republished = async (): Promise<unknown> =>
    Object.fromEntries((await states()).map(({ name, republished: times }) => [name, times]));

  it('each repeat of a request comes after a gap that is twice as long, up to the longest', async () => {
    const id = await addVideo();
    const gaps: number[] = [];
    for (let repeat = 0; repeat < 40; repeat++) {
      await run();
      gaps.push(Math.round(((await states())[0]?.seconds ?? 0) / 5) * 5);
      await pool.query(`UPDATE stages SET next_republish_at = now() - interval '1 s'`);
    }
    expect(gaps.slice(0, 6)).to.deep.equal([30, 60, 120, 240, 300, 300]);
    expect(new Set(gaps.slice(6))).to.deep.equal(new Set([300]));
    expect(tried).to.deep.equal(gaps.map((_gap, index) => `${id}-1-fetch-again-${index + 1}`));
  });

  it('what could not be published as NATS was away is due again at once, under the same message id', async () => {
    const id = await addVideo();
    await addPurge(id, 'transcode', '-1 minute', '-1 s');
    failure = new AppError('UNAVAILABLE', 'no reply');
    for (let time = 1; time <= 3; time++) expect(await run()).to.equal('UNAVAILABLE');
    expect(tried).to.have.length(6);
    for (const { seconds } of await states()) expect(seconds).to.be.below(0);
    failure = undefined;
    expect(await run()).to.equal(undefined);
    expect(tried).to.have.length(8);
    expect(new Set(tried).size, 'two messages').to.equal(2);
    expect(tried).to.include(`${id}-1-fetch-again-1`);
    expect(await republished()).to.deep.equal({ fetch: 1, transcode: 1 });
    for (const { seconds } of await states()) expect(seconds).to.be.within(20, 30);
  });

  it('while NATS is away nothing is claimed', async () => {
    await addVideo();
    isUp = false;
    await run();
    expect(tried).to.deep.equal([]);
    expect(await republished()).to.deep.equal({ fetch: 0 });
  });

  it('what NATS refuses waits for its gap, so that it does not stay the oldest', async () => {
    await addVideo();
    failure = new AppError('INVALID_ARGUMENT', 'too large');
    expect(await run()).to.equal('INVALID_ARGUMENT');
    expect((await states())[0]?.seconds).to.be.within(20, 30);
  });

  it('a requested purge is repeated although the clock was set back an hour, and no other is requested before its time', async () => {
    const id = await addVideo();
    await pool.query('UPDATE stages SET next_republish_at = NULL');
    await addPurge(id, 'transcode', '59 minutes', '61 minutes');
    await addPurge(id, 'ingest', '24 hours', '24 hours');
    // What becomes due now is rounded to milliseconds, perhaps upwards.
    const isRepeated = async (): Promise<boolean> => (await run()) === undefined && tried.length > 0;
    await until(isRepeated, { what: 'the repeat' });
    expect(await republished()).to.deep.equal({ fetch: 0, ingest: 0, transcode: 1 });
    expect(tried).to.have.length(1);
  });

  it('what one owner has not answered is due at once in the order of its first request, and nothing else', async () => {
    const minutes = Array.from({ length: 10 }, (_, ago) => new Date(Date.now() - ago * 60_000));
    const soon = new Date(Date.now() + 40_000);
    const later = new Date(Date.now() + 86_400_000);
    const [first, second] = [await addVideo(), await addVideo()];
    const addStage = (id: string, stage: string, requestedAt: Date | undefined, next: Date | null): Promise<unknown> =>
      pool.query(
        `INSERT INTO stages (video_id, attempt, stage, owner, requested_at, next_republish_at)
         VALUES ($1, 1, $2, 'transcode', $3, $4)`,
        [id, stage, requestedAt, next],
      );
    await pool.query('UPDATE stages SET requested_at = $1, next_republish_at = $2', [minutes[9], soon]);
    await addStage(first, 'inspect', minutes[2], soon);
    await addStage(second, 'inspect', minutes[3], soon);
    await addStage(second, 'encode', minutes[3], null);
    // Requested before the clock was set back.
    await addStage(first, 'encode', later, soon);
    const addPurgeAt = (owner: string, scope: string, due: Date | undefined, next: Date | null): Promise<unknown> =>
      pool.query(
        `INSERT INTO purges (video_id, owner, scope, request_id, due_at, next_republish_at) VALUES ($1, $2, $3, 'r', $4, $5)`,
        [first, owner, scope, due, next],
      );
    await addPurgeAt('transcode', 'VIDEO', minutes[4], soon);
    await addPurgeAt('transcode', 'OTHER_ATTEMPTS', minutes[5], null);
    await addPurgeAt('transcode', 'SOURCE', later, later);
    await addPurgeAt('captions', 'VIDEO', later, soon);
    await addPurgeAt('ingest', 'VIDEO', minutes[4], soon);
    const due = async (): Promise<unknown> => {
      const { rows } = await pool.query<{ what: string; at: Date | null }>(
        `SELECT concat_ws(' ', CASE video_id WHEN $1 THEN 'first' ELSE 'second' END, stage) AS what, next_republish_at AS at
         FROM stages UNION ALL SELECT concat_ws(' ', owner, scope), next_republish_at FROM purges`,
        [first],
      );
      return Object.fromEntries(rows.map(({ what, at }) => [what, at]));
    };
    const ofTranscode = { 'first inspect': minutes[2], 'second inspect': minutes[3], 'transcode VIDEO': minutes[4] };
    const unchanged = { 'second encode': null, 'transcode OTHER_ATTEMPTS': null, 'transcode SOURCE': later };
    const setBack = { 'first encode': soon, 'captions VIDEO': soon };
    const others = { 'first fetch': soon, 'second fetch': soon, 'ingest VIDEO': soon };
    await makeAllDue(pool, 'transcode');
    expect(await due()).to.deep.equal({ ...ofTranscode, ...unchanged, ...setBack, ...others });
    await makeAllDue(pool);
    const all = { 'first fetch': minutes[9], 'second fetch': minutes[9], 'ingest VIDEO': minutes[4] };
    expect(await due()).to.deep.equal({ ...ofTranscode, ...unchanged, ...setBack, ...all });
  });
});
