import { expect } from 'chai';
import { mapConcurrently } from './release.ts';

describe('mapConcurrently', () => {
  it('mapConcurrently keeps the order and never exceeds its limit', async () => {
    let running = 0;
    let most = 0;
    const results = await mapConcurrently([3, 1, 2], 2, async (ms) => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, ms));
      running -= 1;
      return ms * 10;
    });
    expect([results, most]).to.deep.equal([[30, 10, 20], 2]);
  });
});
