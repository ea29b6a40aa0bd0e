/** When unanswered requests and unconfirmed purges are due again, in a separate database. */
import { openPool } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { testDatabase } from '@vds/testkit/harness/database';
import { expect } from 'chai';
import { republish } from '../../src/outbound/republish.ts';
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
    return { sequence: tried.length, duplicate: false };
  };
  /** @returns the code of the error, if any */
  const run = (): Promise<unknown> =>
    republish(
      {
        ...{ pool, bus: { publishRaw, isUp: () => isUp }, relayReady: async () => {}, onRepublished: () => {} },
        times: { republishFirstMs: 15_000, republishMaxMs: 300_000 },
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

  it('what could not be published as NATS was unavailable is due again at once, under the same message id', async () => {
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

  it('while NATS is unavailable nothing is claimed', async () => {
    await addVideo();
    isUp = false;
    await run();
    expect(tried).to.deep.equal([]);
    expect(await republished()).to.deep.equal({ fetch: 0 });
  });

  it('a message that NATS refuses waits for its gap, so that it does not stay the oldest', async () => {
    await addVideo();
    failure = new AppError('INVALID_ARGUMENT', 'too large');
    expect(await run()).to.equal('INVALID_ARGUMENT');
    expect((await states())[0]?.seconds).to.be.within(20, 30);
  });
});
