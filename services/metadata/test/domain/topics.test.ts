/** Topics and subjects from words. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import type { Description } from '../../src/domain/model.ts';
import { gatherPieces, type Piece } from '../../src/domain/topics/places.ts';
import { findTopics } from '../../src/domain/topics/phrases.ts';
import { subjectLabels } from '../../src/domain/topics/subjects.ts';
import { categoryTerms, sportTerms } from '../../src/domain/topics/vocabulary.ts';
import { stopWordsOf } from '../../src/outbound/stop-words.ts';

const english = stopWordsOf('en');
const description: Description = { title: 'A title', tags: [], languageCode: 'en' };
function spoken(...texts: string[]): Piece[] {
  return texts.map((text, index) => ({ where: 'transcript', text, atMs: index * 1_000 }));
}
function namesOf(pieces: readonly Piece[], language = 'en'): string[] {
  return findTopics(pieces, language, stopWordsOf(language), 20).map(({ name }) => name);
}
function labelsOf(pieces: readonly Piece[], about = description) {
  return subjectLabels(about, pieces).map(({ name, source, confidence }) => ({ name, source, confidence }));
}

const anyPiece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({
    where: fc.constantFrom('title' as const, 'summary' as const, 'tags' as const),
    text: fc.string({ unit: 'grapheme', maxLength: 200 }),
  }),
  fc.record({
    where: fc.constantFrom('transcript' as const, 'screen' as const),
    text: fc.lorem({ maxCount: 12 }),
    atMs: fc.nat(1_000_000),
  }),
);

describe('topics', () => {
  it('topics are at most twenty, best first, each with evidence, and the same for the same words', () => {
    fc.assert(
      fc.property(
        fc.array(anyPiece, { maxLength: 60 }),
        fc.constantFrom('en', 'es', 'ja', 'xx'),
        (pieces, language) => {
          const topics = findTopics(pieces, language, english, 20);
          expect(topics).to.deep.equal(findTopics(pieces, language, english, 20));
          expect(topics.length).to.be.at.most(20);
          expect(new Set(topics.map(({ name }) => name)).size).to.equal(topics.length);
          topics.slice(1).forEach(({ score }, index) => expect(score).to.be.at.most(topics[index]?.score ?? 0));
          for (const { score, evidence } of topics) {
            expect(score).to.be.within(0, 1);
            expect(evidence.length).to.be.within(1, 5);
            for (const { text } of evidence) expect([...text].length).to.be.at.most(120);
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('topics of punctuated speech have no marks and no elided articles, whatever their case', () => {
    const names = namesOf(spoken("L'équipe de Dupont, enfin !", "Quelle équipe\u00a0? L'équipe de Dupont."), 'fr');
    expect(names).to.include.members(['équipe', 'dupont']);
    expect(names.join()).to.not.match(/['’.!?,]{2}|l['’]/);
    expect(namesOf(spoken("D'Angelo Russell scores.", "It is D'Angelo Russell!"))).to.include("d'angelo russell");
  });

  it('topics of the title come before those of the transcript', () => {
    const pieces = gatherPieces(
      { ...description, title: 'Cup final highlights' },
      { language: 'en', sentences: [{ startMs: 4_000, endMs: 5_000, text: 'a wonderful bicycle kick' }] },
      [],
    );
    const topics = findTopics(pieces, 'en', english, 20);
    expect(topics[0]?.name).to.equal('cup final highlights');
    expect(topics.map(({ name }) => name)).to.include('wonderful bicycle kick');
    expect(topics.at(-1)?.evidence).to.deep.equal([
      { where: 'transcript', text: 'a wonderful bicycle kick', atMs: 4_000 },
    ]);
  });

  it('topics contain no stop words of the language of the text', () => {
    expect(namesOf(spoken('und die Mannschaft', 'und die Mannschaft'), 'de')).to.deep.equal(['mannschaft']);
    expect(namesOf(spoken('el equipo de la ciudad', 'el equipo de la ciudad'), 'es')).to.have.members([
      'equipo',
      'ciudad',
    ]);
    expect(namesOf([{ where: 'title', text: '東京マラソン大会' }], 'ja').length).to.be.greaterThan(0);
  });
});

describe('subjects', () => {
  it('the sport and category of the partner are the labels, whatever the words indicate', () => {
    const about = { ...description, sport: 'tennis', category: 'comedy' };
    expect(labelsOf(spoken('touchdown by the quarterback'), about)).to.deep.equal([
      { name: 'sport:tennis', source: 'partner', confidence: 1 },
      { name: 'category:comedy', source: 'partner', confidence: 1 },
    ]);
  });

  it('a sport and its category are inferred from words, with less confidence than those of the partner', () => {
    const [sport, category] = labelsOf(spoken('the quarterback throws', 'what a touchdown', 'another touchdown'));
    expect(sport).to.deep.include({ name: 'sport:american_football', source: 'transcript' });
    expect(sport?.confidence).to.be.within(0.3, 0.9);
    expect(category?.name).to.equal('category:sports');
  });

  it('no sport is inferred where the words indicate none or several', () => {
    expect(labelsOf(spoken('a pleasant day in the mountains'))).to.deep.equal([]);
    expect(
      labelsOf(spoken('goal', 'penalty', 'court', 'pitch')).filter(({ name }) => name.startsWith('sport:')),
    ).to.deep.equal([]);
    const both = labelsOf(spoken('a puck and a quarterback and a wicket and a birdie'));
    expect(both.filter(({ name }) => name.startsWith('sport:'))).to.deep.equal([]);
  });

  it('every sport and category of the interface has terms, and each sport is inferred from its first two', () => {
    expect(Object.keys(sportTerms)).to.have.length(30);
    expect(Object.keys(categoryTerms)).to.have.length(15);
    for (const [name, { sure }] of Object.entries(sportTerms)) {
      const [first = '', second = ''] = sure;
      const [label] = labelsOf([{ where: 'title', text: `${first} ${second}` }]);
      expect(label?.name, name).to.equal(`sport:${name}`);
    }
  });
});
