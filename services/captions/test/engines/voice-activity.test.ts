import { expect } from 'chai';
import { keepSpeech, type Guess } from '../../src/outbound/engines/voice-activity.ts';

/** Words one after the other, each `ms` long. */
function row(texts: string, ms: number, confidence: number, from = 0, stretch = 0): Guess[] {
  return texts.split(' ').map((text, index) => ({
    ...{ text, confidence, stretch },
    startMs: from + index * ms,
    endMs: from + (index + 1) * ms,
  }));
}
function textOf(guesses: readonly Guess[]): string {
  return keepSpeech(guesses)
    .map(({ text }) => text)
    .join(' ');
}

describe('captions: what sounds spoken', () => {
  it('keeps words at the pace of speech', () => {
    expect(textOf(row('what your country can do', 330, 0.4))).to.equal('what your country can do');
  });

  it('leaves out the long words that a chord becomes, however sure the engine is', () => {
    expect(textOf(row('if they myths', 900, 1))).to.equal('');
  });

  it('leaves out the rows of short words that a melody becomes', () => {
    expect(textOf(row('the the the the the the the', 80, 0.9))).to.equal('');
  });

  it('leaves out what the engine does not believe itself', () => {
    expect(textOf(row('i have heard other of one', 300, 0.1))).to.equal('');
  });

  it('keeps one clear word, and asks more of it than of a sentence', () => {
    expect(textOf(row('goal', 400, 0.8))).to.equal('goal');
    expect(textOf(row('the', 400, 0.4))).to.equal('');
  });

  it('judges words between pauses by themselves', () => {
    const music = row('whew wheel', 1_600, 0.4);
    const speech = row('the crowd goes wild', 300, 0.8, 5_000);
    expect(textOf([...music, ...speech])).to.equal('the crowd goes wild');
  });

  it('believes nothing of a stretch of which nearly all was nonsense, and other stretches nonetheless', () => {
    const melody = row('the the the the the the the the the', 80, 0.9);
    const chance = row('two of the', 300, 0.5, 4_000);
    const speech = row('two of the', 300, 0.5, 20_000, 1);
    expect(textOf([...melody, ...chance])).to.equal('');
    expect(textOf([...melody, ...chance, ...speech])).to.equal('two of the');
  });

  it('has nothing to say about nothing', () => expect(keepSpeech([])).to.deep.equal([]));
});
