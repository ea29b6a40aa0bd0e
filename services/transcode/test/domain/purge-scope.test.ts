import { expect } from 'chai';
import type { PurgeScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { purgedKeys } from '../../src/domain/purge-scope.ts';

const keys = ['videos/v/1/a.1/seg.m4s', 'videos/v/2/cut.1/piece', 'videos/v/3/a.1/seg.m4s', 'videos/v/stray'];
function gone(scope: PurgeScope, keepAttempt: number, upTo = 3): boolean[] {
  return keys.map(purgedKeys({ scope, videoId: 'v', keepAttempt, upTo }));
}

describe('a purge of what transcode keeps', () => {
  it('of the video takes everything', () => {
    expect(gone('PURGE_SCOPE_VIDEO', 0)).to.deep.equal([true, true, true, true]);
  });

  it('of other attempts leaves the one to keep and what a later retry makes', () => {
    expect(gone('PURGE_SCOPE_OTHER_ATTEMPTS', 2)).to.deep.equal([true, false, false, true]);
    expect(gone('PURGE_SCOPE_OTHER_ATTEMPTS', 0)).to.deep.equal([true, true, true, true]);
  });

  it('of the source takes the copies of its bytes alone', () => {
    expect(gone('PURGE_SCOPE_SOURCE', 0)).to.deep.equal([false, true, false, false]);
  });

  it('of the source leaves the copies of an attempt that began after it was requested', () => {
    expect(gone('PURGE_SCOPE_SOURCE', 0, 1)).to.deep.equal([false, false, false, false]);
  });
});
