/** Slow sources of unknown length hold up their own publisher alone. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { createPartBuffers } from '../src/outbound/part-buffers.ts';

const BYTES = 16;
const never = new AbortController().signal;

describe('buffers for parts of unknown length', () => {
  it('a publisher whose sources take for ever never has more than half of them', async () => {
    const buffers = createPartBuffers(4);
    const slow = Promise.withResolvers<void>();
    let started = 0;
    const all = Array.from({ length: 10 }, () =>
      buffers({ tenant: 'slow', bytes: BYTES, signal: never }, async () => {
        started += 1;
        await slow.promise;
      }),
    );
    expect(await buffers({ tenant: 'quick', bytes: BYTES, signal: never }, () => Promise.resolve('served'))).to.equal(
      'served',
    );
    await delay(5);
    expect(started).to.equal(2);
    slow.resolve();
    await Promise.all(all);
    expect(started).to.equal(10);
  });

  it('one buffer serves everybody in turn', async () => {
    const buffers = createPartBuffers(1);
    const served: string[] = [];
    await Promise.all(
      ['a', 'b', 'a'].map((who) =>
        buffers({ tenant: who, bytes: BYTES, signal: never }, async () => void served.push(who)),
      ),
    );
    expect(served).to.deep.equal(['a', 'b', 'a']);
  });

  it('a fetch that ends while it waits leaves the queue', async () => {
    const buffers = createPartBuffers(1);
    const [held, given] = [Promise.withResolvers<void>(), new AbortController()];
    const first = buffers({ tenant: 'a', bytes: BYTES, signal: never }, () => held.promise);
    const [second] = [
      buffers({ tenant: 'b', bytes: BYTES, signal: given.signal }, async () => {}).catch(
        (error: Error) => error.message,
      ),
    ];
    const third = buffers({ tenant: 'c', bytes: BYTES, signal: never }, () => Promise.resolve('served'));
    given.abort(new Error('cancelled'));
    expect(await second).to.equal('cancelled');
    held.resolve();
    await first;
    expect(await third).to.equal('served');
  });

  it('a buffer has the length that is asked for, whatever was asked for before', async () => {
    const buffers = createPartBuffers(1);
    const lengthOf = (bytes: number): Promise<number> =>
      buffers({ tenant: 'a', bytes, signal: never }, (buffer) => Promise.resolve(buffer.length));
    for (const bytes of [16, 8, 32, 16]) expect(await lengthOf(bytes)).to.equal(bytes);
  });
});
