import { expect } from 'chai';
import type { StageState } from '@vds/chassis/stage/stage-rows';
import { newSourceKey } from '../src/outbound/fetch-source.ts';
import { staleSources } from '../src/outbound/purge.ts';

function key(attempt: number, fence = 1): string {
  return newSourceKey({ videoId: 'v', attempt, fence });
}
function stale(states: readonly StageState[], { keepAttempt = 0, upTo = 0 } = {}) {
  const purge = { videoId: 'v', scope: 'PURGE_SCOPE_SOURCE', keepAttempt, upTo } as const;
  const isStale = staleSources(purge, new Map(states.map((state, index) => [index + 1, state])));
  return (...keys: string[]): boolean[] => keys.map(isStale);
}

describe('a purge of the source', () => {
  it('a purge of the source spares attempts after its request and attempts that are being fetched', () => {
    const isStale = stale(['completed', 'open', 'completed'], { upTo: 2 });
    expect(isStale(key(1), key(2), key(3), 'videos/v/stray')).to.deep.equal([true, false, false, false]);
  });

  it('a purge of the source that is consumed after a retry spares the source of the retry', () => {
    const isStale = stale(['completed', 'completed'], { keepAttempt: 2, upTo: 2 });
    expect(isStale(key(1), key(2))).to.deep.equal([true, false]);
  });
});
