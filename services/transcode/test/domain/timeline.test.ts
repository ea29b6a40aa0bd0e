import type { AppError } from '@vds/chassis/errors';
import { expect } from 'chai';
import { admitFrames, admitPackets, admitStreams, admitWork } from '../../src/domain/source/policy.ts';
import { makeTimeline, peakRate } from '../../src/domain/source/timeline.ts';
import { probeOf, scanOf, sound } from './probe-of.ts';

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

describe('makeTimeline', () => {
  it('the nominal frame rate is found behind a clock of milliseconds', () => {
    for (const rate of [24_000 / 1_001, 24, 25, 30_000 / 1_001, 30, 50, 60_000 / 1_001, 60]) {
      const timeline = makeTimeline(probeOf({ tick: 0.001 }), even(rate, 2_000, 0.007, 0.001));
      expect(timeline).to.include({ frameRate: rate, variable: false, thinned: false });
    }
  });
  it('a video begins with its first picture, and sound shortly before it is cut', () => {
    const scan = { ...even(25, 50, 0.023), audio: { start: 0, end: 2 } };
    expect(makeTimeline(probeOf(), scan).zero).to.equal(scan.times[0]);
  });
  it('a video begins with its sound where that begins long before the pictures', () => {
    const scan = { ...even(25, 50, 3), audio: { start: 1, end: 5 } };
    expect(makeTimeline(probeOf(), scan)).to.include({ zero: 1, end: 4 });
  });
  it('an mp4 video begins where its edit list does, whatever its first packet of sound holds before', () => {
    const scan = { ...even(25, 50, 0.15), audio: { start: -0.018, end: 2 } };
    expect(makeTimeline(probeOf({}, { demuxer: 'mov' }), scan).zero).to.equal(0);
    expect(makeTimeline(probeOf({}, { demuxer: 'matroska' }), scan).zero).to.be.closeTo(-0.018, 1e-9);
  });
  it('a frame rate does not count as variable for one missing picture', () => {
    const { times, ...scan } = even(25, 1_000);
    expect(
      makeTimeline(probeOf(), { ...scan, times: times.filter((_time, index) => index !== 500) }).variable,
    ).to.equal(false);
    expect(
      makeTimeline(probeOf(), { ...scan, times: times.filter((_time, index) => index % 5 !== 3) }).variable,
    ).to.equal(true);
  });
});

describe('makeTimeline of pictures that are held', () => {
  /** Pictures at the given seconds, the last one of an ordinary length. */
  const at = (times: readonly number[], audioEnd?: number) => {
    const end = (times.at(-1) ?? 0) + 0.04;
    const audio = audioEnd === undefined ? undefined : { start: 0, end: audioEnd };
    return scanOf({ times: Float64Array.from(times), keys: Float64Array.of(0), end, audio });
  };
  it('a video ends with its pictures or its sound, whichever is later', () => {
    expect(makeTimeline(probeOf(), at([0, 7, 8, 19], 20)).end).to.equal(20);
    expect(makeTimeline(probeOf(), at([0, 7, 8, 19], 600)).end).to.equal(600);
    expect(makeTimeline(probeOf(), at([0, 7, 8, 19])).end).to.be.closeTo(19.04, 1e-9);
    const film = (end: number) =>
      makeTimeline(probeOf(), { ...even(25, 250), audio: { start: 0, end }, soundLength: end });
    expect(film(1_000)).to.include({ end: 1_000, soundLength: 1_000 });
    expect(film(3).end).to.be.closeTo(10, 1e-9);
    expect(film(3).soundLength).to.equal(3);
  });
  it('a video begins where its first pictures would be shown that cannot be decoded', () => {
    const scan = { ...even(25, 50, 0.76), lostFrom: 0 };
    expect(makeTimeline(probeOf(), scan)).to.include({ zero: 0, first: 0.76 });
    expect(makeTimeline(probeOf(), { ...scan, lostFrom: 0.72 })).to.include({ zero: 0.76, first: 0 });
  });
  it('the highest rate is the one at which pictures follow each other, whatever gaps lie between', () => {
    const film = [...even(25, 100).times];
    const torn = at([...film, ...film.map((time) => time + 8), ...film.map((time) => time + 16)]);
    const highest = (scan: ReturnType<typeof at>, repeats: readonly number[] = []): number =>
      peakRate(scan, makeTimeline(probeOf(), scan), repeats, probeOf().video.tick);
    const thin = { ...torn, times: torn.times.filter((_t, index) => index % 9 !== 4) };
    expect([makeTimeline(probeOf(), thin).variable, highest(thin)]).to.deep.equal([true, 25]);
    expect(highest(at([0, 7, 8, 19]))).to.equal(1);
    expect(highest(at([0, 7, 14, 28, 50]))).to.be.closeTo(1 / 7, 0.001);
    expect(highest(even(30, 60))).to.equal(30);
    expect(highest(at([0, 10], 20), [6, 12, 18])).to.equal(0.5);
    expect(highest(at([0], 20), [6, 12, 18])).to.be.closeTo(1 / 6, 0.001);
    const burst = at([...even(25, 2_000).times, 20.02, 20.06, 20.1, 20.14, 20.18, 20.22].sort((a, b) => a - b));
    expect([makeTimeline(probeOf(), burst).variable, highest(burst)]).to.deep.equal([false, 50]);
  });
  it('a constant rate is not that of the gaps in it', () => {
    const film = even(25, 350);
    const hole = { ...film, times: film.times.filter((time) => time < 5 || time > 8.98) };
    expect(makeTimeline(probeOf(), hole)).to.include({ frameRate: 25, variable: false });
    const late = { ...film, times: film.times.map((time) => (time > 5 ? time + 0.021 : time)) };
    expect(makeTimeline(probeOf(), late)).to.include({ frameRate: 25, variable: false });
  });
});

