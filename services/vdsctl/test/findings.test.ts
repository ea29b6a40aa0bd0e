/** What `vdsctl reconcile` prints, and when it refuses to repair. */
import { expect } from 'chai';
import { isSuspicious, summarize } from '../src/domain/findings.ts';

function finding(kind: string, videoId: string, repaired = false, owner = 'transcode') {
  return { kind, videoId, repaired, owner, repair: 'purge at transcode' };
}

describe('the findings of a reconciliation', () => {
  it('findings are counted by kind, service and repair, with the first videos of each', () => {
    const many = ['a', 'b', 'c', 'd'].map((id, index) => finding('unknown_video', id, index === 0));
    expect(summarize([...many, finding('index_ahead', 'a', true, 'indexer')])).to.deep.equal([
      {
        kind: 'unknown_video',
        owner: 'transcode',
        repair: 'purge at transcode',
        count: 4,
        repaired: 1,
        first: ['a', 'b', 'c'],
      },
      { kind: 'index_ahead', owner: 'indexer', repair: 'purge at transcode', count: 1, repaired: 1, first: ['a'] },
    ]);
    expect(summarize([])).to.deep.equal([]);
  });

  it('a catalog that does not know most of the videos is suspicious, however many services report each', () => {
    const unknown = ['a', 'a', 'a', 'b'].map((id) => finding('unknown_video', id));
    expect(isSuspicious(unknown, 4)).to.equal(false);
    expect(isSuspicious(unknown, 3)).to.equal(true);
    expect(isSuspicious([finding('deleted_data', 'a')], 1)).to.equal(false);
  });
});
