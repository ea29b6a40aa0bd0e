import { expect } from 'chai';
import fc from 'fast-check';
import { isBlank, refusalOfText } from '../src/domain/text-rules.ts';

describe('texts', () => {
  it('with U+0000 are refused', () => {
    expect(refusalOfText('title', 'a\u0000b')).to.equal('title must not contain the character U+0000');
  });

  it('with half of a surrogate pair are refused', () => {
    for (const text of ['\ud83d', 'a\udc00', '\udc00\ud83d'])
      expect(refusalOfText('summary', text)).to.include('surrogate');
  });

  it('of every other kind are kept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('\u0000'));
        expect(refusalOfText('title', text)).to.equal(undefined);
      }),
    );
  });

  it('are blank when they are white space alone', () => {
    for (const text of ['', ' ', '\t\r\n', '\u00a0\u2003\u3000\u2028\u0085']) expect(isBlank(text)).to.equal(true);
    for (const text of ['a', ' . ', '\u200b', '\ufeff', '😀'])
      expect(isBlank(text), JSON.stringify(text)).to.equal(false);
  });
});
