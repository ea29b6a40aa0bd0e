import { expect } from 'chai';
import { openCuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { lasts, until } from '@vds/testkit/until';
import type { Bus } from '../../src/bus/bus.ts';
import { noteEvent, useBuses, type Note } from '../fixtures.ts';

const note = { ...noteEvent(), consumers: { beta: 'batches' } as const };
const limits = { maxMessages: 50, maxBytes: 1_000_000, everyMs: 300 };

describe('consuming in batches', () => {
  const { fixture, open } = useBuses();
  const publish = async (from: number, to: number): Promise<void> => {
    const { owner } = fixture();
    for (let n = from; n < to; n += 1) await owner.publish(note, { text: `${n}` }, `id-${n}`);
  };
  const numbers = (batches: readonly (readonly Note[])[]): number[] =>
    batches.flatMap((batch) => batch.map(({ text }) => Number(text)));

  it('every message arrives once, in order, in batches of at most the limit, and is acknowledged afterwards', async () => {
    const { owner } = fixture();
    const batches: (readonly Note[])[] = [];
    const consumer = await open('beta');
    void consumer.batches({
      event: note,
      limits,
      store: async (payloads) => void batches.push(payloads),
    });
    await publish(0, 120);
    await until(() => numbers(batches).length === 120, { what: 'all messages' });
    expect(numbers(batches)).to.deep.equal(Array.from({ length: 120 }, (_n, index) => index));
    for (const batch of batches) expect(batch.length).to.be.at.most(50);
    await until(async () => (await owner.jsm.consumers.info('ALPHA', 'beta')).num_ack_pending === 0, {
      what: 'nothing is unacknowledged',
    });
  }).timeout(30_000);

  it('a batch that cannot be stored is tried again until it is, and what follows waits', async () => {
    const stored: (readonly Note[])[] = [];
    let failures = 0;
    const consumer = await open('beta');
    void consumer.batches({
      event: note,
      limits,
      store: async (payloads) => {
        if (failures < 2) {
          failures += 1;
          throw new Error('the bucket is unavailable');
        }
        stored.push(payloads);
      },
    });
    await publish(0, 60);
    await until(() => numbers(stored).length === 60, { what: 'all messages', capMs: 20_000 });
    expect(failures).to.equal(2);
    expect(numbers(stored)).to.deep.equal(Array.from({ length: 60 }, (_n, index) => index));
  }).timeout(40_000);

  it('what a process could not store comes to another one as soon as it stops', async () => {
    const first = await open('beta');
    const taken = Promise.withResolvers<void>();
    const stuck = Promise.withResolvers<never>();
    stuck.promise.catch(() => undefined); // the process may have stopped before anybody waits
    const ended = first.batches({
      event: note,
      limits,
      store: async (_batch, signal) => {
        taken.resolve();
        signal.addEventListener('abort', () => stuck.reject(new Error('the process stops')), { once: true });
        await stuck.promise;
      },
    });
    await publish(0, 10);
    await taken.promise;
    await first.close();
    await ended;
    const stored: (readonly Note[])[] = [];
    const second = await open('beta');
    void second.batches({ event: note, limits, store: async (payloads) => void stored.push(payloads) });
    await publish(10, 20);
    // Not only once the time to acknowledge it is over.
    await until(() => new Set(numbers(stored)).size === 20, { what: 'all messages', capMs: 15_000 });
  }).timeout(40_000);

  /** A batch of ten that is open for three seconds: they are delivered, and nothing of it is stored. */
  const openBatch = async (bus: Bus, end?: AbortSignal): Promise<(readonly Note[])[]> => {
    let failures = 0;
    const stored: (readonly Note[])[] = [];
    const store = async (payloads: readonly Note[]): Promise<void> => {
      if (end && failures++ === 0) throw new Error('what it needs is unavailable');
      stored.push(payloads);
    };
    void bus.batches({ event: note, limits: { ...limits, everyMs: 3_000 }, store }, end);
    await publish(0, 10);
    const delivered = async () => (await fixture().owner.jsm.consumers.info('ALPHA', 'beta')).num_ack_pending === 10;
    await until(delivered, { what: 'all are delivered' });
    await lasts(200); // and have arrived
    expect(stored).to.deep.equal([]);
    return stored;
  };
  const ten = Array.from({ length: 10 }, (_n, index) => index);

  it('what was collected is stored and acknowledged although the server falls silent', async () => {
    const proxy = await openCuttingProxy();
    proxy.forwardTo(Number(new URL(fixture().nats.url).port));
    try {
      const stored = await openBatch(await open('beta', `nats://127.0.0.1:${proxy.port}`));
      proxy.dropResponses();
      proxy.passNewConnections();
      await until(() => stored.length > 0, { what: 'the batch is stored', capMs: 10_000 });
      expect(numbers(stored)).to.deep.equal(ten);
      const held = async () => (await fixture().owner.jsm.consumers.info('ALPHA', 'beta')).num_ack_pending;
      await until(async () => (await held()) === 0, { what: 'all are acknowledged' });
    } finally {
      await proxy.close();
    }
  }).timeout(40_000);

  it('what was collected is stored and acknowledged although its consumer must end, as one that loses its lock', async () => {
    const lost = new AbortController();
    const stored = await openBatch(await open('beta'), lost.signal);
    lost.abort();
    await fixture().nats.wipe();
    await until(() => stored.length > 0, { what: 'the batch is stored', capMs: 10_000 });
    expect(numbers(stored)).to.deep.equal(ten);
  }).timeout(40_000);

  it('what was collected is stored although JetStream was wiped meanwhile', async () => {
    const stored = await openBatch(await open('beta'));
    await fixture().nats.wipe();
    await until(() => stored.length > 0, { what: 'the batch is stored', capMs: 10_000 });
    expect(numbers(stored)).to.deep.equal(ten);
  }).timeout(40_000);

  it('a message that cannot be decoded holds up nothing', async () => {
    const { owner } = fixture();
    const stored: (readonly Note[])[] = [];
    const consumer = await open('beta');
    void consumer.batches({ event: note, limits, store: async (payloads) => void stored.push(payloads) });
    await owner.publishRaw(note.subject, Buffer.from('{'), 'broken');
    await publish(0, 3);
    await until(() => numbers(stored).length === 3, { what: 'the messages behind it' });
  }).timeout(30_000);
});
