import { expect } from 'chai';
import { purgedKeys, type PurgeScope } from '@vds/chassis/stage/purge';
import type { StageState } from '@vds/chassis/stage/stage-rows';
import { newSourceKey } from '../src/outbound/fetch-source.ts';
import { staleSources } from '../src/outbound/purge.ts';

type KnownFetch = { readonly attempt: number; readonly state: StageState; readonly uploadKey: string };

const keys = new Map<string, string>();

/** The key of one try's upload: the same whenever it is asked for. */
function key(attempt: number, fence = 1): string {
  const known = keys.get(`${attempt}.${fence}`) ?? newSourceKey({ videoId: 'v', attempt, fence });
  keys.set(`${attempt}.${fence}`, known);
  return known;
}
function done(attempt: number, fence = 1): KnownFetch {
  return { attempt, state: 'completed', uploadKey: key(attempt, fence) };
}
function open(attempt: number): KnownFetch {
  return { attempt, state: 'open', uploadKey: key(attempt) };
}
function covers(scope: PurgeScope, fetches: readonly KnownFetch[], { keepAttempt = 0, upTo = 0 } = {}) {
  const purge = { videoId: 'v', scope, keepAttempt, upTo };
  const states = new Map(fetches.map(({ attempt, state }) => [attempt, state]));
  const kept = fetches.find(({ attempt }) => attempt === keepAttempt)?.uploadKey;
  const covered = purgedKeys(purge, staleSources(purge, states, kept));
  return (...keys: string[]): boolean[] => keys.map(covered);
}

describe('a purge of ingest', () => {
  it('a purge of the video removes every source, whatever its key', () => {
    expect(covers('PURGE_SCOPE_VIDEO', [open(1)])(key(1), key(9), 'videos/v/stray')).to.deep.equal([true, true, true]);
  });

  it('a purge of other attempts spares the source of the attempt to keep, and removes its superseded uploads', () => {
    const covered = covers('PURGE_SCOPE_OTHER_ATTEMPTS', [done(1), done(2, 3)], { keepAttempt: 2 });
    expect(covered(key(1), key(2, 3), key(2, 1))).to.deep.equal([true, false, true]);
  });

  it('a purge of other attempts spares what a later retry fetches or has fetched', () => {
    const covered = covers('PURGE_SCOPE_OTHER_ATTEMPTS', [done(1), done(2), open(3)], { keepAttempt: 2 });
    expect(covered(key(1), key(2), key(3), key(4))).to.deep.equal([true, false, false, false]);
  });

  it('a purge of other attempts spares every upload of the attempt to keep while its fetch is open', () => {
    const covered = covers('PURGE_SCOPE_OTHER_ATTEMPTS', [done(1), open(2)], { keepAttempt: 2 });
    expect(covered(key(1), key(2, 1), key(2, 2))).to.deep.equal([true, false, false]);
  });

  it('a purge of the source spares attempts after its request and attempts that are being fetched', () => {
    const covered = covers('PURGE_SCOPE_SOURCE', [done(1), open(2), done(3)], { upTo: 2 });
    expect(covered(key(1), key(2), key(3), 'videos/v/stray')).to.deep.equal([true, false, false, false]);
  });

  it('a purge of the source that is consumed after a retry spares the source of the retry', () => {
    const covered = covers('PURGE_SCOPE_SOURCE', [done(1), done(2)], { keepAttempt: 2, upTo: 2 });
    expect(covered(key(1), key(2))).to.deep.equal([true, false]);
  });
});
