import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { makeChapters, quoteAt, type ChapterInput } from '../../src/domain/chapters.ts';
import { forApps } from '../../src/domain/for-apps.ts';
import type { Sentence } from '../../src/domain/model.ts';
import { stopWordsOf } from '../../src/outbound/stop-words.ts';

const MINUTE_MS = 60_000;

/** Four things that are talked about, with words of their own. */
const subjects: readonly (readonly [string, string, string, string])[] = [
  ['The lineups are announced', 'Rossi returns as captain', 'the bench has three keepers', 'a new formation tonight'],
  ['Heavy rain floods the pitch', 'umbrellas in the stands', 'the groundsmen sweep water', 'lightning near the tower'],
  ['Penalty after a handball', 'the referee checks video', 'protests around the spot', 'she converts the penalty'],
  ['The trophy is lifted', 'medals and confetti', 'the champions dance', 'fireworks over the roof'],
];

/** A sentence every five seconds, each subject for as long as its turn in `minutes` says, with a pause between them. */
function commentary(minutes: readonly number[]): { readonly sentences: Sentence[]; readonly turnsMs: number[] } {
  const sentences: Sentence[] = [];
  const turnsMs: number[] = [];
  let at = 0;
  minutes.forEach((minute, turn) => {
    turnsMs.push(at);
    const phrases = subjects[turn % subjects.length] ?? [];
    for (const end = at + minute * MINUTE_MS; at < end; at += 5_000)
      sentences.push({ startMs: at, endMs: at + 4_500, text: `${phrases[(at / 5_000) % 4] ?? ''}.` });
  });
  return { sentences, turnsMs };
}

function inputOf(sentences: readonly Sentence[], more: Partial<ChapterInput> = {}): ChapterInput {
  const durationMs = sentences.at(-1)?.endMs ?? MINUTE_MS;
  return {
    ...{ durationMs, scenes: [], intervals: [], topics: [] },
    transcript: { language: 'en', sentences },
    stopWords: stopWordsOf('en'),
    ...more,
  };
}

const MAX_MS = 3_600_000;
const span = fc.record({ startMs: fc.nat(MAX_MS), lengthMs: fc.nat(60_000) });
const spans = fc
  .array(span, { maxLength: 200 })
  .map((all) => all.map(({ startMs, lengthMs }) => ({ startMs, endMs: startMs + lengthMs })));
/** Hostile ones: in any order, overlapping, empty, beyond the end, with any text. */
const inputs = fc.record({
  durationMs: fc.nat(MAX_MS),
  scenes: spans,
  intervals: spans.map((all) => all.map((one) => ({ ...one, kind: 'silent' }))),
  sentences: fc.array(fc.tuple(span, fc.oneof(fc.lorem(), fc.string({ unit: 'binary' }))), {
    minLength: 30,
    maxLength: 300,
  }),
  topics: fc.array(fc.record({ name: fc.lorem({ maxCount: 2 }), score: fc.constant(0.5), atMs: fc.nat(MAX_MS) }), {
    maxLength: 20,
  }),
});

