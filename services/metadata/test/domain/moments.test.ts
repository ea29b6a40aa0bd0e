/** Key moments, from made measurements. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import type { AnalyzedShot, AnalyzedText } from '../../src/domain/analysis.ts';
import { findKeyMoments, type MomentsInput } from '../../src/domain/moments/key-moments.ts';
import { replayEvidence } from '../../src/domain/moments/replays.ts';
import { scoreEvidence } from '../../src/domain/moments/score-changes.ts';
import { hearWords } from '../../src/domain/moments/words.ts';
import { repeatsOf, slowShots } from '../../src/domain/picture/slow-motion.ts';
import { crowdRises } from '../../src/domain/sound/loudness.ts';

const MINUTES = 4;
const quiet: AnalyzedSecond = [-40, 57, 8, 2, 0];
const roar: AnalyzedSecond = [-26, 57, 8, 2, 0];
/** A voice over the quiet crowd, and over the roar. */
const voice: AnalyzedSecond = [-21, 50, 65, 12, 30];
const voiceInRoar: AnalyzedSecond = [-19, 56, 22, 5, 0];

function secondsWith(changes: Readonly<Record<number, AnalyzedSecond>>): AnalyzedSecond[] {
  return Array.from({ length: MINUTES * 60 }, (_second, at) => changes[at] ?? quiet);
}

function fill(from: number, to: number, second: AnalyzedSecond): Record<number, AnalyzedSecond> {
  return Object.fromEntries(Array.from({ length: to - from }, (_second, at) => [from + at, second]));
}

function board(text: string, from: number, to: number): AnalyzedText {
  return { text, startMs: from * 1_000, endMs: to * 1_000, confidence: 0.9, box: [40, 40, 200, 50] };
}

function shot(from: number, to: number, repeats = 0): AnalyzedShot {
  return {
    ...{ startMs: from * 1_000, endMs: to * 1_000, cut: true, certainty: 1, colours: [], motion: 10, pan: 0, flat: 0 },
    ...{ brightness: 100, thumbnailMs: from * 1_000, thumbnailWorth: 1, repeats },
  };
}

function said(text: string, at: number, language = 'en'): NonNullable<MomentsInput['transcript']> {
  return { language, sentences: [{ text, startMs: at * 1_000, endMs: at * 1_000 + 3_000 }] };
}

const nothing: MomentsInput = {
  ...{ durationMs: MINUTES * 60_000, seconds: secondsWith({}), shots: [], texts: [], prints: [] },
  transcript: undefined,
};

/** Goals, some of them close together, which are all called. */
const manyGoals: fc.Arbitrary<MomentsInput> = fc
  .array(fc.integer({ min: 15, max: 60 }), { minLength: 25, maxLength: 40 })
  .map((steps) => {
    const starts = steps.map((_step, at) => steps.slice(0, at + 1).reduce((sum, step) => sum + step, 0) * 1_000);
    const sentences = starts.map((startMs) => ({ startMs, endMs: startMs + 14_000, text: 'Goal! What a goal!' }));
    const texts = starts.map((startMs, goals) => ({
      ...board(`RED ${goals} - 0 BLU`, 0, 1),
      startMs,
      endMs: startMs + 1,
    }));
    const seconds = Array.from({ length: 3_000 }, (_second, at) =>
      starts.some((startMs) => at >= startMs / 1_000 && at < startMs / 1_000 + 12) ? roar : quiet,
    );
    return { ...nothing, durationMs: 3_000_000, seconds, texts, transcript: { language: 'en', sentences } };
  });

const times = fc
  .tuple(fc.nat(400_000), fc.nat(60_000))
  .map(([startMs, length]) => ({ startMs, endMs: startMs + length }));
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('Goal! What a goal!', 'RED 1 - 0 BLU', 'RED 2 - 0 BLU', '\u202egoal\u202c <b>scores</b>', 'replay'),
);
const anySecond = fc
  .tuple(...[100, 100, 600, 100, 100].map((max) => fc.nat(max)))
  .map(([level = 0, ...more]) => [-level, ...more] as unknown as AnalyzedSecond);
