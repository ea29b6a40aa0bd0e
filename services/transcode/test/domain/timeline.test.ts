import { expect } from 'chai';
import { admitFrames, admitStreams } from '../../src/domain/source/policy.ts';
import { makeTimeline } from '../../src/domain/source/timeline.ts';
import { factsOf, scanOf, sound } from './facts-of.ts';

function reasonOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as { reason?: string }).reason;
  }
}

/** Pictures at a constant rate, rounded to a clock. */
function even(rate: number, count: number, start = 0, tick = 1e-9) {
  const times = Float64Array.from(
    { length: count },
    (_time, index) => Math.round((start + index / rate) / tick) * tick,
  );
  return scanOf({ times, keys: times.slice(0, 1), end: (times.at(-1) ?? 0) + 1 / rate });
}

describe('the timeline', () => {
  it('finds the nominal rate behind a clock of milliseconds', () => {
    for (const rate of [24_000 / 1_001, 24, 25, 30_000 / 1_001, 30, 50, 60_000 / 1_001, 60]) {
      const timeline = makeTimeline(factsOf({ tick: 0.001 }), even(rate, 2_000, 0.007, 0.001));
      expect(timeline).to.include({ frameRate: rate, variable: false, thinned: false });
    }
  });
  it('begins with the first picture, with sound that came a little before cut', () => {
    const scan = { ...even(25, 50, 0.023), audio: { start: 0, end: 2 } };
    expect(makeTimeline(factsOf(), scan).zero).to.equal(scan.times[0]);
  });
  it('begins with the sound where that comes long before the pictures', () => {
    const scan = { ...even(25, 50, 3), audio: { start: 1, end: 5 } };
    expect(makeTimeline(factsOf(), scan)).to.include({ zero: 1, videoEnd: 4, audioEnd: 4 });
  });
  it('begins where the edit list does, with the sound that is heard, not with what its first packet holds before', () => {
    const scan = { ...even(25, 50, 0.15), audio: { start: -0.018, end: 2 } };
    expect(makeTimeline(factsOf({}, { demuxer: 'mov' }), scan).zero).to.equal(0);
    expect(makeTimeline(factsOf({}, { demuxer: 'matroska' }), scan).zero).to.be.closeTo(-0.018, 1e-9);
  });
  it('does not call a rate variable for one lost picture', () => {
    const { times, ...scan } = even(25, 1_000);
    expect(
      makeTimeline(factsOf(), { ...scan, times: times.filter((_time, index) => index !== 500) }).variable,
    ).to.equal(false);
    expect(
      makeTimeline(factsOf(), { ...scan, times: times.filter((_time, index) => index % 5 !== 3) }).variable,
    ).to.equal(true);
  });
});

describe('the policy', () => {
  const limits = {
    maxDurationMs: 60_000,
    minDurationMs: 1_000,
    maxFrameRate: 240,
    maxPixels: 4_000_000,
    maxStreams: 8,
  };
  const judged = (video: Parameters<typeof factsOf>[0], more: Parameters<typeof factsOf>[1] = {}) =>
    reasonOf(() => admitStreams(factsOf(video, more), limits));
  it('takes the codecs of the specification and refuses others by name', () => {
    for (const codec of ['h264', 'hevc', 'vp9', 'av1']) expect(judged({ codec })).to.have.property('codec', codec);
    for (const codec of ['mpeg2video', 'prores', '']) expect(judged({ codec })).to.equal('codec_unsupported');
    expect(judged({}, { audio: { ...sound, codec: 'cook' } })).to.equal('codec_unsupported');
  });
  it('has caps of size, streams and length', () => {
    expect(judged({ width: 4_000, height: 4_000 })).to.equal('source_too_complex');
    expect(judged({}, { streams: 9 })).to.equal('source_too_complex');
    expect(reasonOf(() => admitFrames(factsOf(), even(25, 25 * 62), limits))).to.equal('source_too_long');
  });
  it('holds the packets against the header', () => {
    const look = (count: number, declaredDuration: number) =>
      reasonOf(() => admitFrames(factsOf({ declaredDuration }), even(25, count), limits));
    expect(look(250, 10)).to.equal(undefined);
    expect(look(125, 10)).to.equal('source_corrupt');
    expect(look(0, 10)).to.equal('source_corrupt');
    expect(look(10, 0.4)).to.equal('source_too_short');
    expect(look(25 * 62, 62)).to.equal('source_too_long');
    expect(reasonOf(() => admitFrames(factsOf(), even(1_000, 2_000), limits))).to.equal('source_too_complex');
  });
});
