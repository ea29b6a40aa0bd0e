/** Slow sources of unknown length hold up their own publisher alone. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { createPartBuffers } from '../src/outbound/part-buffers.ts';

const never = new AbortController().signal;

describe('buffers for parts of unknown length', () => {
  it('a publisher whose sources take for ever never has more than half of them', async () => {
    const buffers = createPartBuffers(4);
    const slow = Promise.withResolvers<void>();
    let started = 0;
    const all = Array.from({ length: 10 }, () =>
      buffers('slow', never, async () => {
        started += 1;
        await slow.promise;
      }),
    );
    expect(await buffers('quick', never, () => Promise.resolve('served'))).to.equal('served');
    await delay(5);
    expect(started).to.equal(2);
    slow.resolve();
    await Promise.all(all);
    expect(started).to.equal(10);
  });

  it('one buffer serves everybody in turn', async () => {
    const buffers = createPartBuffers(1);
    const served: string[] = [];
    await Promise.all(['a', 'b', 'a'].map((who) => buffers(who, never, async () => void served.push(who))));
    expect(served).to.deep.equal(['a', 'b', 'a']);
  });

  it('a fetch that ends while it waits leaves the queue', async () => {
    const buffers = createPartBuffers(1);
    const [held, given] = [Promise.withResolvers<void>(), new AbortController()];
    const first = buffers('a', never, () => held.promise);
    const [second] = [buffers('b', given.signal, async () => {}).catch((error: Error) => error.message)];
    const third = buffers('c', never, () => Promise.resolve('served'));
    given.abort(new Error('cancelled'));
    expect(await second).to.equal('cancelled');
    held.resolve();
    await first;
    expect(await third).to.equal('served');
  });
});
