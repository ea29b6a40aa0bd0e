import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { failureOf, never } from './troubled.ts';
import { createMemory } from '../../src/outbound/engines/memory.ts';

describe('captions: memory of steps', () => {
  it('forgets the oldest where all would be more than it may keep, and keeps nothing larger', async () => {
    const remember = createMemory(10);
    const made: string[] = [];
    const ask = (name: string, answer: string) =>
      remember(name, ['x'], never(), async () => {
        made.push(name);
        return [answer];
      });
    await ask('a', 'aaaa');
    await ask('b', 'bbbb');
    await ask('a', 'aaaa');
    await ask('c', 'cccc');
    await ask('b', 'bbbb');
    await ask('a', 'aaaa');
    await ask('large', 'l'.repeat(11));
    await ask('large', 'l'.repeat(11));
    expect(made).to.deep.equal(['a', 'b', 'c', 'a', 'large', 'large']);
  });

  it('waits for what another caller is making, and makes it itself where that fails', async () => {
    const remember = createMemory(100);
    const first = Promise.withResolvers<readonly string[]>();
    let times = 0;
    const own = async (): Promise<readonly string[]> => [`own ${(times += 1)}`];
    const failing = failureOf(remember('a', ['x'], never(), () => first.promise));
    const waiting = [remember('a', ['x'], never(), own), remember('a', ['x'], never(), own)];
    first.reject(new AppError('INTERNAL', 'no'));
    await failing;
    expect(await Promise.all(waiting)).to.deep.equal([['own 1'], ['own 1']]);
  });

  it('lets go of who no longer waits', async () => {
    const remember = createMemory(100);
    const first = Promise.withResolvers<readonly string[]>();
    const making = remember('a', ['x'], never(), () => first.promise);
    const abort = new AbortController();
    const waiting = remember('a', ['x'], abort.signal, async () => ['own']).catch(String);
    abort.abort(new Error('enough'));
    expect(await waiting).to.equal('Error: enough');
    first.resolve(['made']);
    expect(await making).to.deep.equal(['made']);
  });
});
