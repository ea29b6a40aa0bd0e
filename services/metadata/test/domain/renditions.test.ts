/** Which renditions and segments are decoded. */
import { expect } from 'chai';
import type { LadderRung } from '@vds/proto/documents/ladder';
import { readingRung, segmentsWithin, smallestRung } from '../../src/domain/renditions.ts';

function ladder(...heights: number[]): { rungs: LadderRung[] } {
  return {
    rungs: heights.map((height) => ({
      name: `${height}p`,
      width: 2 * Math.round((height * 8) / 9),
      height,
      frameRate: 25,
      bandwidth: 2,
      averageBandwidth: 1,
      codecs: 'avc1.64001f',
      playlist: `assemble.1/v/${height}p/index.m3u8`,
    })),
  };
}

describe('the renditions of a ladder', () => {
  it('pictures are sampled from the smallest rung and text is read from the smallest readable one', () => {
    const rungs = ladder(1080, 720, 480, 360, 240);
    expect([smallestRung(rungs).height, readingRung(rungs).height]).to.deep.equal([240, 720]);
    expect(readingRung(ladder(360, 240)).height).to.equal(360);
  });

  it('segmentsWithin returns the segments that hold any part of a span', () => {
    const segments = [0, 6_000].map((startMs) => ({ key: `${startMs}`, startMs, endMs: startMs + 6_000 }));
    expect(segmentsWithin({ init: 'init', segments }, 6_000, 7_000)).to.have.length(1);
    expect(segmentsWithin({ init: 'init', segments }, 5_000, 7_000)).to.have.length(2);
  });
});
