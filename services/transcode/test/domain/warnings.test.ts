import { expect } from 'chai';
import type { Timeline } from '../../src/domain/source/timeline.ts';
import { warningsOf } from '../../src/domain/source/warnings.ts';
import { probeOf } from './probe-of.ts';

/** The codes of a source with sound whose pictures end here, of this size. */
function codesOf(seconds: number, bytes: number): readonly string[] {
  const timeline = { end: seconds, variable: false, thinned: false } as Timeline;
  return warningsOf(probeOf(), timeline, { bytes, trailing: false });
}

describe('the recommendations for a source', () => {
  it('a source over 4 hours is accepted with a warning, and one of 4 hours has none', () => {
    expect(codesOf(4 * 3_600, 1)).not.to.include('duration_not_recommended');
    expect(codesOf(4 * 3_600 + 0.04, 1)).to.include('duration_not_recommended');
  });

  it('a source over 5 GB is accepted with a warning, and one of 5 GB has none', () => {
    expect(codesOf(60, 5_000_000_000)).not.to.include('size_not_recommended');
    expect(codesOf(60, 5_000_000_001)).to.include('size_not_recommended');
  });
});