describe('made chapters', () => {
  it('chapters begin at 0, follow each other to the end, are a minute long each, and at most 40', () => {
    fc.assert(
      fc.property(inputs, ({ durationMs, scenes, intervals, sentences: given, topics }) => {
        const sentences = given.map(([{ startMs, lengthMs }, text]) => ({ startMs, endMs: startMs + lengthMs, text }));
        const chapters = makeChapters({
          ...{ durationMs, scenes, intervals, stopWords: stopWordsOf('en') },
          topics: topics.map(({ atMs, ...topic }) => ({
            ...topic,
            evidence: [{ where: 'transcript', text: topic.name, atMs }],
          })),
          transcript: { language: 'en', sentences },
        });
        expect(chapters.length).to.be.at.most(40).and.not.equal(1);
        chapters.forEach(({ startMs, endMs, title, titles, titleAtMs = -1, origin }, index) => {
          expect(startMs).to.equal(index === 0 ? 0 : chapters[index - 1]?.endMs);
          expect(endMs - startMs).to.be.at.least(MINUTE_MS);
          expect([...title].length).to.be.at.most(80);
          expect(origin).to.equal('made');
          if (title === '') return expect(titles).to.deep.equal([]);
          expect(titleAtMs).to.be.within(startMs, endMs - 1);
          const said = sentences
            .filter((one) => one.startMs === titleAtMs)
            .map(({ text }) => text.replaceAll(/\s+/g, ' '));
          expect(said.some((text) => text.includes(title.replace(/…$/, '')))).to.equal(true);
          return expect(titles).to.deep.equal([{ languageCode: 'en', title }]);
        });
        if (chapters.length > 0) expect(chapters.at(-1)?.endMs).to.equal(durationMs);
      }),
      { numRuns: runs(200) },
    );
  });

  it('each of four subjects is a chapter, which begins where its first sentence does and quotes it', () => {
    const { sentences, turnsMs } = commentary([3, 4, 2, 3]);
    const chapters = makeChapters(inputOf(sentences));
    expect(chapters.map(({ startMs }) => startMs)).to.deep.equal(turnsMs);
    chapters.forEach(({ title }, turn) => expect(subjects[turn]).to.include(title));
  });

  it('a chapter begins at the cut in the pause before it', () => {
    const { sentences, turnsMs } = commentary([3, 3]);
    const cutMs = (turnsMs[1] ?? 0) - 300;
    const scenes = [
      { startMs: 0, endMs: cutMs },
      { startMs: cutMs, endMs: 360_000 },
    ];
    expect(makeChapters(inputOf(sentences, { scenes })).map(({ startMs }) => startMs)).to.deep.equal([0, cutMs]);
  });

  it('a short video, and one in which nothing is said, have none', () => {
    expect(makeChapters(inputOf(commentary([1, 1]).sentences))).to.deep.equal([]);
    expect(makeChapters(inputOf([], { durationMs: 3_600_000 }))).to.deep.equal([]);
  });

  it('a game of six hours, with a sentence a second, takes less than five seconds', () => {
    const { sentences } = commentary(Array.from({ length: 120 }, () => 3));
    const dense = sentences.flatMap(({ startMs, text }) =>
      [0, 1_000, 2_000, 3_000].map((after) => ({ startMs: startMs + after, endMs: startMs + after + 900, text })),
    );
    const startedAt = performance.now();
    expect(makeChapters(inputOf(dense)).length).to.be.within(20, 40);
    expect(performance.now() - startedAt).to.be.below(5_000);
  });
});

describe('chapters for apps', () => {
  it('a title in each language is what its captions say at the second of the quote, and no vector is handed out', () => {
    const document = {
      ...{ videoId: 'v', attempt: 1, revision: 0, scenes: [], shots: [], intervals: [], screenTexts: [], topics: [] },
      ...{ labels: [], hasTranscript: true, keyMoments: [], embeddingModel: 'e5' },
      passages: [{ vector: Buffer.from('secret') }],
      chapters: [
        { startMs: 0, endMs: 9, title: 'Opening', origin: 'file', titles: [] },
        {
          startMs: 9,
          endMs: 99,
          title: 'Goal',
          origin: 'made',
          titles: [{ languageCode: 'en', title: 'Goal' }],
          titleAtMs: 20,
        },
      ],
    };
    const said = (text: string, startMs: number) => [{ startMs, endMs: startMs + 10, text }];
    const translations = [
      { language: 'es', sentences: [...said('Nada.', 0), ...said('Gol.', 20)] },
      { language: 'fr', sentences: said('But', 40) },
    ];
    const { chapters, passages, embeddingModel } = forApps(document, translations);
    expect([passages, embeddingModel]).to.deep.equal([[], '']);
    expect(chapters.map(({ titles }) => titles)).to.deep.equal([
      [],
      [
        { languageCode: 'en', title: 'Goal' },
        { languageCode: 'es', title: 'Gol' },
      ],
    ]);
  });

  it('a long quote is cut between words, and one of a script without spaces anywhere', () => {
    const quote = (text: string) => quoteAt([{ startMs: 0, endMs: 1, text }], 0) ?? '';
    expect(quote('word '.repeat(50))).to.equal(`${'word '.repeat(14)}word…`);
    expect([...quote('決勝'.repeat(60))]).to.have.length.within(40, 80);
    expect(quoteAt([{ startMs: 0, endMs: 1, text: ' . ' }], 0)).to.equal(undefined);
  });
});
