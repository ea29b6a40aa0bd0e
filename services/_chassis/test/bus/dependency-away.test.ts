/** A consumer whose dependency is unavailable pauses; poison messages do not keep the others from being handled. */
import { expect } from 'chai';
import { on, type Bus } from '../../src/bus/bus.ts';
import { AppError } from '../../src/errors.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { until } from '@vds/testkit/until';
import { noteEvent, useBuses } from '../fixtures.ts';

const note = noteEvent();
const progressed = noteEvent('alpha.note.progressed.v1');

describe('consuming while a dependency is unavailable', () => {
  const { fixture, open } = useBuses();
  const paused = async (metrics: ReturnType<typeof createMetrics>): Promise<number | undefined> =>
    (await metrics.registry.getSingleMetric('vds_bus_paused')?.get())?.values[0]?.value;
  const publishMany = async (owner: Bus, count: number, prefix: string): Promise<void> => {
    const publishOne = (n: number): Promise<true> =>
      until(() => owner.publish(note, { text: `${prefix} ${n}` }, `${prefix}-${n}`).then(() => true as const), {
        what: `${prefix} ${n} is published`,
      });
    for (let from = 0; from < count; from += 100)
      await Promise.all(Array.from({ length: 100 }, (_, n) => publishOne(from + n)));
  };

  it('the consumer stops pulling, reports it, and handles every message soon after the dependency recovers', async () => {
    const { owner, nats } = fixture();
    const metrics = createMetrics('beta');
    let isDown = true;
    let calls = 0;
    const seen = new Set<string>();
    const consumer = await open('beta', nats.url, { metrics });
    const handle = async ({ text }: { text: string }): Promise<void> => {
      calls += 1;
      if (isDown) throw new AppError('UNAVAILABLE', 'the database is unavailable');
      seen.add(text);
    };
    consumer.subscribe([on(note, handle)]);
    await publishMany(owner, 1_500, 'early');
    await until(async () => (await paused(metrics)) === 1, { what: 'the pause' });
    // Between two pauses one message is tried, and for that moment nothing is paused.
    const said = () =>
      consumer.checkConsuming().then(
        () => '',
        (error: Error) => error.message,
      );
    await until(async () => /paused/.test(await said()), { what: 'the check says so' });
    const { num_ack_pending: held } = await owner.jsm.consumers.info('ALPHA', 'beta');
    expect(held).to.be.below(50);
    expect(calls).to.be.below(50);
    isDown = false;
    await owner.publish(note, { text: 'new' }, 'new');
    await until(() => seen.has('new') && seen.size === 1_501, { what: 'every message', capMs: 30_000 });
    expect(await paused(metrics)).to.equal(0);
    await consumer.checkConsuming();
    expect((await owner.jsm.streams.info('DEAD_BETA')).state.messages).to.equal(0);
  }).timeout(90_000);

  it('a rejected service token is no reason to dead-letter a message', async () => {
    const { owner } = fixture();
    let calls = 0;
    const consumer = await open('beta');
    consumer.subscribe([
      on(note, async () => {
        calls += 1;
        if (calls < 3)
          throw new AppError(calls === 1 ? 'UNAUTHENTICATED' : 'PERMISSION_DENIED', 'the token is unknown');
      }),
    ]);
    await owner.publish(note, { text: 'x' }, 'id-1');
    await until(() => calls === 3, { what: 'the third delivery' });
    expect((await owner.jsm.streams.info('DEAD_BETA')).state.messages).to.equal(0);
  }).timeout(60_000);

  it('thousands of poison messages of one kind do not keep the other messages from being handled', async () => {
    const { owner } = fixture();
    const seen: string[] = [];
    const consumer = await open('beta');
    consumer.subscribe([
      on(note, () => Promise.reject(new TypeError('a bug'))),
      on(progressed, async ({ text }) => void seen.push(text)),
    ]);
    await publishMany(owner, 2_500, 'poison');
    await owner.publish(progressed, { text: 'sound' }, 'sound');
    await until(() => seen.length === 1, { what: 'the sound message behind the poison', capMs: 30_000 });
    // Those beyond the limit are dead-lettered after their short retries; none is lost.
    await until(async () => (await owner.jsm.streams.info('DEAD_BETA')).state.messages >= 1_500, {
      what: 'the dead letters',
      capMs: 60_000,
    });
    const { num_ack_pending: held } = await owner.jsm.consumers.info('ALPHA', 'beta');
    const { messages: dead } = (await owner.jsm.streams.info('DEAD_BETA')).state;
    expect(held + dead).to.be.at.least(2_500);
  }).timeout(120_000);
});
