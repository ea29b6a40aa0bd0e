/** PostgreSQL stands still, as a stopped machine or a blocked disk does, while videos are archived and republished. */
import { setTimeout as sleep } from 'node:timers/promises';
import { events } from '@vds/proto/events';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { startHarness, type Harness } from '../service/harness.ts';
import { actOn } from '../service/partner.ts';

const STANDS_STILL_MS = 45_000;
const VIDEOS = 8;

describe('a database that stands still', function () {
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

  it('both replicas of catalog live through 45 seconds of it, and every video is archived or live afterwards', async () => {
    const act = actOn(harness);
    const videos = await Promise.all(Array.from({ length: VIDEOS }, () => act.ready()));
    const working = await act.create();
    await act.awaitEvents(working.id, 'fetchRequested');
    const endpoints = harness.processes.map((one) => one.as('gateway'));
    let stopping = false;
    const callers = videos.map(async (video, n) => {
      for (let round = 0; !stopping; round += 1) {
        const { ArchiveVideo, RepublishVideo } = endpoints[(n + round) % 2]!;
        await (round % 2 === 0 ? ArchiveVideo : RepublishVideo)(video, { timeoutMs: 3_000 }).catch(() => sleep(100));
      }
    });
    await sleep(500);
    proxy.dropResponses();
    // Events are handled over connections that may be silent for longer than those of calls.
    for (const { id } of videos) await harness.publish(events.fetchStarted, { videoId: id, attempt: 1 });
    await act.complete.fetch(working.id);
    await sleep(STANDS_STILL_MS);
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
    await act.awaitEvents(working.id, 'inspectRequested');
  });
});
