import { expect } from 'chai';
import { coveredBy, type KnownFetch, type PurgeScope } from '../src/domain/purge-scope.ts';
import { attemptOfKey, sourceKey } from '../src/domain/source-layout.ts';

function key(attempt: number, fence = 1): string {
  return sourceKey('v', attempt, fence);
}
function done(attempt: number, fence = 1): KnownFetch {
  return {
    attempt,
    state: 'completed',
    uploadKey: key(attempt, fence),
  };
}
function open(attempt: number): KnownFetch {
  return { attempt, state: 'open', uploadKey: key(attempt) };
}
function covers(scope: PurgeScope, fetches: readonly KnownFetch[], { keepAttempt = 0, upTo = 0 } = {}) {
  const covered = coveredBy({ scope, keepAttempt, upTo }, fetches);
  return (...keys: string[]): boolean[] => keys.map(covered);
}

describe('a purge', () => {
  it('of the video takes everything, whatever its key', () => {
    expect(covers('PURGE_SCOPE_VIDEO', [open(1)])(key(1), key(9), 'videos/v/stray')).to.deep.equal([true, true, true]);
  });

  it('of other attempts leaves the one to keep, and takes what lost within it', () => {
    const covered = covers('PURGE_SCOPE_OTHER_ATTEMPTS', [done(1), done(2, 3)], { keepAttempt: 2 });
    expect(covered(key(1), key(2, 3), key(2, 1))).to.deep.equal([true, false, true]);
  });

  it('of other attempts leaves what a later retry is fetching, or has fetched', () => {
    const covered = covers('PURGE_SCOPE_OTHER_ATTEMPTS', [done(1), done(2), open(3)], { keepAttempt: 2 });
    expect(covered(key(1), key(2), key(3), key(4))).to.deep.equal([true, false, false, false]);
  });

  it('of other attempts leaves all of the one to keep until it is known what won', () => {
    const covered = covers('PURGE_SCOPE_OTHER_ATTEMPTS', [done(1), open(2)], { keepAttempt: 2 });
    expect(covered(key(1), key(2, 1), key(2, 2))).to.deep.equal([true, false, false]);
  });

  it('of the source leaves what came after it was asked for, and what is being fetched', () => {
    const covered = covers('PURGE_SCOPE_SOURCE', [done(1), open(2), done(3)], { upTo: 2 });
    expect(covered(key(1), key(2), key(3), 'videos/v/stray')).to.deep.equal([true, false, false, false]);
  });

  it('of the source that is heard after a retry leaves the source of the retry', () => {
    const covered = covers('PURGE_SCOPE_SOURCE', [done(1), done(2)], { keepAttempt: 2, upTo: 2 });
    expect(covered(key(1), key(2))).to.deep.equal([true, false]);
  });

  it('reads the attempt out of a key', () => {
    expect(attemptOfKey('videos/01h/12/source.3/original')).to.equal(12);
    expect(attemptOfKey('videos/01h/source')).to.equal(undefined);
  });
});
