/** Events that arrive while the database of catalog is unavailable. */
import { events } from '@vds/proto/events';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { newId, startHarness, type Harness } from '../service/harness.ts';
import { actOn, firstOf, type Acting } from '../service/partner.ts';

describe('an outage of the database', function () {
  this.timeout(90_000);
  let harness: Harness;
  let act: Acting;
  let admin: pg.Client;
  before(async () => {
    harness = await startHarness();
    act = actOn(harness);
    admin = new pg.Client({ ...harness.database.poolConfig, database: 'postgres' });
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await harness.close();
  });
  const allowConnections = async (allowed: boolean): Promise<void> => {
    const { database } = harness.database.poolConfig;
    await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${allowed}`);
    if (allowed) return;
    const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = $1 AND application_name = 'catalog'`;
    await admin.query(terminate, [database]);
  };

  it('events that arrive during the outage are handled soon after it, and none is dead-lettered', async () => {
    const video = await act.create();
    await act.awaitEvents(video.id, 'fetchRequested');
    await allowConnections(false);
    try {
      const progressed = () => harness.publish(events.encodeProgressed, { videoId: newId(), attempt: 1, percent: 1 });
      await Promise.all(Array.from({ length: 300 }, progressed));
      await act.complete.fetch(video.id);
      await until(async () => /vds_bus_paused\S* 1\n/.test(await firstOf(harness).metrics()), { what: 'the pause' });
    } finally {
      await allowConnections(true);
    }
    await act.stageIs(video.id, 'fetch', 'completed');
    await until(async () => /vds_bus_paused\S* 0\n/.test(await firstOf(harness).metrics()), { what: 'the end of it' });
    await act.runStages(video.id);
    await act.stateIs(video, 'READY');
    expect(await firstOf(harness).metrics()).not.to.match(/outcome="dead_lettered"[^}]*\} [1-9]/);
  });
});
