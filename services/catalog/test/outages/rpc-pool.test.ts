/** Calls of partners while event handlers hold every connection of the other pool, and calls that wait. */
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { startHarness, type Harness } from '../service/harness.ts';
import { actOn, failureOf, submission, type Acting } from '../service/partner.ts';

const POOL_SIZE = 2;

describe('the connections for calls', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await startHarness({ DATABASE_POOL_SIZE: String(POOL_SIZE), DATABASE_RPC_POOL_SIZE: '1' });
    act = actOn(harness);
  });
  after(() => harness.close());

  it('a status is read and a video accepted while event handlers wait with every connection of theirs', async () => {
    const videos = await Promise.all(Array.from({ length: 2 * POOL_SIZE }, () => act.create()));
    const other = await act.create();
    const ids = videos.map(({ id }) => id);
    await Promise.all(ids.map((id) => act.awaitEvents(id, 'fetchRequested')));
    const holder = await harness.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM videos WHERE id = ANY($1) FOR UPDATE', [ids]);
      await holder.query('SELECT 1 FROM stages WHERE video_id = ANY($1) FOR UPDATE', [ids]);
      await Promise.all(ids.map((videoId) => harness.publish(events.fetchStarted, { videoId, attempt: 1 })));
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await until(async () => ((await harness.pool.query(waiting)).rowCount ?? 0) >= POOL_SIZE, {
        what: 'every connection for events waits for a lock',
      });
      const inTime = { timeoutMs: 5_000 };
      expect((await act.gateway.GetVideo(other, inTime)).id).to.equal(other.id);
      expect((await act.gateway.CreateVideo(submission({}), inTime)).accepted).to.equal(true);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });

  it('a command whose caller has gone while it waited for a connection changes nothing', async () => {
    const video = await act.ready();
    const budget = { budgetId: 'locked' };
    await act.create(budget);
    const holder = await harness.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM daily_counts WHERE budget_id = $1 FOR UPDATE', [budget.budgetId]);
    const creating = act.gateway.CreateVideo(submission(budget), { timeoutMs: 60_000 });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await until(async () => (await harness.pool.query(waiting)).rowCount === 1, {
      what: 'the one connection is taken',
    });
    const late = await failureOf(act.gateway.ArchiveVideo(video, { timeoutMs: 300 }));
    expect(late).to.have.property('code', 'DEADLINE_EXCEEDED');
    await holder.query('ROLLBACK');
    holder.release();
    expect((await creating).accepted).to.equal(true);
    // Calls are served in the order in which they came: the command has had its turn, and a second one for its transaction.
    for (let n = 0; n < 3; n++) expect(await act.get(video)).to.include({ state: 'VIDEO_STATE_READY' });
  });
});
