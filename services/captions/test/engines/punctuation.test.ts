import { expect } from 'chai';
import { withPunctuation } from '../../src/outbound/engines/punctuation.ts';

function words(texts: string) {
  return texts.split(' ').map((text, index) => ({ text, startMs: index, endMs: index + 1, confidence: null }));
}
function punctuated(texts: string, text: string): string {
  return withPunctuation(words(texts), text)
    .map((word) => word.text)
    .join(' ');
}

describe('withPunctuation', () => {
  it('words get the punctuation and capitals of the whole text', () => {
    expect(punctuated('it is 3 2 said mr o neill', 'It is 3-2, said Mr. O’Neill.')).to.equal(
      'It is 3 2 said Mr. o neill',
    );
    expect(punctuated('goal what a game', '“Goal! What a game…”')).to.equal('“Goal! What a game…”');
  });

  it('punctuation is restored after words that are missing on either side', () => {
    expect(punctuated('one three extra four', 'One, two, three, four.')).to.equal('One, three, extra four.');
  });

  it('each word of the text is used once', () => {
    expect(punctuated('two two', 'One, two. Two!')).to.equal('two. Two!');
  });

  it('a script without spaces stays as it is', () => {
    expect(punctuated('監督 は 言った', '監督は言った。')).to.equal('監督 は 言った');
  });
});
