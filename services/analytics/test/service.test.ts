import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { runs } from '@vds/testkit/counts';
import { until } from '@vds/testkit/until';
import { openHarness, type Harness } from './harness.ts';
import { report } from './rows.ts';

const FAST = { TIME_SCALE: 'flushEvery=1s' };

describe('analytics as a service', function () {
  this.timeout(180_000);
  let harness: Harness;
  before(async () => void (harness = await openHarness()));
  after(() => harness?.close());

  /** A view with a report each second of ten, `watched` cumulative. */
  const view = (viewId: string, more: Parameters<typeof report>[0] = {}) =>
    Array.from({ length: 10 }, (_second, index) =>
      report({ viewId, videoId: 'a-1', eventId: `${viewId}-${index}`, watchedMs: (index + 1) * 1_000, ...more }),
    );

  it('reports are in the views of their organization alone, within seconds, without a viewer’s name', async () => {
    const replica = await harness.start();
    for (const one of view('one', { viewer: 'hash-of-ann' })) await harness.publish(one);
    for (const one of view('two', { videoId: 'b-1', deviceId: 'device-7' })) await harness.publish(one);
    await harness.publish(report({ viewId: 'none', videoId: 'unknown', eventId: 'none-1' }));
    await until(harness.isStored, { what: 'all is stored', capMs: 20_000 });
    expect(await replica.query('SELECT view_id, watched_ms::int AS watched, viewers FROM plays, daily')).to.deep.equal([
      { view_id: 'one', watched: 10_000, viewers: '1' },
    ]);
    expect(await replica.query('SELECT view_id FROM plays', 'org_b')).to.deep.equal([{ view_id: 'two' }]);
    const stored = JSON.stringify(await replica.query('SELECT * FROM events'));
    expect(stored).to.not.include('hash-of-ann');
    const { text } = await replica.admin.DescribeAccess({ organizationId: 'org_a', engine: '', revoke: false });
    expect(text).to.include('npm run provision -- grant org_a');
    expect(await replica.metrics()).to.match(/vds_analytics_events_total\{[^}]*outcome="unknown_video"[^}]*\} 1/);
    expect(await replica.end()).to.equal(0);
  });

  it('the title of a deleted video leaves the views, its numbers stay', async () => {
    const replica = await harness.start();
    const titles = () => replica.query("SELECT video_title, plays FROM daily WHERE video_id = 'a-1'");
    expect(await titles()).to.deep.equal([{ video_title: 'A match', plays: '1' }]);
    for (const one of view('before')) await harness.publish(one);
    await until(harness.isStored, { what: 'all is stored', capMs: 20_000 });
    await harness.publishDeleted('a-1');
    await until(async () => (await titles())[0]?.['video_title'] === null, { what: 'no title', capMs: 20_000 });
    // Of what it had under way.
    for (const one of view('late')) await harness.publish(one);
    await until(harness.isStored, { what: 'all is stored', capMs: 20_000 });
    expect(await titles()).to.deep.equal([{ video_title: null, plays: '3' }]);
    expect(await replica.end()).to.equal(0);
  });

  it('while replicas are killed and NATS is restarted nothing that was acknowledged is lost, and nothing counts twice', async () => {
    const views = runs(120);
    let replica = await harness.start(FAST);
    const before = await replica.query('SELECT count(*)::int AS n FROM plays');
    const send = async (from: number, to: number): Promise<void> => {
      for (let n = from; n < to; n += 1)
        for (const one of view(`load-${n}`))
          await until(() => harness.publish(one).then(() => true), { what: 'a report is acknowledged' });
    };
    const quarter = Math.floor(views / 4);
    await send(0, quarter);
    await replica.end('SIGKILL');
    replica = await harness.start(FAST);
    await send(quarter, 2 * quarter);
    await harness.restartNats();
    await send(2 * quarter, 3 * quarter);
    await replica.end('SIGKILL');
    await send(3 * quarter, views);
    replica = await harness.start(FAST);
    // What the killed ones held comes back when its time is over: it is in the views by then, or comes again.
    const expected = Number(before[0]?.['n']) + views;
    await until(
      async () => Number((await replica.query('SELECT count(*)::int AS n FROM plays'))[0]?.['n']) === expected,
      { what: 'every view', capMs: 170_000, everyMs: 1_000 },
    );
    const [sum] = await replica.query("SELECT sum(watched_ms)::int AS watched FROM plays WHERE view_id LIKE 'load-%'");
    expect(sum).to.deep.equal({ watched: views * 10_000 });
    expect(await replica.query('SELECT count(*)::int AS n FROM events')).to.deep.equal([{ n: expected * 10 }]);
    expect(await replica.end()).to.equal(0);
  });

  it('of two replicas one writes, and the other one takes over when it is killed', async () => {
    // Long enough for a busy machine to keep its lock, while the other one starts beside it.
    const patient = { TIME_SCALE: 'flushEvery=1s,leaderLease=5s' };
    const [one, other] = [await harness.start(patient), await harness.start(patient)];
    await until(() => [one, other].some(({ output }) => output().includes('writing events')), { what: 'a writer' });
    const isWriting = (replica: typeof one): boolean => replica.output().includes('writing events');
    expect([one, other].filter(isWriting)).to.have.length(1);
    const [writer, standby] = isWriting(one) ? [one, other] : [other, one];
    await writer.end('SIGKILL');
    await until(() => isWriting(standby), { what: 'the other one writes', capMs: 20_000 });
    for (const report of view('afterwards')) await harness.publish(report);
    await until(
      async () => (await standby.query("SELECT 1 AS n FROM plays WHERE view_id = 'afterwards'")).length === 1,
      { what: 'the view', capMs: 20_000, everyMs: 500 },
    );
    expect(await standby.end()).to.equal(0);
  });
  it('what viewers watch is published within an hour, once by two replicas, without any viewer’s id, again only when due', async () => {
    const own = await openHarness();
    try {
      const now = Date.now();
      for (let viewer = 0; viewer < 8; viewer += 1)
        for (const videoId of viewer < 4 ? ['a-1', 'a-2', 'a-3'] : ['a-5'])
          for (const one of view(`${viewer}-${videoId}`, { videoId, viewer: `viewer-${viewer}`, watchedMs: 40_000 }))
            await own.publish({ ...one, occurredAtMs: now, receivedAtMs: now });
      // One that a single viewer watches is not told.
      for (const one of view('alone', { videoId: 'a-4', viewer: 'viewer-0', watchedMs: 40_000 }))
        await own.publish({ ...one, occurredAtMs: now, receivedAtMs: now });
      const first = await own.start();
      await until(own.isStored, { what: 'all is stored', capMs: 20_000 });
      await own.forgetRuns();
      const times = { TIME_SCALE: 'flushEvery=500ms,leaderLease=1s,compactEvery=500ms' };
      await first.end();
      const [one, other] = [await own.start(times), await own.start(times)];
      // Interest and the companions of new videos each hour, and, though at the same time, companions of all each night.
      await until(async () => (await own.published()).length >= 3, { what: 'all is published', capMs: 30_000 });
      const messages = await own.published();
      const interests = messages.flatMap((message) => message.interests);
      expect(interests.map(({ videoId }) => videoId).toSorted()).to.deep.equal(['a-1', 'a-2', 'a-3', 'a-5']);
      // All are watched as is usual for their length, so each viewer counts about 1.
      for (const { interest } of interests) expect(interest).to.be.within(3.5, 4.5);
      const together = messages.flatMap((message) => message.together);
      const pairs = together.flatMap(({ videoId, companions }) => companions.map((one) => `${videoId} ${one.videoId}`));
      expect(new Set(pairs)).to.deep.equal(new Set(['a-1 a-2', 'a-1 a-3', 'a-2 a-1', 'a-2 a-3', 'a-3 a-1', 'a-3 a-2']));
      const viewers = await one.query('SELECT DISTINCT viewer_id FROM plays');
      expect(viewers).to.have.length(8);
      const told = JSON.stringify(messages);
      for (const { viewer_id: id } of viewers) expect(told).to.not.include(String(id));
      expect(told).to.not.match(/viewer-\d/);
      // Several times it was asked whether a run is due.
      for (let rest = 0; rest < 8; rest += 1) await sleep(250);
      const hour = (at: number): number => Math.floor(at / 3_600_000);
      if (hour(Date.now()) === hour(now)) expect(await own.published()).to.have.length(messages.length);
      await other.end();
      expect(await one.end()).to.equal(0);
    } finally {
      await own.close();
    }
  });
});
