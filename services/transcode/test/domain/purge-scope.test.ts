import { expect } from 'chai';
import type { PurgeScope } from '@vds/proto/generated/vds/common/v1/PurgeScope.ts';
import { purgedKeys } from '../../src/domain/purge-scope.ts';

const keys = ['videos/v/1/a.1/seg.m4s', 'videos/v/2/cut.1/piece', 'videos/v/3/a.1/seg.m4s', 'videos/v/stray'];
function gone(scope: PurgeScope, keepAttempt: number, upTo = 3): boolean[] {
  return keys.map(purgedKeys({ scope, videoId: 'v', keepAttempt, upTo }));
}

describe('purgedKeys', () => {
  it('a purge of a video removes all of its objects', () => {
    expect(gone('PURGE_SCOPE_VIDEO', 0)).to.deep.equal([true, true, true, true]);
  });

  it('a purge of other attempts spares the attempt to keep and later retries', () => {
    expect(gone('PURGE_SCOPE_OTHER_ATTEMPTS', 2)).to.deep.equal([true, false, false, true]);
    expect(gone('PURGE_SCOPE_OTHER_ATTEMPTS', 0)).to.deep.equal([true, true, true, true]);
  });

  it('a purge of the source removes only the copies of its bytes', () => {
    expect(gone('PURGE_SCOPE_SOURCE', 0)).to.deep.equal([false, true, false, false]);
  });

  it('a purge of the source spares the copies of an attempt that began after the request', () => {
    expect(gone('PURGE_SCOPE_SOURCE', 0, 1)).to.deep.equal([false, false, false, false]);
  });
});
