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

describe('captions: punctuation of words', () => {
  it('comes back from the whole text, with its capitals', () => {
    expect(punctuated('it is 3 2 said mr o neill', 'It is 3-2, said Mr. O’Neill.')).to.equal(
      'It is 3 2 said Mr. o neill',
    );
    expect(punctuated('goal what a game', '“Goal! What a game…”')).to.equal('“Goal! What a game…”');
  });

  it('comes back after words that are missing on either side', () => {
    expect(punctuated('one three extra four', 'One, two, three, four.')).to.equal('One, three, extra four.');
  });

  it('takes each word of the text once', () => {
    expect(punctuated('two two', 'One, two. Two!')).to.equal('two. Two!');
  });

  it('leaves a script without spaces as it is', () => {
    expect(punctuated('監督 は 言った', '監督は言った。')).to.equal('監督 は 言った');
  });
});
