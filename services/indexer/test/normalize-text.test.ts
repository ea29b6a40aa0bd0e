import { expect } from 'chai';
import fc from 'fast-check';
import { normalizeText, restoreText } from '../src/domain/normalize-text.ts';

describe('the Unicode form of searched texts', () => {
  it('every form of a text is normalized to the same text', () => {
    for (const text of ['Ångström', '올림픽', 'ガンバ', 'Trận đấu', 'แม่น้ำ', 'ນໍ້າ', '½ ① ﬁ'])
      expect(new Set(['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => normalizeText(text.normalize(form)))).size).to.equal(
        1,
      );
  });

  it('normalizing twice changes nothing', () => {
    const character = fc.oneof(fc.nat(0xd7ff), fc.constantFrom(0xad, 0x301, 0xe4d, 0xe49, 0xe32, 0xec9, 0xecd, 0xeb2));
    const text = fc.array(character).map((codes) => String.fromCodePoint(...codes));
    fc.assert(fc.property(text, (given) => normalizeText(normalizeText(given)) === normalizeText(given)));
  });

  it('marks of a normalized text are moved to the same characters of the text as it was given', () => {
    const given: string = 'ＡＢ ﬁnal nu\u0303 ﾊﾞｽ';
    const text = normalizeText(given);
    const marked = (word: string): string => {
      const start = [...text.slice(0, text.indexOf(word))].length;
      const restored = restoreText({ text, marks: [{ start, end: start + [...word].length }] }, ['other', given]);
      expect(restored.text).to.equal(given);
      return restored.marks.map(({ start, end }) => [...given].slice(start, end).join('')).join('|');
    };
    expect(['AB', 'final', 'nũ', 'バス', 'ス'].map(marked)).to.deep.equal(['ＡＢ', 'ﬁnal', 'nu\u0303', 'ﾊﾞｽ', 'ｽ']);
  });

  it('a text that is not among the given ones stays unchanged', () => {
    const marked = { text: 'abc', marks: [{ start: 0, end: 1 }] };
    expect(restoreText(marked, ['abd'])).to.deep.equal(marked);
  });

  it('the mark of a full text is the full text as given', () => {
    const unit = fc.constantFrom(
      ...['a', 'é', '가', 'ガ'],
      'e\u0301',
      'ﾊﾞ',
      'ﬁ',
      'น\u0E4D\u0E49\u0E32',
      '\u00AD',
      '각'.normalize('NFD'),
      '🏆',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1 }), (units) => {
        const given = `x${units.join('')}x`;
        const text = normalizeText(given);
        const restored = restoreText({ text, marks: [{ start: 0, end: [...text].length }] }, [given]);
        expect(restored).to.deep.equal({ text: given, marks: [{ start: 0, end: [...given].length }] });
      }),
    );
  });
});
