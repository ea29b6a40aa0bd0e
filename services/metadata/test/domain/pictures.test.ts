/** Cuts and freezes, from numbers and from synthetic tiny pictures. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { findCuts } from '../../src/domain/picture/cuts.ts';
import { frameLog, type Frame } from '../../src/domain/picture/frame-log.ts';
import { measureSample, SAMPLE_BYTES, SAMPLE_WIDTH, type Sample } from '../../src/domain/picture/sample.ts';
import { shotsWithin } from '../../src/domain/picture/shots.ts';
import { detectFreezes } from '../../src/domain/picture/freezes.ts';

/** A grey picture with a ball of a few pixels at a column. */
function pictureAt(index: number, ball: number | undefined, grey = 100): Sample {
  const bytes = new Uint8Array(SAMPLE_BYTES).fill(128).fill(grey, 0, (SAMPLE_BYTES * 2) / 3);
  if (ball !== undefined)
    for (const y of [40, 41, 42, 43]) for (const x of [0, 1, 2, 3]) bytes[y * SAMPLE_WIDTH + ball + x] = 230;
  return measureSample(index * 250, bytes);
}

const anyFrames = fc
  .array(
    fc.record({
      motion: fc.double({ min: 0, max: 100, noNaN: true }),
      score: fc.double({ min: 0, max: 100, noNaN: true }),
    }),
    { maxLength: 400 },
  )
  .map((values): Frame[] => values.map((value, index) => ({ ...value, atMs: index * 40 })));

describe('cuts and freezes', () => {
  it('an interval is frozen only while no small part of the picture moves', () => {
    const interval = { kind: 'frozen' as const, startMs: 0, endMs: 6_000 };
    const rollingBall = Array.from({ length: 24 }, (_sample, index) => pictureAt(index, 5 * index));
    expect(detectFreezes([interval], rollingBall)).to.deep.equal([]);
    const restingBall = Array.from({ length: 24 }, (_sample, index) => pictureAt(index, index < 12 ? 5 * index : 60));
    expect(detectFreezes([interval], restingBall)).to.deep.equal([{ ...interval, startMs: 3_000 }]);
    const black = { kind: 'black' as const, startMs: 0, endMs: 500 };
    expect(detectFreezes([black], rollingBall)).to.deep.equal([black]);
  });

  it('cuts of any frames are in order and at least a shortest shot apart, and shots cover their span', () => {
    fc.assert(
      fc.property(anyFrames, (frames) => {
        const cuts = findCuts(frames, [], []);
        cuts.slice(1).forEach(({ atMs }, index) => expect(atMs - (cuts[index]?.atMs ?? 0)).to.be.at.least(400));
        const span = { startMs: 1_000, endMs: 9_000 };
        const shots = shotsWithin(span, cuts, frames, []);
        expect([shots[0]?.startMs, shots.at(-1)?.endMs]).to.deep.equal([1_000, 9_000]);
        shots.slice(1).forEach(({ startMs }, index) => expect(startMs).to.equal(shots[index]?.endMs));
      }),
      { numRuns: runs(200) },
    );
  });

  it('the frame log of ffmpeg yields frames and intervals, and an interval without an end lasts until the end', () => {
    const log = frameLog(5_000);
    const lines = [
      'frame:0    pts:0       pts_time:0',
      'lavfi.scd.mafd=0.000',
      'lavfi.black_start=0',
      'frame:1    pts:512     pts_time:0.5',
      'lavfi.scd.mafd=12.500',
      'lavfi.scd.score=12.000',
      'lavfi.black_end=0.5',
      'lavfi.freezedetect.freeze_start=0.5',
      'nonsense',
    ];
    lines.forEach(log.line);
    const { frames, intervals } = log.end(9_000);
    expect(frames).to.deep.equal([
      { atMs: 5_000, motion: 0, score: 0 },
      { atMs: 5_500, motion: 12.5, score: 12 },
    ]);
    expect(intervals).to.deep.equal([
      { kind: 'black', startMs: 5_000, endMs: 5_500 },
      { kind: 'frozen', startMs: 5_500, endMs: 9_000 },
    ]);
  });
});
