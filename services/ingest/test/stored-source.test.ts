import { expect } from 'chai';
import fc from 'fast-check';
import { gapsOf, startOf, tailOf, type Gap, type Source } from '../src/domain/stored-source.ts';

function sourceOf(total: number | undefined, partBytes: number, validator: string | undefined = '"v1"'): Source {
  return { key: 'videos/v/1/source.1/manifest', partBytes, validator, total };
}
/** The bytes of parts of a source of this length. */
function bytesOf(source: Source, total: number, { first, last }: Gap): number {
  return Math.min(startOf(source, last + 1), total) - startOf(source, first);
}
function numbersOf(gaps: readonly Gap[]): number[] {
  return gaps.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, n) => first + n));
}

describe('what is missing of a source', () => {
  const sized = fc
    .record({ total: fc.integer({ min: 0, max: 500 }), partBytes: fc.integer({ min: 1, max: 50 }) })
    .chain(({ total, partBytes }) => {
      const numbers = Array.from({ length: Math.ceil(total / partBytes) }, (_, n) => n + 1);
      return fc.record({
        total: fc.constant(total),
        partBytes: fc.constant(partBytes),
        stored: fc.shuffledSubarray(numbers),
      });
    });

  it('the gaps between any set of recorded parts never overlap them, and both together are the whole source', () => {
    fc.assert(
      fc.property(sized, ({ total, partBytes, stored }) => {
        const source = sourceOf(total, partBytes);
        const sizeOf = (number: number): number => bytesOf(source, total, { first: number, last: number });
        const gaps = gapsOf(
          source,
          stored.map((number) => ({ number, bytes: sizeOf(number) })),
        );
        const missing = numbersOf(gaps);
        expect(missing).to.deep.equal([...new Set(missing)].toSorted((a, b) => a - b));
        expect([...missing, ...stored].toSorted((a, b) => a - b)).to.deep.equal(
          Array.from({ length: Math.ceil(total / partBytes) }, (_, n) => n + 1),
        );
        const bytes = gaps.reduce((sum, gap) => sum + bytesOf(source, total, gap), 0);
        expect(stored.reduce((sum, number) => sum + sizeOf(number), bytes)).to.equal(total);
        // Neighbours are one gap, which one request covers.
        for (const [at, { first }] of gaps.entries()) expect(first).to.be.above((gaps[at - 1]?.last ?? -1) + 1);
      }),
    );
  });

  it('of a source of unknown length everything behind its whole parts is missing, and nothing behind a shorter one', () => {
    const source = sourceOf(undefined, 10);
    expect(gapsOf(source, [])).to.deep.equal([{ first: 1, last: Infinity }]);
    const whole = [1, 2].map((number) => ({ number, bytes: 10 }));
    expect(gapsOf(source, whole)).to.deep.equal([{ first: 3, last: Infinity }]);
    expect(gapsOf(source, [...whole, { number: 3, bytes: 4 }])).to.deep.equal([]);
  });

  it('the tail is the last two parts of a source of four and more that can be asked for by its validator', () => {
    expect(tailOf(sourceOf(31, 10))).to.deep.equal({ first: 3, last: 4 });
    expect(tailOf(sourceOf(40, 10))).to.deep.equal({ first: 3, last: 4 });
    expect(tailOf(sourceOf(30, 10))).to.equal(undefined);
    expect(tailOf(sourceOf(undefined, 10))).to.equal(undefined);
    expect(tailOf({ ...sourceOf(31, 10), validator: undefined })).to.equal(undefined);
  });
});
