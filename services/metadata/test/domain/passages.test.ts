import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { passagesOf } from '../../src/domain/passages.ts';

const about = { title: 'Cup final', tags: ['soccer', 'goal'], summary: 'All the goals.' };

/** Sentences of a transcript, in the order of their times. */
const transcripts = fc
  .array(
    fc.record({
      gapMs: fc.nat(200_000),
      lengthMs: fc.integer({ min: 1, max: 100_000 }),
      text: fc.lorem({ maxCount: 20, mode: 'words' }),
    }),
    { maxLength: 300 },
  )
  .map((all) => {
    let at = 0;
    return all.map(({ gapMs, lengthMs, text }) => {
      const startMs = at + gapMs;
      at = startMs + lengthMs;
      return { startMs, endMs: at, text };
    });
  });

describe('passages', () => {
  it('a video has at most 64 passages, which have every sentence once, in order, from the start of one on', () => {
    fc.assert(
      fc.property(transcripts, (sentences) => {
        const [first, ...spoken] = passagesOf(about, sentences);
        expect(first).to.deep.equal({ text: 'Cup final. soccer, goal. All the goals.' });
        expect(spoken.length).to.be.at.most(63);
        expect(spoken.map(({ text }) => text).join(' ')).to.equal(sentences.map(({ text }) => text).join(' '));
        const starts = sentences.map(({ startMs }) => startMs);
        for (const { atMs } of spoken) expect(starts).to.include(atMs);
        const times = spoken.map(({ atMs }) => atMs ?? -1);
        expect(times).to.deep.equal([...times].sort((a, b) => a - b));
      }),
      { numRuns: runs(100) },
    );
  });

  it('a passage has the sentences that begin within a minute, unless the video would have too many', () => {
    const every = (stepMs: number, count: number) =>
      Array.from({ length: count }, (_sentence, at) => ({
        ...{ startMs: at * stepMs, endMs: (at + 1) * stepMs, text: `s${at}` },
      }));
    const [, ...short] = passagesOf(about, every(20_000, 7));
    expect(short).to.deep.equal([
      { atMs: 0, text: 's0 s1 s2' },
      { atMs: 60_000, text: 's3 s4 s5' },
      { atMs: 120_000, text: 's6' },
    ]);
    expect(passagesOf(about, every(60_000, 180))).to.have.length.within(60, 64);
    expect(passagesOf({ title: 'Only a title', tags: [] }, [])).to.deep.equal([{ text: 'Only a title' }]);
  });
});
