/** Which size a video has where its source's changes. */
import { expect } from 'chai';
import { sampleTimes, withSamples } from '../../src/domain/source/picture-samples.ts';
import type { PictureSample } from '../../src/domain/source/probe.ts';
import { probeOf, scanOf } from './probe-of.ts';

const usual = { pixelAspect: 1, interlaced: false };

/** Samples of some sizes, each shown from its time on. */
function samplesOf(...sizes: readonly (readonly [time: number, width: number, height: number])[]): PictureSample[] {
  return sizes.map(([time, width, height]) => ({ ...usual, time, width, height }));
}

describe('withSamples', () => {
  const { video } = probeOf({ width: 320, height: 180 });

  it('the largest size that lasts is the video’s, whichever size comes first', () => {
    const grown = samplesOf([0, 320, 180], [3, 640, 360], [6, 320, 180]);
    expect(withSamples(video, grown, 9)).to.include({ width: 640, height: 360, resized: true });
  });

  it('a size that is shown for a moment only does not count', () => {
    const glimpse = samplesOf([0, 320, 180], [50, 1_920, 1_080], [51, 320, 180]);
    expect(withSamples(video, glimpse, 100)).to.include({ width: 320, height: 180, resized: true });
  });

  it('of two shapes of the same area the one that lasts longer is the video’s', () => {
    const turned = samplesOf([0, 640, 480], [2, 480, 640]);
    expect(withSamples(video, turned, 10)).to.include({ width: 480, height: 640 });
  });

  it('a size that never changes stays as the header declares it', () => {
    expect(withSamples(video, samplesOf([0, 320, 180], [5, 320, 180]), 9)).to.deep.equal(video);
    expect(withSamples(video, [], 9)).to.deep.equal(video);
  });

  it('one interlaced sample makes the video interlaced', () => {
    const late = [...samplesOf([0, 320, 180]), { ...usual, time: 5, width: 320, height: 180, interlaced: true }];
    expect(withSamples(video, late, 9).interlaced).to.equal(true);
  });
});

describe('sampleTimes', () => {
  it('a few dozen key pictures are sampled all over a long video, and each only once', () => {
    const times = Float64Array.from({ length: 7_200 }, (_time, index) => index);
    const sampled = sampleTimes(scanOf({ times, keys: times, end: 7_200 }));
    expect(sampled).to.have.lengthOf(32);
    expect(sampled[0]).to.be.below(225);
    expect(sampled.at(-1)).to.be.above(7_200 - 225);
    expect(sampleTimes(scanOf({ times, keys: Float64Array.of(0, 3_600), end: 7_200 }))).to.deep.equal([0, 3_600]);
  });
});
