import { expect } from 'chai';
import fc from 'fast-check';
import { planPieces, lowerBound, nominalCuts, whole, type Piece } from '../../src/domain/plan/pieces.ts';
import type { FrameScan } from '../../src/domain/source/frame-scan.ts';
import { makeTimeline } from '../../src/domain/source/timeline.ts';
import { probeOf, scanOf } from './probe-of.ts';

const probe = probeOf({ tick: 0.001 });

/** Pictures with gaps as listed, with key pictures according to `keys`. */
function picturesAt(start: number, gaps: readonly number[], keys: readonly boolean[]): FrameScan {
  const times = new Float64Array(gaps.length);
  gaps.reduce((time, gap, index) => {
    times[index] = time;
    return time + gap;
  }, start);
  return scanOf({
    times,
    keys: times.filter((_time, index) => index === 0 || (keys[index % keys.length] ?? false)),
    end: (times.at(-1) ?? 0) + (gaps.at(-1) ?? 0),
  });
}

const scans = fc
  .record({
    start: fc.integer({ min: -5_000, max: 90_000 }),
    gaps: fc.array(fc.oneof({ weight: 9, arbitrary: fc.constant(40) }, fc.integer({ min: 2, max: 4_000 })), {
      minLength: 2,
      maxLength: 800,
    }),
    keys: fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
  })
  .map(({ start, gaps, keys }) =>
    picturesAt(
      start / 1_000,
      gaps.map((gap) => gap / 1_000),
      keys,
    ),
  )
  // Where the frame rate is reduced, cuts lie on the delivered grid instead.
  .filter((scan) => !makeTimeline(probe, scan).thinned);

function plan(scan: FrameScan, pieceSeconds = 3): { pieces: Piece[]; zero: number } {
  const timeline = makeTimeline(probe, scan);
  return { pieces: planPieces(scan, timeline, { wholeBelowSeconds: 4, pieceSeconds }), zero: timeline.zero };
}

/** Whether the filter graph would choose the picture. */
function holds({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: Piece, time: number): boolean {
  return time >= from && time < to;
}

describe('planPieces', () => {
  it('a video of which no part can be decoded by itself stays whole', () => {
    const gaps = Array.from({ length: 500 }, () => 0.04);
    const scan = picturesAt(0, gaps, [true]);
    expect(plan(scan).pieces).to.have.length.above(1);
    expect(plan({ ...scan, indivisible: true }).pieces).to.have.lengthOf(1);
  });

  it('every picture belongs to exactly one piece, and every piece counts its pictures right', () => {
    fc.assert(
      fc.property(scans, (scan) => {
        const { pieces, zero } = plan(scan);
        const owners = [...scan.times].map((time) => pieces.filter((piece) => holds(piece, time - zero)));
        expect(owners.every((found) => found.length === 1)).to.equal(true);
        for (const piece of pieces)
          expect(owners.filter(([owner]) => owner === piece).length + piece.repeats.length).to.equal(piece.frames);
      }),
    );
  });

  it('cuts lie so far from every picture that rounding to a millisecond moves none across', () => {
    fc.assert(
      fc.property(scans, (scan) => {
        const { pieces, zero } = plan(scan);
        for (const { from } of pieces)
          for (const time of from === undefined ? [] : scan.times)
            expect(Math.abs(time - zero - (from ?? 0))).to.be.at.least(0.000_99);
      }),
    );
  });

  it('a piece is copied from a key picture before it to one after it', () => {
    fc.assert(
      fc.property(scans, (scan) => {
        const { pieces, zero } = plan(scan);
        for (const { from, to, copyFrom, copyTo } of pieces) {
          // Without a start position, a copy begins with the file.
          if (copyFrom !== undefined) expect([...scan.keys]).to.include(copyFrom);
          if (copyFrom !== undefined) expect(copyFrom).to.be.at.most((from ?? 0) + zero);
          if (copyTo !== undefined) expect(copyTo).to.be.greaterThan((to ?? 0) + zero);
        }
      }),
    );
  });

  it('each piece lasts until the first picture of the next one', () => {
    fc.assert(
      fc.property(scans, (scan) => {
        const { pieces, zero } = plan(scan);
        pieces.slice(1).forEach((piece, index) => {
          const first = scan.times.find((time) => holds(piece, time - zero)) ?? Number.NaN;
          expect(pieces[index]?.until).to.be.closeTo(first - zero, 1e-9);
        });
      }),
    );
  });

  it('no segment is much longer than usual, as pictures that are held are repeated, and no picture twice', () => {
    fc.assert(
      fc.property(scans, (scan) => {
        const { pieces, zero } = plan(scan);
        const shown = [...scan.times].map((time) => time - zero);
        const all = [...shown, ...pieces.flatMap(({ repeats }) => repeats)].toSorted((one, other) => one - other);
        const end = pieces.at(-1)?.until ?? 0;
        for (let at = 6; at + 1 < end; at += 6)
          expect(all.some((time) => time >= at - 0.02 && time <= at + 1.001)).to.equal(true);
        expect(new Set(all).size).to.equal(all.length);
      }),
    );
  });

  it('a video that is encoded as one piece after all repeats the same pictures', () => {
    const scan = picturesAt(0, [0.04, 9, 0.04, 20, 0.04], [true]);
    const timeline = makeTimeline(probe, scan);
    const pieces = planPieces(scan, timeline, { wholeBelowSeconds: 4, pieceSeconds: 6 });
    const [one] = planPieces(scan, timeline, { wholeBelowSeconds: 4_000, pieceSeconds: 6 });
    expect(pieces).to.have.lengthOf.above(1);
    expect(whole(pieces, timeline)).to.deep.equal([one]);
  });

  it('a video is not cut further than 45 seconds behind a key picture', () => {
    const far = Array.from({ length: 5_000 }, () => 0.04);
    const cuts = plan(picturesAt(0, far, [false]), 60).pieces.slice(1);
    expect(cuts.map(({ from = 0 }) => Math.round(from))).to.deep.equal([12, 42]);
  });

  it('the first piece is short, and so are those of the last minutes', () => {
    expect(nominalCuts(180, 60)).to.deep.equal([12, 42, 72, 102, 132, 162]);
    expect(nominalCuts(600, 60).slice(0, 4)).to.deep.equal([12, 72, 132, 192]);
    expect(nominalCuts(600, 60).slice(-4)).to.deep.equal([492, 522, 552, 582]);
  });

  it('cuts rise, lie on the grid of segments, and leave no piece longer than usual by more than half a short one', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 20_000, noNaN: true }), fc.integer({ min: 1, max: 20 }), (end, segments) => {
        const usual = segments * 6;
        const cuts = nominalCuts(end, usual);
        const lengths = [...cuts, end].map((cut, index) => cut - (cuts[index - 1] ?? 0));
        expect(lengths.every((length) => length > 0 && length <= 1.5 * usual)).to.equal(true);
        expect(cuts.every((cut) => cut % 6 === 0)).to.equal(true);
      }),
    );
  });

  it('a short video stays whole', () => {
    const gaps = Array.from({ length: 1_500 }, () => 0.04);
    expect(plan(picturesAt(0, gaps.slice(0, 90), [true])).pieces).to.have.length(1);
    expect(plan(picturesAt(0, gaps, [true])).pieces).to.have.length(20);
  });

  it('lowerBound finds the first value that is not below the wanted one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (values, wanted) => {
        const sorted = Float64Array.from(values).sort();
        expect(lowerBound(sorted, wanted)).to.equal(sorted.filter((value) => value < wanted).length);
      }),
    );
  });
});
