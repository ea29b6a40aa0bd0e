/** What catalog removes, and what it keeps. */
import { expect } from 'chai';
import { pruneTables } from '@vds/chassis/database/retention';
import { openTestPool, testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import type pg from 'pg';
import { retentionOf } from '../../src/outbound/retention.ts';

const DAY = 86_400_000;
const times = {
  tombstonesKeepMs: 90 * DAY,
  auditKeepMs: 0,
};

describe('retention of catalog', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeEach(async () => {
    database = await testDatabase(new URL('../..', import.meta.url));
    pool = openTestPool(database.poolConfig);
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const addVideo = async (id: string, state: string, daysAgo: number): Promise<void> => {
    await pool.query(
      `INSERT INTO videos (id, publisher_id, key_id, budget_id, source_url, title, tags, language_code, state, deleted_at)
       VALUES ($1, 'p', 'k', 'b', '', 't', '{}', 'en', $2, CASE WHEN $2 = 'deleted' THEN now() - $3 * interval '1 day' END)`,
      [id, state, daysAgo],
    );
    await pool.query(`INSERT INTO stages (video_id, attempt, stage, owner) VALUES ($1, 1, 'fetch', 'ingest')`, [id]);
  };
  const addPurge = (id: string, confirmedDaysAgo: number | null) =>
    pool.query(
      `INSERT INTO purges (video_id, owner, scope, request_id, due_at, confirmed_at)
       VALUES ($1, 'ingest', 'VIDEO', 'r', now(), now() - $2 * interval '1 day')`,
      [id, confirmedDaysAgo],
    );
  const addAudit = (id: string, daysAgo: number) =>
    pool.query(
      `INSERT INTO audit (video_id, at, actor, action, was, became) VALUES ($1, now() - $2 * interval '1 day', 'a', 'b', '', '')`,
      [id, daysAgo],
    );
  const prune = async (more: Partial<typeof times> = {}): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await pruneTables(pool, retentionOf({ ...times, ...more }), new AbortController().signal)).removed,
    );
  const ids = async (table: string, column = 'video_id'): Promise<string[]> =>
    (await pool.query<{ id: string }>(`SELECT ${column} AS id FROM ${table} ORDER BY 1`)).rows.map(({ id }) => id);

  it('a video deleted long ago is removed with all its rows, and every other one stays complete', async () => {
    await addVideo('old', 'deleted', 91);
    await addPurge('old', 60);
    await addAudit('old', 91);
    await addVideo('recent', 'deleted', 89);
    await addVideo('live', 'ready', 0);
    await addVideo('open', 'deleted', 91);
    await addPurge('open', null);
    expect(await prune()).to.deep.equal({ audit: 1, purges: 1, stages: 1, videos: 1 });
    expect(await ids('videos', 'id')).to.deep.equal(['live', 'open', 'recent']);
    expect(await ids('stages')).to.deep.equal(['live', 'open', 'recent']);
    expect(await ids('purges')).to.deep.equal(['open']);
  });

  it('a deleted video stays as long as its audit, and confirmed purges and daily counts are removed after their times', async () => {
    await addVideo('audited', 'deleted', 91);
    await addAudit('audited', 91);
    await addVideo('live', 'ready', 0);
    await addPurge('live', 31);
    await pool.query(`INSERT INTO daily_counts VALUES ('b', now()::date - 401, 1), ('b', now()::date - 399, 1)`);
    expect(await prune({ auditKeepMs: 400 * DAY })).to.deep.equal({ purges: 1, daily_counts: 1 });
    expect(await ids('videos', 'id')).to.deep.equal(['audited', 'live']);
  });

  it('no row of the audit’s last 30 days is removed, and none by any other way than its function', async () => {
    await addVideo('live', 'ready', 0);
    await addAudit('live', 31);
    await addAudit('live', 29);
    expect(await prune({ auditKeepMs: 0 })).to.deep.equal({ audit: 1 });
    const refused = async (text: string): Promise<unknown> =>
      pool.query(text).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
    expect(await refused('DELETE FROM audit')).to.equal('42501');
    expect(await refused(`UPDATE audit SET actor = 'nobody'`)).to.equal('42501');
    expect(await ids('audit')).to.deep.equal(['live']);
  });

  it('a role of a service that claims to be the retention cannot remove rows of the audit', async () => {
    await addVideo('live', 'ready', 0);
    await addAudit('live', 500);
    const role = `r_${database.poolConfig.database}`;
    const client = await pool.connect();
    try {
      await client.query(
        `CREATE ROLE ${role}; GRANT SELECT, INSERT, UPDATE, DELETE ON audit TO ${role}; SET ROLE ${role}`,
      );
      await client.query(`SET vds.prune_audit = 'on'`);
      const error: unknown = await client.query('DELETE FROM audit').catch((cause: unknown) => cause);
      expect(error).to.include({ code: '42501' });
      await client.query('RESET vds.prune_audit');
      const { rows } = await client.query(`SELECT prune_audit(interval '1 second', 10) AS removed`);
      expect(rows).to.deep.equal([{ removed: 1 }]);
    } finally {
      await client.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`);
      client.release();
    }
  });
});