describe('admitStreams and admitFrames', () => {
  const limits = {
    maxDurationMs: 60_000,
    minDurationMs: 1_000,
    maxFrameRate: 240,
    maxPixels: 4_000_000,
    maxStreams: 8,
    maxWork: 1_000,
  };
  const admit = (video: Parameters<typeof probeOf>[0], more: Parameters<typeof probeOf>[1] = {}) =>
    reasonOf(() => admitStreams(probeOf(video, more), limits));
  it('the codecs of the specification are accepted, and others are rejected by name', () => {
    for (const codec of ['h264', 'hevc', 'vp9', 'av1']) expect(admit({ codec })).to.have.property('codec', codec);
    for (const codec of ['mpeg2video', 'prores', '']) expect(admit({ codec })).to.equal('codec_unsupported');
    expect(admit({}, { audio: { ...sound, codec: 'cook' } })).to.equal('codec_unsupported');
  });
  it('sources beyond the limits of size, streams and length are rejected', () => {
    expect(admit({ width: 4_000, height: 4_000 })).to.equal('source_too_complex');
    expect(admit({}, { streams: 9 })).to.equal('source_too_complex');
    expect(reasonOf(() => admitFrames(probeOf(), even(25, 25 * 62), limits))).to.equal('source_too_long');
  });
  it('packets are compared with the duration that the header declares', () => {
    const check = (count: number, declaredDuration: number) =>
      reasonOf(() => admitFrames(probeOf({ declaredDuration }), even(25, count), limits));
    expect(check(250, 10)).to.equal(undefined);
    expect(check(125, 10)).to.equal('source_corrupt');
    expect(check(0, 10)).to.equal('source_corrupt');
    expect(check(10, 0.4)).to.equal('source_too_short');
    expect(check(25 * 62, 62)).to.equal('source_too_long');
    expect(reasonOf(() => admitFrames(probeOf(), even(1_000, 2_000), limits))).to.equal('source_too_complex');
  });
  it('a limit of the frame rate has the tolerance of clocks, and its failure names both rates', () => {
    const { maxFrameRate } = limits;
    const admitRate = (rate: number): void => admitFrames(probeOf(), even(rate, rate * 2), limits);
    expect(() => admitRate(maxFrameRate * 1.0005)).not.to.throw();
    expect(() => admitRate(maxFrameRate * 1.05))
      .to.throw()
      .with.property('details')
      .that.deep.equals({ frame_rate: `${maxFrameRate * 1.05}`, limit_frame_rate: `${maxFrameRate}` });
  });
  it('what size, rate and duration multiply to has a limit of its own', () => {
    expect(reasonOf(() => admitWork(1_000e9, limits))).to.equal(undefined);
    expect(reasonOf(() => admitWork(1_001e9, limits))).to.equal('source_too_complex');
  });
  it('packets that are larger together than their file, or too many, end the listing of them', () => {
    const after = (count: number, bytes: number, isPicture: boolean, fileBytes = 100_000_000, encoded = false) =>
      reasonOf(() => {
        const admit = admitPackets(limits, fileBytes, encoded);
        for (let packet = 0; packet < count; packet++) admit(bytes, isPicture);
      });
    expect(after(100, 1_000_000, true, 100_000_000)).to.equal(undefined);
    // Shown four times by an edit list.
    expect(after(400, 1_000_000, true, 100_000_000)).to.equal(undefined);
    expect(after(30_000, 1_000_000, true, 2_000_000)).to.equal('source_corrupt');
    expect(after(1_500, 1_000_000, false, 100_000_000, true)).to.equal(undefined);
    expect(after(30_000, 1_000_000, false, 2_000_000, true)).to.equal('source_corrupt');
    expect(after(60 * 240, 10, true)).to.equal(undefined);
    expect(after(60 * 250, 10, true)).to.equal('source_too_complex');
  });
  it('pictures with too many pixels and pictures with too long a side are distinguished', () => {
    const detailsOf = (width: number, height: number): unknown => {
      try {
        admitStreams(probeOf({ width, height }), limits);
      } catch (error) {
        return (error as AppError).details;
      }
      return undefined;
    };
    expect(detailsOf(4_000, 4_000)).to.include({ pixels: '16000000', limit_pixels: `${limits.maxPixels}` });
    expect(detailsOf(20_000, 2)).to.deep.equal({ resolution: '20000x2', limit_side: '16384' });
  });
});
