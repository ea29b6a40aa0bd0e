import { expect } from 'chai';
import fc from 'fast-check';
import { costAt, geometricMean, kneeOf, marginalCosts, settle, type Point } from './knee.ts';

/** Rising curves whose gain a unit of cost falls from point to point. */
const concave = fc
  .array(fc.record({ cost: fc.integer({ min: 1, max: 1_000 }), slope: fc.integer({ min: 1, max: 1_000 }) }), {
    minLength: 2,
    maxLength: 12,
  })
  .map((steps) => {
    const slopes = steps.map(({ slope }) => slope).sort((one, other) => other - one);
    let at: Point = { cost: 10, gain: 5 };
    const rest = steps.map(({ cost }, index) => {
      at = { cost: at.cost + cost, gain: at.gain + cost * (slopes[index] ?? 0) };
      return at;
    });
    return [{ cost: 10, gain: 5 }, ...rest];
  });

describe('knee of a curve', () => {
  it('the knee is where a curve of two straight lines bends', () => {
    const bend = { cost: 3, gain: 60 };
    expect(kneeOf([{ cost: 9, gain: 66 }, { cost: 1, gain: 0 }, bend, { cost: 2, gain: 30 }])).to.equal(bend);
  });

  it('a straight line, one that bends the other way and a single point have no knee', () => {
    const line = [0, 1, 2, 3].map((at) => ({ cost: 0.1 * at, gain: 0.3 * at }));
    expect(kneeOf(line)).to.equal(undefined);
    expect(kneeOf(line.map(({ cost, gain }) => ({ cost, gain: gain ** 2 })))).to.equal(undefined);
    expect(kneeOf(line.slice(0, 1))).to.equal(undefined);
    expect(kneeOf([])).to.equal(undefined);
  });

  it('up to the knee every step gains more for its cost than the whole curve, and beyond it less', () => {
    fc.assert(
      fc.property(concave, (points) => {
        const knee = kneeOf(points);
        const [first, last] = [points[0], points.at(-1)];
        if (!knee || !first || !last) return;
        const whole = (last.cost - first.cost) / (last.gain - first.gain);
        const at = points.indexOf(knee);
        marginalCosts(points).forEach((cost, index) => {
          if (cost === undefined) return;
          if (index <= at) expect(cost).to.be.at.most(whole * (1 + 1e-9));
          else expect(cost).to.be.at.least(whole * (1 - 1e-9));
        });
      }),
    );
  });

  it('the knee depends neither on the order of points nor on the units and zero points of cost and gain', () => {
    const scale = fc.integer({ min: 1, max: 64 });
    fc.assert(
      fc.property(concave, scale, scale, fc.integer({ min: 0, max: 99 }), (points, across, up, zero) => {
        const moved = points.map(({ cost, gain }) => ({ cost: cost * across + zero, gain: gain * up - zero }));
        const place = points.findIndex((point) => point === kneeOf(points));
        expect(kneeOf(points.toReversed())).to.equal(points[place]);
        expect(kneeOf(moved)).to.equal(moved[place]);
      }),
    );
  });
});

describe('costs and settings of curves', () => {
  it('the cost at a measured gain is the measured one, and between two points their geometric mean at half the way', () => {
    const points = [
      { cost: 400, gain: 30 },
      { cost: 100, gain: 10 },
    ];
    expect(costAt(points, 10)).to.equal(100);
    expect(costAt(points, 20)).to.be.closeTo(200, 1e-9);
    expect(costAt(points, 30)).to.equal(400);
  });

  it('a curve is not continued beyond its ends', () => {
    expect(costAt([{ cost: 1, gain: 1 }], 2)).to.equal(undefined);
    expect(costAt([{ cost: 1, gain: 1 }], 0)).to.equal(undefined);
    expect(costAt([], 0)).to.equal(undefined);
  });

  it('a higher gain never costs less on a curve that rises', () => {
    fc.assert(
      fc.property(
        concave,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (points, one, other) => {
          const top = points.at(-1)?.gain ?? 5;
          const at = (share: number): number => costAt(points, Math.min(top, 5 + share * (top - 5))) ?? Number.NaN;
          expect(at(Math.min(one, other))).to.be.at.most(at(Math.max(one, other)) * (1 + 1e-9));
        },
      ),
    );
  });

  it('a setting between the knees stays, and one beside them gives way to the middle knee', () => {
    expect(settle(23, [26, 20, 26])).to.equal(23);
    expect(settle(23, [23])).to.equal(23);
    expect(settle(23, [29, 26, 26])).to.equal(26);
    expect(settle(23, [])).to.equal(23);
  });

  it('ratios and their inverses have means that cancel out', () => {
    expect(geometricMean([0.5, 2])).to.be.closeTo(1, 1e-12);
    expect(geometricMean([])).to.equal(undefined);
  });
});
