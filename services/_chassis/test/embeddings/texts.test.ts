import { expect } from 'chai';
import fc from 'fast-check';
import { hostileTexts } from '@vds/testkit/hostile-texts';
import { cleanText, quantize, withPrefix } from '../../src/embeddings/texts.ts';

describe('texts that are embedded', () => {
  it('whatever a text has, an engine gets well formed Unicode without control characters, at most 1200 characters', () => {
    const check = (text: string): void => {
      const clean = cleanText(text);
      expect(clean.length).to.be.within(1, 1_200);
      expect(clean.isWellFormed()).to.equal(true);
      expect(clean).not.to.match(/[\p{Cc}\uFFFD]/u);
      // The engine's own table makes eighteen characters of this one.
      expect(clean).not.to.include('\uFDFA');
    };
    for (const { text } of hostileTexts(48)) check(text);
    check('\uFDFA'.repeat(5_000));
    check(`${'a'.repeat(1_199)}\u{1F600}`);
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 4_000 }), check));
    expect(cleanText('  late\u0000 winner\n')).to.equal('late winner');
  });

  it('a vector keeps its direction at unit length, in one byte a dimension', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 400 });
    fc.assert(
      fc.property(values, (vector) => {
        const kept = quantize(vector);
        const length = Math.hypot(...vector);
        if (length === 0) return void expect(kept).to.equal(undefined);
        for (const [at, value] of vector.entries())
          expect(kept?.[at]).to.be.closeTo((127 * value) / length, 0.5 + 1e-6);
      }),
    );
    expect(quantize([Number.NaN, 1])).to.equal(undefined);
    expect(quantize([Infinity, 1])).to.equal(undefined);
  });

  it('models of the family E5 get the kind of the text before it, others the text alone', () => {
    expect(withPrefix('intfloat/multilingual-e5-small', 'query', 'goal')).to.equal('query: goal');
    expect(withPrefix('bge-m3', 'query', 'goal')).to.equal('goal');
  });
});
