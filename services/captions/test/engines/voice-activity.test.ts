import { expect } from 'chai';
import { keepSpeech, type Guess } from '../../src/outbound/engines/voice-activity.ts';

/** Words one after the other, each `ms` long. */
function row(texts: string, ms: number, confidence: number, from = 0, segment = 0): Guess[] {
  return texts.split(' ').map((text, index) => ({
    ...{ text, confidence, segment },
    startMs: from + index * ms,
    endMs: from + (index + 1) * ms,
  }));
}
function textOf(guesses: readonly Guess[]): string {
  return keepSpeech(guesses)
    .map(({ text }) => text)
    .join(' ');
}

describe('keepSpeech', () => {
  it('words at the pace of speech are kept', () => {
    expect(textOf(row('what your country can do', 330, 0.4))).to.equal('what your country can do');
  });

  it('the long words that a chord becomes are dropped, whatever the engine’s confidence', () => {
    expect(textOf(row('if they myths', 900, 1))).to.equal('');
  });

  it('the series of short words that a melody becomes is dropped', () => {
    expect(textOf(row('the the the the the the the', 80, 0.9))).to.equal('');
  });

  it('words of low confidence are dropped', () => {
    expect(textOf(row('i have heard other of one', 300, 0.1))).to.equal('');
  });

  it('one clear word is kept, at a higher confidence than a sentence needs', () => {
    expect(textOf(row('goal', 400, 0.8))).to.equal('goal');
    expect(textOf(row('the', 400, 0.4))).to.equal('');
  });

  it('words between pauses are judged separately', () => {
    const music = row('whew wheel', 1_600, 0.4);
    const speech = row('the crowd goes wild', 300, 0.8, 5_000);
    expect(textOf([...music, ...speech])).to.equal('the crowd goes wild');
  });

  it('a segment of which nearly all was dropped is dropped whole, other segments are kept', () => {
    const melody = row('the the the the the the the the the', 80, 0.9);
    const chance = row('two of the', 300, 0.5, 4_000);
    const speech = row('two of the', 300, 0.5, 20_000, 1);
    expect(textOf([...melody, ...chance])).to.equal('');
    expect(textOf([...melody, ...chance, ...speech])).to.equal('two of the');
  });

  it('no guesses yield no speech', () => expect(keepSpeech([])).to.deep.equal([]));
});
