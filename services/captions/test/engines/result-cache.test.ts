import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { failureOf, never } from './support.ts';
import { createResultCache } from '../../src/outbound/engines/result-cache.ts';

describe('result cache', () => {
  it('the result cache evicts the oldest beyond its capacity, and does not store anything larger', async () => {
    const cached = createResultCache(10);
    const made: string[] = [];
    const get = (name: string, result: string) =>
      cached(name, ['x'], never(), async () => {
        made.push(name);
        return [result];
      });
    await get('a', 'aaaa');
    await get('b', 'bbbb');
    await get('a', 'aaaa');
    await get('c', 'cccc');
    await get('b', 'bbbb');
    await get('a', 'aaaa');
    await get('large', 'l'.repeat(11));
    await get('large', 'l'.repeat(11));
    expect(made).to.deep.equal(['a', 'b', 'c', 'a', 'large', 'large']);
  });

  it('the result cache shares work in progress, and a waiting caller does it itself where that fails', async () => {
    const cached = createResultCache(100);
    const first = Promise.withResolvers<readonly string[]>();
    let times = 0;
    const own = async (): Promise<readonly string[]> => [`own ${(times += 1)}`];
    const failing = failureOf(cached('a', ['x'], never(), () => first.promise));
    const waiting = [cached('a', ['x'], never(), own), cached('a', ['x'], never(), own)];
    first.reject(new AppError('INTERNAL', 'no'));
    await failing;
    expect(await Promise.all(waiting)).to.deep.equal([['own 1'], ['own 1']]);
  });

  it('an aborted caller of the result cache stops waiting, and the work continues', async () => {
    const cached = createResultCache(100);
    const first = Promise.withResolvers<readonly string[]>();
    const making = cached('a', ['x'], never(), () => first.promise);
    const abort = new AbortController();
    const waiting = cached('a', ['x'], abort.signal, async () => ['own']).catch(String);
    abort.abort(new Error('enough'));
    expect(await waiting).to.equal('Error: enough');
    first.resolve(['made']);
    expect(await making).to.deep.equal(['made']);
  });
});