const anyInput: fc.Arbitrary<MomentsInput> = fc.record({
  durationMs: fc.integer({ min: 1, max: 400_000 }),
  seconds: fc.array(fc.oneof(anySecond, fc.constantFrom(quiet, roar, voice)), { maxLength: 400 }),
  shots: fc.array(times.map(({ startMs, endMs }) => shot(startMs / 1_000, endMs / 1_000, (endMs % 10) / 10))),
  texts: fc.array(fc.tuple(anyText, times).map(([text, span]) => ({ ...board(text, 0, 1), ...span }))),
  prints: fc.array(fc.constantFrom('', 'AAAA', '////'), { maxLength: 400 }),
  transcript: fc.option(
    fc.record({
      language: fc.constantFrom('en', 'pt-BR', 'ja', 'xx', '__proto__'),
      sentences: fc.array(
        fc.tuple(anyText, times).map(([text, span]) => ({ text, ...span })),
        { maxLength: 60 },
      ),
    }),
    { nil: undefined },
  ),
});

describe('key moments', function () {
  this.timeout(30_000);
  it('key moments of any input are few, apart, of 5 to 40 s within the video, best first, with reasons and plain titles', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: anyInput }, { weight: 1, arbitrary: manyGoals }), (input) => {
        const moments = findKeyMoments(input);
        expect(moments.length).to.be.at.most(20);
        for (const { startMs, endMs, score, reasons, title, languageCode } of moments) {
          expect(startMs).to.be.at.least(0);
          expect(endMs).to.be.at.most(input.durationMs);
          expect(endMs - startMs).to.be.within(5_000, 40_000);
          expect(score).to.be.within(0, 1);
          expect(new Set(reasons).size, reasons.join(' ')).to.equal(reasons.length).and.be.at.least(1);
          expect([...title].length).to.be.at.most(120);
          expect(title)
            .to.equal(title.trim().toWellFormed())
            .and.not.match(/[\p{Cc}\u202a-\u202e\u2066-\u2069]|<b>/u);
          expect(languageCode).to.equal(title === '' ? '' : input.transcript?.language);
        }
        const scores = moments.map(({ score }) => score);
        expect(scores).to.deep.equal(scores.toSorted((a, b) => b - a));
        const ordered = moments.toSorted((a, b) => a.startMs - b.startMs);
        ordered.slice(1).forEach(({ startMs }, at) => expect(startMs).to.be.at.least(ordered[at]?.endMs ?? 0));
      }),
      { numRuns: runs(100) },
    );
  });

  it('a goal is found by crowd, call and score together; its span has the action and the reaction, its title the call', () => {
    const seconds = secondsWith({ ...fill(100, 112, roar), ...fill(101, 104, voiceInRoar) });
    const texts = [board('RED 0 - 0 BLU', 0, 108), board('RED 1 - 0 BLU', 108, 240)];
    const [moment, ...others] = findKeyMoments({
      ...nothing,
      seconds,
      texts,
      transcript: said('She scores! The captain!', 101),
    });
    expect(others).to.deep.equal([]);
    expect(moment?.reasons.toSorted()).to.deep.equal(['commentary', 'crowd', 'score']);
    expect(moment).to.include({ title: 'She scores! The captain!', languageCode: 'en' });
    expect(moment?.startMs).to.be.within(86_000, 97_000);
    expect(moment?.endMs).to.be.at.least(111_000);
    expect(moment?.score).to.be.above(0.8);
  });

  it('a crowd alone, rain, talk of earlier goals and a calm voice are no key moments', () => {
    for (const input of [
      { seconds: secondsWith(fill(100, 110, roar)) },
      { seconds: secondsWith(fill(60, 200, roar)) },
      { transcript: said('He scored a goal here last season.', 100) },
      { transcript: said('A goal kick for the visitors.', 100) },
      { seconds: secondsWith(fill(100, 103, voice)), transcript: said('They wait in midfield.', 100) },
    ])
      expect(findKeyMoments({ ...nothing, ...input }), JSON.stringify(input.transcript)).to.deep.equal([]);
  });

  it('a crowd is heard beneath a voice', () => {
    const rises = crowdRises(secondsWith({ ...fill(40, 60, voice), ...fill(100, 105, voiceInRoar) }));
    expect(Math.max(...rises.slice(40, 60))).to.be.below(3);
    expect(Math.min(...rises.slice(100, 105))).to.be.above(10);
  });

  it('a score has risen where one of its numbers is higher and stays so: a misread digit and another board have not', () => {
    const at = (...texts: AnalyzedText[]): number[] => scoreEvidence(texts, 240_000).map(({ reactionEndMs }) => reactionEndMs / 1_000); // prettier-ignore
    const before = board('RED 0 - 1 BLU', 0, 60);
    expect(at(before, board('RED 1 - 1 BLU', 60, 240))).to.deep.equal([60]);
    expect(at(before, board('RED 7 - 1 BLU', 60, 80), board('RED 0 - 1 BLU', 80, 240))).to.deep.equal([]);
    expect(at(before, board('RED 1 - 2 BLU', 60, 240))).to.deep.equal([]);
    expect(at(before, board('RED 40 - 1 BLU', 60, 240))).to.deep.equal([]);
    expect(at(before, { ...board('RED 1 - 1 BLU', 60, 240), box: [700, 800, 200, 50] })).to.deep.equal([]);
    expect(at(before, board('Corners 1', 60, 100), board('Corners 2', 100, 240))).to.deep.equal([]);
  });

  it('words are understood in each language, drawn out, and not of another time', () => {
    for (const [text, language] of [
      ['GOOOOOOL de la visita', 'es'],
      ['Tor für die Gäste', 'de-AT'],
      ['ゴール！決まった', 'ja'],
      ['The captain scores', 'en-GB'],
      ['goal by the captain', 'xx'],
    ] as const)
      expect(hearWords(text, language).excitement, text).to.be.at.least(0.8);
    expect(hearWords('Der Torwart hat den Ball', 'de').excitement).to.equal(0);
    expect(hearWords('no goal, offside', 'en').excitement).to.be.below(0.3);
    expect(hearWords("let's see that again", 'en')).to.include({ isReplay: true, excitement: 0 });
  });

  it('a replay is of the pictures that it repeats; a camera that stands still repeats nothing', () => {
    const print = (seed: number): string =>
      Buffer.from(Array.from({ length: 72 }, (_value, at) => 128 + 60 * Math.sin(seed * (at + 1)))).toString('base64');
    const live = Array.from({ length: 60 }, (_print, second) => print(second + 1));
    const replay = Array.from({ length: 8 }, (_print, at) => live[40 + Math.floor(at / 2)] ?? '');
    const [found] = replayEvidence([shot(0, 60), shot(60, 68)], [], [...live, ...replay]);
    expect(found).to.include({ reason: 'replay', startMs: 40_000, endMs: 44_000, reactionEndMs: 68_000 });
    const looped = Array.from({ length: 68 }, (_print, second) => print((second % 10) + 1));
    expect(replayEvidence([shot(0, 60), shot(60, 68)], [], looped)).to.deep.equal([]);
    const still = Array<string>(68).fill(print(1));
    expect(replayEvidence([shot(0, 60), shot(60, 68)], [], still)).to.deep.equal([]);
  });

  it('slow motion repeats pictures that move, where most of the video does not', () => {
    const frames = (motions: readonly number[]) => motions.map((motion, at) => ({ motion, score: 0, atMs: 40 * at }));
    expect(repeatsOf(frames([2, 0, 2, 0, 2, 0, 2, 0]))).to.be.at.least(0.4);
    expect(repeatsOf(frames([2, 2.2, 1.9, 2, 2.1, 2]))).to.equal(0);
    expect(repeatsOf(frames([0, 0, 0, 0]))).to.equal(0);
    expect(slowShots([shot(0, 50), shot(50, 58, 0.5)])).to.have.length(1);
    expect(slowShots([shot(0, 50, 0.5), shot(50, 58, 0.5)])).to.deep.equal([]);
  });
});
