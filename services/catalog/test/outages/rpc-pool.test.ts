/** Calls of partners beside event handlers that hold every connection of the other pool. */
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { startHarness, type Harness } from '../service/harness.ts';
import { actOn, submission, type Acting } from '../service/partner.ts';

const POOL_SIZE = 2;

describe('the connections for calls', () => {
  let harness: Harness;
  let act: Acting;
  before(async () => {
    harness = await startHarness({ DATABASE_POOL_SIZE: String(POOL_SIZE) });
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
});
