import { expect } from 'chai';
import { compare, sampleOf, T_BOUND, welchT } from './welch.ts';

/** Evenly spread over ±1 around a mean, in an order without information. */
function around(mean: number, n: number): number[] {
  return Array.from({ length: n }, (_, index) => mean - 1 + (2 * ((index * 7_919) % n)) / (n - 1));
}

describe('Welch’s t', () => {
  it('Welch’s t of two samples equals the textbook’s', () => {
    const a = sampleOf([27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4]);
    const b = sampleOf([27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4]);
    expect(a.mean).to.be.closeTo(20.82, 0.01);
    expect(welchT(a, b)).to.be.closeTo(-2.46, 0.01);
  });

  it('Welch’s t detects a small difference of means, and none if there is none', () => {
    expect(Math.abs(compare(around(10, 2_000), around(10.1, 2_000), 1).t)).to.be.greaterThan(T_BOUND);
    expect(Math.abs(compare(around(10, 2_000), around(10, 2_000), 1).t)).to.be.lessThan(0.01);
  });

  it('both samples are cut at the same value', () => {
    const tail = [...around(10, 1_000), ...Array.from({ length: 1_000 }, () => 500)];
    const { a, b } = compare(tail, around(10, 2_000), 0.5);
    expect([a.n, b.n].every((n) => n > 500)).to.equal(true);
    expect(a.mean).to.be.lessThan(10);
  });
});
