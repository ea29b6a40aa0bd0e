/** A connection to NATS that stays open without traffic, as when a machine or a link is lost. */
import { events } from '@vds/proto/events';
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { testNats, type TestNats } from '@vds/testkit/harness/nats';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { connectBus, on } from '../../src/bus/bus.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

describe('a silent connection to NATS', function () {
  this.timeout(30_000);
  let nats: TestNats;
  before(async () => {
    nats = await testNats();
  });
  after(() => nats.remove());

  it('a silent connection is noticed by unanswered pings, logged and replaced, and events are published and consumed again', async () => {
    const proxy = await openCuttingProxy();
    proxy.forwardTo(Number(new URL(nats.url).port));
    const metrics = createMetrics('catalog');
    const logged: string[] = [];
    const log = createLogger('test', 'info', {
      write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg),
    });
    const bus = await connectBus({
      ...{ service: 'catalog', log, metrics, pingMs: 400 },
      ...{ natsUrl: `nats://127.0.0.1:${proxy.port}`, natsUser: undefined, natsPassword: undefined },
      ...{ natsReplicas: 1, natsStreamBytes: 2 ** 30 },
    });
    const received: string[] = [];
    try {
      await bus.ownStream();
      bus.watch([on(events.videoChanged, async ({ videoId }) => void received.push(videoId))]);
      proxy.dropResponses();
      proxy.passNewConnections();
      let version = 0;
      await until(
        async () => {
          version += 1;
          await bus.publish(events.videoChanged, { videoId: 'v1', version }, `v1/${version}`);
          return received.includes('v1');
        },
        { what: 'an event over a new connection', capMs: 20_000 },
      );
    } finally {
      await bus.close();
      await proxy.close();
    }
    const onConnection = logged.filter((message) => message.includes('connected'));
    expect(onConnection).to.deep.equal(['disconnected from NATS: retrying', 'connected to NATS again']);
  });
});
