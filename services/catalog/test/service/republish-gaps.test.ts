/** How long the gaps between the repeats of a request are, in a database of its own. */
import { openPool } from '@vds/chassis/database/database';
import { createLogger } from '@vds/chassis/telemetry/log';
import { testDatabase } from '@vds/testkit/harness/database';
import { expect } from 'chai';
import { republish } from '../../src/outbound/republish.ts';
import { newId } from './harness.ts';
import { serviceFolder } from './process.ts';

describe('the gaps between repeats', () => {
  it('each repeat of a request comes after a gap that is twice as long, up to the longest', async () => {
    const database = await testDatabase(serviceFolder);
    const { url: databaseUrl, password: databasePassword } = database;
    const pool = openPool(
      { databaseUrl, databasePassword, databasePoolSize: 2 },
      'catalog',
      createLogger('catalog', 'error'),
    );
    const id = newId();
    await pool.query(
      `WITH made AS (INSERT INTO videos (id, publisher_id, key_id, budget_id, source_url, title, tags, language_code)
        VALUES ($1, 'p', 'k', 'b', 'https://media.example.com/x', 't', '{}', 'en') RETURNING id)
      INSERT INTO stages (video_id, attempt, stage, owner, next_republish_at) SELECT id, 1, 'fetch', 'ingest', now() FROM made`,
      [id],
    );
    const published: string[] = [];
    const publishRaw = async (_subject: string, _payload: Uint8Array, messageId: string) => ({
      stream: 'CATALOG',
      sequence: published.push(messageId),
    });
    const deps = {
      pool,
      bus: { publishRaw },
      republishFirstMs: 15_000,
      republishMaxMs: 300_000,
      onRepublished: () => {},
    };
    const gaps: number[] = [];
    for (let repeat = 0; repeat < 40; repeat++) {
      await republish(deps, 10);
      const { rows } = await pool.query<{ seconds: number }>(
        'SELECT extract(epoch FROM next_republish_at - now())::float8 AS seconds FROM stages',
      );
      gaps.push(Math.round((rows[0]?.seconds ?? 0) / 5) * 5);
      await pool.query(`UPDATE stages SET next_republish_at = now() - interval '1 s'`);
    }
    expect(gaps.slice(0, 6)).to.deep.equal([30, 60, 120, 240, 300, 300]);
    expect(new Set(gaps.slice(6))).to.deep.equal(new Set([300]));
    expect(published).to.deep.equal(gaps.map((_gap, index) => `${id}-1-fetch-again-${index + 1}`));
    await pool.close();
    await database.drop();
  });
});
