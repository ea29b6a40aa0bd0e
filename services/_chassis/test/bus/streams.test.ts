/** Streams and durables: settings that change, refusals, stores that are rolled back. */
import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import { expect } from 'chai';
import { on, type Bus } from '../../src/bus/bus.ts';
import { streamManager } from '../../src/bus/streams.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { until } from '@vds/testkit/until';
import { noteEvent, quiet, useBuses } from '../fixtures.ts';

const note = noteEvent();

describe('the streams of a service', () => {
  const { fixture, open } = useBuses();
  const configOf = async (bus: Bus, stream: string) => (await bus.jsm.streams.info(stream)).config;
  const publish = (bus: Bus, text: string): Promise<true> =>
    until(() => bus.publish(note, { text }, text).then(() => true as const), { what: `'${text}' is published` });

  it('changed settings are applied to the existing stream when a process starts', async () => {
    const { nats, owner } = fixture();
    expect((await configOf(owner, 'ALPHA')).max_bytes).to.equal(2 ** 30);
    const next = await open('alpha', nats.url, { natsStreamBytes: 2 ** 21 });
    await next.ownStream();
    expect((await configOf(owner, 'ALPHA')).max_bytes).to.equal(2 ** 21);
  });

  it('a change that NATS refuses is reported, and the stream stays as it is', async () => {
    const { nats } = fixture();
    const metrics = createMetrics('alpha');
    const next = await open('alpha', nats.url, { natsReplicas: 3, metrics });
    await next.ownStream();
    await next.publish(note, { text: 'still works' }, 'id-1');
    expect(await metrics.registry.metrics()).to.match(/vds_bus_stream_refused\{stream="events"[^}]*\} 1\n/);
    expect((await configOf(next, 'ALPHA')).num_replicas).to.equal(1);
  });

  it('a process whose stream NATS refuses to create starts anyway, and reports it', async () => {
    const { nats } = fixture();
    const metrics = createMetrics('gamma');
    const gamma = await open('gamma', nats.url, { natsReplicas: 3, metrics });
    await gamma.ownStream();
    expect(await metrics.registry.metrics()).to.match(/vds_bus_stream_refused\{stream="events"[^}]*\} 1\n/);
  });

  it('the stream of dead letters exists before the first dead letter', async () => {
    const consumer = await open('beta');
    consumer.subscribe([on(note, async () => {})]);
    await until(async () => (await configOf(consumer, 'DEAD_BETA')).name, { what: 'the stream of dead letters' });
  });

  it('a durable that is ahead of its rolled back stream receives what is published next', async () => {
    const { nats, owner } = fixture();
    const seen: string[] = [];
    const consumer = await open('beta');
    consumer.subscribe([on(note, async ({ text }) => void seen.push(text))]);
    for (const text of ['1', '2', '3']) await publish(owner, text);
    await until(() => seen.length === 3, { what: 'three notes' });
    // Only the messages are restored; the durable keeps its position.
    const rollBack = await nats.copyStore('ALPHA/msgs');
    for (const text of ['4', '5', '6', '7', '8']) await publish(owner, text);
    await until(() => seen.length === 8, { what: 'eight notes' });
    await rollBack();
    await publish(owner, 'next');
    await until(() => seen.includes('next'), { what: 'the next note' });
  }).timeout(90_000);

  it('a watcher receives what is published after a rollback', async () => {
    const { nats, owner } = fixture();
    const seen: string[] = [];
    const watcher = await open('beta');
    watcher.watch([on(note, async ({ text }) => void seen.push(text))]);
    await until(
      async () => {
        await owner.publish(note, { text: 'first' }, `first-${seen.length}-${performance.now()}`);
        return seen.length > 0;
      },
      { what: 'the watcher' },
    );
    const rollBack = await nats.copyStore();
    for (let n = 0; n < 20; n++) await publish(owner, `lost ${n}`);
    await until(() => seen.includes('lost 19'), { what: 'the notes that are lost later' });
    await rollBack();
    await publish(owner, 'next');
    await until(() => seen.includes('next'), { what: 'the next note' });
  }).timeout(60_000);
});

describe('the report of a stream that NATS refuses', () => {
  it('an error of a cluster without a leader is reported only until the next successful check', async () => {
    let isLeaderless = false;
    const noLeader = { code: 503, err_code: 10_008, description: 'JetStream system temporarily unavailable' };
    const streams = {
      info: async () => {
        if (isLeaderless) throw new JetStreamApiError(noLeader);
        return { config: {}, state: { last_seq: 0 } };
      },
      update: async () => {},
    };
    const metrics = createMetrics('alpha');
    const stop = new AbortController();
    const manager = streamManager({
      ...{ log: quiet, metrics, replicas: 1, maxBytes: 1, everyMs: 10, signal: stop.signal, isUp: () => true },
      jsm: { streams } as unknown as JetStreamManager,
    });
    const { ended } = await manager.keep({ name: 'ALPHA', kind: 'events', subjects: ['alpha.>'], maxAgeMs: 1 });
    const reported = (value: number) =>
      until(
        async () =>
          (await metrics.registry.metrics()).includes(
            `vds_bus_stream_refused{stream="events",service="alpha"} ${value}\n`,
          ),
        { what: `the report is ${value}` },
      );
    await reported(0);
    isLeaderless = true;
    await reported(1);
    isLeaderless = false;
    await reported(0);
    stop.abort();
    await ended;
  });
});
