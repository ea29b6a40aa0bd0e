/** PostgreSQL hangs, like a stopped machine or a blocked disk, while videos are archived and republished. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { skipBecause } from '@vds/testkit/skip';
import { lasts, until } from '@vds/testkit/until';
import { expect } from 'chai';
import { startHarness, type Harness } from '../service/harness.ts';
import { actOn, type Acting } from '../service/partner.ts';

const STANDS_STILL_MS = 45_000;
const VIDEOS = 8;

describe('a database that hangs', function () {
  this.timeout(180_000);
  let harness: Harness;
  let proxy: CuttingProxy;
  before(async function () {
    if (process.env['VDS_LONG'] !== '1') skipBecause(this, 'takes a minute: npm run test:long');
    proxy = await openCuttingProxy();
    harness = await startHarness({}, 0);
    proxy.forwardTo(harness.database.poolConfig.port);
    const url = new URL(harness.database.url);
    url.port = String(proxy.port);
    for (let replica = 0; replica < 2; replica += 1)
      harness.processes.push(await harness.start({ DATABASE_URL: url.href }));
  });
  after(async () => {
    await harness?.close();
    await proxy?.close();
  });

  /** Becomes silent while both replicas are in the middle of transactions of events. */
  const standStillWithin = async (ids: readonly string[], act: Acting): Promise<void> => {
    const holder = await harness.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM stages WHERE video_id = ANY($1) FOR UPDATE', [ids]);
    await Promise.all(ids.map((id) => act.complete.fetch(id)));
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await until(async () => ((await harness.pool.query(waiting)).rowCount ?? 0) >= ids.length, {
      what: 'the transactions of the events wait for a lock',
    });
    proxy.dropResponses();
    await holder.query('ROLLBACK');
    holder.release();
  };

  it('both replicas of catalog live through 45 seconds of it, and every video is archived or live afterwards', async () => {
    const act = actOn(harness);
    const videos = await Promise.all(Array.from({ length: VIDEOS }, () => act.ready()));
    const working = await Promise.all(Array.from({ length: VIDEOS }, () => act.create()));
    await Promise.all(working.map(({ id }) => act.awaitEvents(id, 'fetchRequested')));
    const endpoints = harness.processes.map((one) => one.as('gateway'));
    let stopping = false;
    const callers = videos.map(async (video, n) => {
      for (let round = 0; !stopping; round += 1) {
        const { ArchiveVideo, RepublishVideo } = endpoints[(n + round) % 2]!;
        await (round % 2 === 0 ? ArchiveVideo : RepublishVideo)(video, { timeoutMs: 3_000 }).catch(() => sleep(100));
      }
    });
    await standStillWithin(
      working.map(({ id }) => id),
      act,
    );
    await lasts(STANDS_STILL_MS);
    proxy.passNewConnections();
    const alive = () => Promise.all(harness.processes.map((one) => one.readiness()));
    await until(async () => (await alive()).every((status) => status === 200), {
      what: 'both replicas are ready',
      capMs: 60_000,
    });
    stopping = true;
    await Promise.all(callers);
    for (const video of videos) expect((await act.get(video)).state).to.match(/READY|ARCHIVED/);
    for (const { output } of harness.processes) expect(output()).not.to.match(/uncaught|unhandled/i);
    await Promise.all(working.map(({ id }) => act.awaitEvents(id, 'inspectRequested')));
  });
});
