/** Captions that came inside the partner's file. */
import { expect } from 'chai';
import fc from 'fast-check';
import { languagesOf, layOut } from '../../src/domain/provided.ts';

function cue(startMs: number, endMs: number, ...lines: string[]) {
  return { startMs, endMs, lines };
}

describe('captions inside a file', () => {
  it('a track has its own language, or the spoken one if none says that it is; a second one of a language is nobody’s', () => {
    const of = (...textLanguages: string[]) => languagesOf({ language: 'en', textLanguages });
    expect(of('eng', 'deu')).to.deep.equal(['en', 'de']);
    expect(of('', 'spa', '')).to.deep.equal(['en', 'es', undefined]);
    expect(of('', 'eng')).to.deep.equal([undefined, 'en']);
    expect(of('por', 'pt-BR', 'x"y', '')).to.deep.equal(['pt', undefined, 'en', undefined]);
  });

  it('lines and times stay the partner’s, and a sentence ends with its mark, a pause or its length', () => {
    const { cues, sentences } = layOut([
      cue(1_000, 2_000, 'The match', 'began'),
      cue(2_000, 3_000, 'in the rain.'),
      cue(3_100, 4_000, 'No one left'),
      cue(9_000, 9_500, '“Goal!”'),
      cue(9_500, 9_900, 'Again', '\u0000'),
    ]);
    expect(cues[0]).to.deep.equal({ startMs: 1_000, endMs: 2_000, lines: ['The match', 'began'] });
    expect(sentences.map(({ text }) => text)).to.deep.equal([
      'The match began in the rain.',
      'No one left',
      '“Goal!”',
      'Again',
    ]);
    expect(sentences[0]).to.deep.include({ startMs: 1_000, endMs: 3_000 });
    expect(sentences[0]?.cues).to.have.length(2);
  });

  it('every cue belongs to exactly one sentence, whatever the text', () => {
    const some = fc.array(
      fc.record({
        startMs: fc.nat(60_000),
        lines: fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 }),
      }),
    );
    fc.assert(
      fc.property(some, (given) => {
        const all = given
          .toSorted((a, b) => a.startMs - b.startMs)
          .map(({ startMs, lines }) => ({ startMs, endMs: startMs + 500, lines }));
        const { cues, sentences } = layOut(all);
        expect(sentences.flatMap((sentence) => sentence.cues)).to.deep.equal(
          cues.map(({ startMs, endMs }) => ({ startMs, endMs })),
        );
        for (const { text } of sentences) expect(text.length).to.be.at.most(2_000);
      }),
      { numRuns: 100 },
    );
  });
});
