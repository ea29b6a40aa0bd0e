import { expect } from 'chai';
import fc from 'fast-check';
import { textError } from '../src/domain/text-rules.ts';

describe('texts', () => {
  it('with half of a surrogate pair are refused', () => {
    for (const text of ['\ud83d', 'a\udc00', '\udc00\ud83d'])
      expect(textError('summary', text)).to.include('surrogate');
  });

  it('of every other kind are kept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(textError('title', text)).to.equal(undefined);
      }),
    );
  });
});
