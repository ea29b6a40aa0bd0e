import { expect } from 'chai';
import fc from 'fast-check';
import { withoutInvented, type Segment } from '../../src/domain/speech/invented-words.ts';

/** Figures as speech in a stadium has them. */
const spoken = { noSpeech: 0.2, logProbability: -0.6, compression: 1.3 };

function line(text: string, figures: Partial<Segment> = {}): Segment {
  const words = text.split(' ').map((one, index) => ({
    ...{ text: ` ${one}`, confidence: 0.9 },
    startMs: index * 300,
    endMs: index * 300 + 300,
  }));
  return { words, ...spoken, ...figures };
}

function textsOf(segments: readonly Segment[]): string[] {
  return withoutInvented(segments).map(({ words }) => words.map(({ text }) => text.trim()).join(' '));
}

const anyLine = fc
  .record({
    text: fc.constantFrom('Thank you.', 'What a goal!', 'Defence!', "I'm sorry.", 'Tor!'),
    noSpeech: fc.double({ min: 0, max: 1, noNaN: true }),
    logProbability: fc.double({ min: -3, max: 0, noNaN: true }),
    compression: fc.double({ min: 0.2, max: 20, noNaN: true }),
  })
  .map(({ text, ...figures }) => line(text, figures));

describe('withoutInvented', () => {
  it('speech is kept, also where noise makes the model uncertain', () => {
    expect(textsOf([line('What a save!', { noSpeech: 0.38, logProbability: -1.26 })])).to.deep.equal(['What a save!']);
  });

  it('an uncertain phrase where nobody seems to speak is invented', () => {
    for (const figures of [
      { noSpeech: 0.65, logProbability: -1.84 },
      { noSpeech: 0.93, logProbability: -0.83 },
    ])
      expect(textsOf([line('Thank you.', figures)])).to.deep.equal([]);
  });

  it('a certain phrase is kept although the model first heard nobody', () => {
    expect(textsOf([line('Thank you.', { noSpeech: 0.7, logProbability: -0.3 })])).to.deep.equal(['Thank you.']);
  });

  it('text that repeats itself is invented, however certain the model is', () => {
    expect(textsOf([line('Oh, oh, oh, oh,', { logProbability: -0.1, compression: 11.6 })])).to.deep.equal([]);
  });

  it('text of the least likely words is invented, unless somebody surely speaks', () => {
    expect(textsOf([line("I'm not sure", { noSpeech: 0.5, logProbability: -2 })])).to.deep.equal([]);
    expect(textsOf([line("I'm not sure", { logProbability: -2 })])).to.have.length(1);
  });

  it('the same line three times in a row is invented, unless somebody surely speaks', () => {
    const again = (noSpeech: number) =>
      ['Thank you.', 'thank you', 'Thank you!'].map((text) => line(text, { noSpeech }));
    expect(textsOf(again(0.5))).to.deep.equal([]);
    expect(textsOf(again(0.1))).to.have.length(3);
    expect(textsOf(again(0.5).slice(1))).to.have.length(2);
  });

  it('what is kept is a part of what was found, in its order, and is kept again', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), (found) => {
        const kept = withoutInvented(found);
        const places = kept.map((segment) => found.indexOf(segment));
        expect(places).to.deep.equal(places.toSorted((one, other) => one - other));
        for (const { compression, noSpeech, logProbability } of kept) {
          expect(compression).to.be.at.most(2.4);
          if (noSpeech > 0.6) expect(logProbability).to.be.at.least(-0.8);
        }
      }),
    );
  });

  it('lines of which the model is certain are all kept', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), (found) => {
        const surer = found.map((segment) => ({ ...segment, noSpeech: 0, compression: 1, logProbability: 0 }));
        expect(withoutInvented(surer)).to.have.length(found.length);
      }),
    );
  });
});
