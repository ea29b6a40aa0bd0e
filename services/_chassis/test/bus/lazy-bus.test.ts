import { events } from '@vds/proto/events';
import { expect } from 'chai';
import { connectLazyBus } from '../../src/bus/lazy-bus.ts';
import { connectBus, on } from '../../src/bus/bus.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { freePort } from '@vds/testkit/servers/free-port';
import { testNats, type TestNats } from '@vds/testkit/harness/nats';
import { until } from '@vds/testkit/until';

const log = createLogger('test', 'error', { write: () => {} });
async function connected(metrics: ReturnType<typeof createMetrics>): Promise<number | undefined> {
  return (await metrics.registry.getSingleMetric('vds_bus_connected')?.get())?.values[0]?.value;
}
function outcome(check: Promise<void>): Promise<string> {
  return check.then(() => 'ok', String);
}

describe('a bus that is connected later', function () {
  this.timeout(30_000);
  const open: { close: () => Promise<unknown> }[] = [];
  const servers: TestNats[] = [];
  afterEach(async () => {
    for (const part of open.splice(0).toReversed()) await part.close();
    for (const server of servers.splice(0)) await server.remove();
  });
  const options = (natsUrl: string, natsPassword?: string) => ({
    ...{ natsUrl, natsUser: natsPassword && 'playback', natsPassword, natsReplicas: 1, natsStreamBytes: 2 ** 30 },
    ...{ service: 'playback', log, metrics: createMetrics('playback') },
  });

  it('keeps nobody waiting beyond its grace while NATS is away, and tells so in its metric', async () => {
    const given = { ...options(`nats://127.0.0.1:${await freePort()}`), graceMs: 300 };
    const bus = connectLazyBus(given);
    open.push(bus);
    expect(await outcome(bus.notRefused())).not.to.equal('ok');
    await until(async () => (await outcome(bus.notRefused())) === 'ok', { what: 'the grace is over' });
    expect(await connected(given.metrics)).to.equal(0);
  });

  it('hears from the moment on in which NATS is there', async () => {
    const nats = await testNats();
    servers.push(nats);
    await nats.stop();
    const heard: string[] = [];
    const ears = [on(events.videoChanged, async ({ videoId }) => void heard.push(videoId))];
    const given = options(nats.url);
    const bus = connectLazyBus(given);
    open.push(bus);
    bus.watch(ears);
    await nats.restart();
    await until(async () => (await connected(given.metrics)) === 1, { what: 'it is connected' });
    const catalog = await connectBus({ ...options(nats.url), service: 'catalog' });
    open.push(catalog);
    await catalog.ownStream();
    let version = 0;
    await until(
      async () => {
        version += 1;
        await catalog.publish(events.videoChanged, { videoId: 'v1', version }, `v1/${version}`);
        return heard.includes('v1');
      },
      { what: 'it hears' },
    );
  });

  it('never passes where NATS refuses it', async () => {
    const nats = await testNats({ config: 'authorization { users: [{ user: playback, password: right }] }' });
    servers.push(nats);
    const bus = connectLazyBus({ ...options(nats.url, 'wrong'), graceMs: 0 });
    open.push(bus);
    await until(async () => /authori[sz]ation/i.test(await outcome(bus.notRefused())), { what: 'it is refused' });
    const admitted = connectLazyBus({ ...options(nats.url, 'right'), graceMs: 60_000 });
    open.push(admitted);
    await until(async () => (await outcome(admitted.notRefused())) === 'ok', { what: 'it is let in' });
  });
});
