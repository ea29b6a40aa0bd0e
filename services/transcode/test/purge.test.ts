import { expect } from 'chai';
import { purgedKeys, type PurgeScope } from '@vds/chassis/stage/purge';
import { sourceCopies } from '../src/outbound/purge.ts';

const keys = ['videos/v/1/a.1/seg.m4s', 'videos/v/2/cut.1/piece', 'videos/v/3/a.1/seg.m4s', 'videos/v/stray'];
function removed(scope: PurgeScope, keepAttempt: number, upTo = 3): boolean[] {
  const purge = { scope, videoId: 'v', keepAttempt, upTo };
  return keys.map(purgedKeys(purge, sourceCopies(purge)));
}

describe('a purge of transcode', () => {
  it('a purge of the video removes every object of transcode', () => {
    expect(removed('PURGE_SCOPE_VIDEO', 0)).to.deep.equal([true, true, true, true]);
  });

  it('a purge of other attempts spares the objects of the attempt to keep and of a later retry', () => {
    expect(removed('PURGE_SCOPE_OTHER_ATTEMPTS', 2)).to.deep.equal([true, false, false, true]);
    expect(removed('PURGE_SCOPE_OTHER_ATTEMPTS', 0)).to.deep.equal([true, true, true, true]);
  });

  it('a purge of the source removes only the copies of its bytes', () => {
    expect(removed('PURGE_SCOPE_SOURCE', 0)).to.deep.equal([false, true, false, false]);
  });

  it('a purge of the source spares the copies of an attempt that began after its request', () => {
    expect(removed('PURGE_SCOPE_SOURCE', 0, 1)).to.deep.equal([false, false, false, false]);
  });
});
