import { expect } from 'chai';
import { createMemory } from '../../src/outbound/engines/memory.ts';

describe('captions: memory of steps', () => {
  it('forgets the oldest where all would be more than it may keep, and keeps nothing larger', async () => {
    const remember = createMemory(10);
    const made: string[] = [];
    const ask = (name: string, answer: string) =>
      remember(name, ['x'], async () => {
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
});
