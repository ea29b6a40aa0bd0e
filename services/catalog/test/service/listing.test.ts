/** ListVideos, from which the search index and reconciliations read: complete in any order of commits, in any cluster. */
import { expect } from 'chai';
import { startFreshCluster } from '@vds/testkit/harness/fresh-cluster';
import type { Harness } from './harness.ts';
import { actOn, firstOf, type Acting } from './partner.ts';
import { commonHarness } from './shared-fixture.ts';

describe('catalog lists its videos', function () {
  this.timeout(60_000);
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await commonHarness();
    act = actOn(harness);
  });

  const lastNumber = async (): Promise<number> => {
    const { rows } = await harness.pool.query<{ last: number }>('SELECT max(version_seq)::int AS last FROM videos');
    return rows[0]?.last ?? 0;
  };
  const bump = 'UPDATE videos SET version = version + 1 WHERE id = $1';

  it('a transaction that started later but took its number earlier is not overtaken by the list', async () => {
    const [one, other] = [await act.create(), await act.create()];
    const afterVersionSeq = await lastNumber();
    const list = firstOf(harness).as('indexer').ListVideos;
    const [began, beganLater] = [await harness.pool.connect(), await harness.pool.connect()];
    try {
      await began.query('BEGIN');
      await began.query('SELECT pg_current_xact_id()');
      await beganLater.query('BEGIN');
      await beganLater.query(bump, [one.id]);
      await began.query(bump, [other.id]);
      await began.query('COMMIT');
      const { videos } = await list({ afterVersionSeq, limit: 10 });
      await beganLater.query('COMMIT');
      const from = videos.at(-1)?.versionSeq ?? afterVersionSeq;
      const rest = await list({ afterVersionSeq: from, limit: 10 });
      const seen = [...videos, ...rest.videos].map(({ videoId }) => videoId);
      expect(seen).to.include.members([one.id, other.id]);
    } finally {
      began.release();
      beganLater.release();
    }
  });

  it('a number that a rolled-back transaction took delays the list only until then', async () => {
    const video = await act.create();
    const afterVersionSeq = await lastNumber();
    const list = firstOf(harness).as('indexer').ListVideos;
    const writer = await harness.pool.connect();
    await writer.query('BEGIN');
    await writer.query(bump, [video.id]);
    const later = await act.create();
    expect((await list({ afterVersionSeq, limit: 10 })).videos).to.deep.equal([]);
    await writer.query('ROLLBACK');
    writer.release();
    expect((await list({ afterVersionSeq, limit: 10 })).videos.map(({ videoId }) => videoId)).to.include(later.id);
  });

  it('the list does not end below the settled version that it reported', async () => {
    await act.create();
    const afterVersionSeq = await lastNumber();
    const late = await harness.pool.connect();
    try {
      await late.query('BEGIN');
      // It had read the sequence before, and was kept from taking its lock and its number until now.
      await late.query('SELECT pg_advisory_xact_lock_shared(version_lock_key($1))', [afterVersionSeq - 1]);
      const { settledVersionSeq } = await firstOf(harness).as('indexer').ListVideos({ afterVersionSeq, limit: 10 });
      expect(settledVersionSeq).to.equal(afterVersionSeq);
    } finally {
      await late.query('ROLLBACK');
      late.release();
    }
  });

  it('every video is listed after its database was dumped and restored into a new cluster', async () => {
    const made = [await act.create(), await act.create(), await act.create()];
    // The new cluster's transaction ids start far below those of the old one.
    await harness.pool.query('DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM txid_current(); COMMIT; END LOOP; END $$');
    const old = firstOf(harness).as('indexer');
    const before = await old.ListVideos({ afterVersionSeq: 0, limit: 1_000 });
    expect(before.videos.map(({ videoId }) => videoId)).to.include.members(made.map(({ id }) => id));
    const cluster = await startFreshCluster();
    try {
      const { url, password } = await cluster.restore(harness.database.poolConfig);
      const restored = await harness.start({ DATABASE_URL: url, DATABASE_PASSWORD: password });
      const list = restored.as('indexer').ListVideos;
      const seen = await list({ afterVersionSeq: 0, limit: 1_000 });
      expect(seen.videos).to.deep.include.members(before.videos);
      // Changes there have a higher number than any before.
      await restored.as('gateway').DeleteVideo(made[0] ?? expect.fail('no video'));
      const { videos } = await list({ afterVersionSeq: seen.settledVersionSeq, limit: 10 });
      expect(videos.map(({ videoId }) => videoId)).to.include(made[0]?.id);
      await restored.stop();
    } finally {
      await cluster.close();
    }
  });
});
