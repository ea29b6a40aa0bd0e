import { events } from '@vds/proto/events';
import { expect } from 'chai';
import { connectBus, on } from '../../src/bus/bus.ts';
import { connectLazyBus } from '../../src/bus/lazy-bus.ts';
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

describe('a bus that connects in the background', function () {
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

  it('the startup check passes after the grace period while NATS is unavailable, and the metric shows 0', async () => {
    const settings = { ...options(`nats://127.0.0.1:${await freePort()}`), graceMs: 300 };
    const bus = connectLazyBus(settings);
    open.push(bus);
    expect(await outcome(bus.startupCheck())).not.to.equal('ok');
    await until(async () => (await outcome(bus.startupCheck())) === 'ok', { what: 'the end of the grace period' });
    expect(await connected(settings.metrics)).to.equal(0);
  });

  it('events are delivered once NATS becomes available', async () => {
    const nats = await testNats();
    servers.push(nats);
    await nats.stop();
    const received: string[] = [];
    const handlers = [on(events.videoChanged, async ({ videoId }) => void received.push(videoId))];
    const settings = options(nats.url);
    const bus = connectLazyBus(settings);
    open.push(bus);
    bus.watch(handlers);
    await nats.restart();
    await until(async () => (await connected(settings.metrics)) === 1, { what: 'the connection' });
    const catalog = await connectBus({ ...options(nats.url), service: 'catalog' });
    open.push(catalog);
    await catalog.ownStream();
    let version = 0;
    await until(
      async () => {
        version += 1;
        await catalog.publish(events.videoChanged, { videoId: 'v1', version }, `v1/${version}`);
        return received.includes('v1');
      },
      { what: 'an event' },
    );
  });

  it('the startup check keeps failing when NATS rejects the credentials', async () => {
    const nats = await testNats({ config: 'authorization { users: [{ user: playback, password: right }] }' });
    servers.push(nats);
    const bus = connectLazyBus({ ...options(nats.url, 'wrong'), graceMs: 0 });
    open.push(bus);
    await until(async () => /authori[sz]ation/i.test(await outcome(bus.startupCheck())), { what: 'the rejection' });
    const accepted = connectLazyBus({ ...options(nats.url, 'right'), graceMs: 60_000 });
    open.push(accepted);
    await until(async () => (await outcome(accepted.startupCheck())) === 'ok', { what: 'the connection' });
  });
});
