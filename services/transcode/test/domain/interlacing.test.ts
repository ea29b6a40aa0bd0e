/** Whether pictures are what their marks say, from a few samples of them. */
import { expect } from 'chai';
import {
  readFieldSample,
  fieldSampleTimes,
  withFieldSamples,
  type FieldSample,
} from '../../src/domain/source/interlacing.ts';
import { probeOf, scanOf } from './probe-of.ts';

const fields: FieldSample = { marked: 1, topFirst: 24, bottomFirst: 0, whole: 0 };
const whole: FieldSample = { marked: 0, topFirst: 0, bottomFirst: 0, whole: 24 };

describe('withFieldSamples', () => {
  const { video } = probeOf();

  it('pictures that are what they say leave a video as it is', () => {
    expect(withFieldSamples(video, [whole, fields, whole])).to.deep.equal(video);
    expect(withFieldSamples(video, [])).to.deep.equal(video);
  });

  it('pictures of fields without marks are interlaced', () => {
    const unmarked = { ...fields, marked: 0 };
    expect(withFieldSamples(video, [unmarked, unmarked])).to.include({ wronglyMarked: true, interlaced: true });
  });

  it('whole pictures with marks are not interlaced', () => {
    const marked = { ...whole, marked: 1 };
    const claimed = { ...video, interlaced: true };
    expect(withFieldSamples(claimed, [marked])).to.include({ wronglyMarked: true, interlaced: false });
  });

  it('one sample of many that looks otherwise does not contradict the marks', () => {
    const odd = { ...fields, marked: 0 };
    expect(withFieldSamples(video, [whole, whole, odd, whole, whole])).to.deep.equal(video);
  });

  it('pictures that hardly move, or that look like fields of either order, say nothing', () => {
    const still = { marked: 1, topFirst: 0, bottomFirst: 0, whole: 3 };
    const pattern = { marked: 0, topFirst: 12, bottomFirst: 9, whole: 3 };
    expect(withFieldSamples(video, [still, pattern])).to.deep.equal(video);
  });
});

describe('readFieldSample', () => {
  it('the marks are in the parity of the times, and the looks in the filter’s words', () => {
    const text = [
      ['frame:0    pts:1       pts_time:0.04', 'lavfi.idet.single.current_frame=tff'],
      ['frame:1    pts:2       pts_time:0.08', 'lavfi.idet.single.current_frame=progressive'],
      ['frame:2    pts:5       pts_time:0.2', 'lavfi.idet.single.current_frame=undetermined'],
      ['frame:3    pts:7       pts_time:0.28', 'lavfi.idet.single.current_frame=bff'],
    ];
    const read = readFieldSample(text.flat().join('\n'));
    expect(read).to.deep.equal({ marked: 0.75, topFirst: 1, bottomFirst: 1, whole: 1 });
  });
});

describe('fieldSampleTimes', () => {
  const timesAt = (rate: number): Float64Array => Float64Array.from({ length: rate * 60 }, (_t, index) => index / rate);
  const scanAt = (rate: number) => {
    const times = timesAt(rate);
    return scanOf({ times, keys: times.filter((_time, index) => index % rate === 0), end: 60 });
  };

  it('a few samples all over the video are looked at', () => {
    const times = fieldSampleTimes(probeOf().video, scanAt(25));
    expect(times).to.have.lengthOf(6);
    expect(times[0]).to.be.below(10);
    expect(times.at(-1)).to.be.above(50);
  });

  it('what cannot be interlaced is not looked at', () => {
    expect(fieldSampleTimes(probeOf({ codec: 'vp9' }).video, scanAt(25))).to.deep.equal([]);
    expect(fieldSampleTimes(probeOf({ width: 3_840, height: 2_160 }).video, scanAt(25))).to.deep.equal([]);
    expect(fieldSampleTimes(probeOf().video, scanAt(50))).to.deep.equal([]);
    expect(fieldSampleTimes(probeOf({ interlaced: true }).video, scanAt(50))).to.have.lengthOf(6);
  });
});
