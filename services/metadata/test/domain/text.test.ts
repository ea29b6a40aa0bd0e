/** Lines of text from tesseract's output, and texts with times from the lines of several readings. */
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import type { Span } from '../../src/domain/span.ts';
import { parseLines, type Box, type Line } from '../../src/domain/text/lines.ts';
import { isSameText, joinTexts, timeTexts } from '../../src/domain/text/merge.ts';
import type { Tracker } from '../../src/domain/text/tracker.ts';

function row(line: number, word: number, text: string, confidence: number): string {
  return ['5', '1', '1', '1', line, word, 100 * word, 50 * line, 90, 30, confidence, text].join('\t');
}
function textsOf(...rows: string[]): string[] {
  return parseLines(['level\tpage_num', ...rows].join('\n'), 1_000, 500).map(({ text }) => text);
}
function line(text: string, box: Box = [50, 50, 300, 50], confidence = 0.9): Line {
  return { text, box, confidence };
}

/** Tracks nothing: a text is on screen during the interval that it was read in. */
const still: Tracker = { extent: (_box, interval) => interval, change: (_box, _before, after) => after.startMs };
function seconds(from: number, to: number): Span {
  return { startMs: from * 1_000, endMs: to * 1_000 };
}

describe('parseLines', () => {
  it('parseLines returns words and scores, without noise, frames and clocks', () => {
    expect(
      textsOf(
        row(1, 1, '|', 96),
        row(1, 2, 'HARBOUR', 96),
        row(1, 3, '3', 93),
        row(1, 4, '-', 92),
        row(1, 5, '2', 95),
        row(1, 6, 'VALLEY', 95),
        row(1, 7, '89:45', 95),
      ),
    ).to.deep.equal(['HARBOUR 3 - 2 VALLEY']);
    expect(textsOf(row(1, 1, 'GOAL!', 88))).to.deep.equal(['GOAL!']);
    expect(
      textsOf(row(1, 1, 'oA', 96), row(2, 1, 'wr', 80), row(3, 1, '~', 96), row(4, 1, '25', 80), row(5, 1, 'a', 99)),
    ).to.deep.equal([]);
    expect(textsOf(row(1, 1, 'HALF', 40), row(1, 2, 'TIME', 59))).to.deep.equal([]);
    expect(textsOf(row(1, 1, 'Müller', 90), row(1, 2, 'González', 90))).to.deep.equal(['Müller González']);
  });

  it('parseLines of any output returns lines of bounded number, length, confidence and box', () => {
    const anyRow = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .tuple(
          fc.nat(50),
          fc.nat(20),
          fc.string({ unit: 'grapheme', maxLength: 300 }),
          fc.integer({ min: -1, max: 100 }),
        )
        .map(([a, b, text, confidence]) => row(a, b, text, confidence)),
    );
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 100 }), (rows) => {
        const lines = parseLines(rows.join('\n'), 1_280, 720);
        expect(lines.length).to.be.at.most(40);
        for (const { text, confidence, box } of lines) {
          expect(text.length).to.be.within(1, 200);
          expect(text).to.not.match(/\p{Cc}/u);
          expect(confidence).to.be.within(0, 1);
          for (const side of box) expect(side).to.be.within(0, 1_000);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('timeTexts and joinTexts', () => {
  it('readings of the same words in the same place are one text, even with a misread letter', () => {
    expect(isSameText('CHAMPIONSHIP FINAL', 'CHAMPI0NSHIP FINAL')).to.equal(false);
    expect(isSameText('CHAMPIONSHIP FINAL', 'CHAMPlONSHIP FlNAL')).to.equal(true);
    expect(isSameText('HOME 2 - 1 AWAY', 'HOME 3 - 1 AWAY')).to.equal(false);
    const readings = [
      { interval: seconds(0, 4), lines: [line('CHAMPIONSHIP FINAL')] },
      { interval: seconds(4, 9), lines: [line('CHAMPlONSHIP FINAL', [52, 50, 300, 50], 0.7)] },
    ];
    expect(timeTexts(readings, still)).to.deep.equal([
      { text: 'CHAMPIONSHIP FINAL', confidence: 0.9, box: [50, 50, 300, 50], startMs: 0, endMs: 9_000 },
    ]);
  });

  it('a text ends where another text replaces it in the same place', () => {
    const wholeSpan: Tracker = { ...still, extent: () => seconds(0, 20) };
    const readings = [
      { interval: seconds(0, 10), lines: [line('HOME 2 - 1 AWAY'), line('SLOW MOTION', [400, 800, 200, 50])] },
      { interval: seconds(10, 20), lines: [line('HOME 3 - 1 AWAY')] },
    ];
    expect(timeTexts(readings, wholeSpan).map(({ text, startMs, endMs }) => [text, startMs, endMs])).to.deep.equal([
      ['HOME 2 - 1 AWAY', 0, 10_000],
      ['SLOW MOTION', 0, 20_000],
      ['HOME 3 - 1 AWAY', 10_000, 20_000],
    ]);
  });

  it('the remains of a clock at the end of a line are removed', () => {
    const readings = [
      { interval: seconds(0, 4), lines: [line('HARBOUR 2 - 2 VALLEY 8')] },
      { interval: seconds(4, 9), lines: [line('HARBOUR 2 - 2 VALLEY 89')] },
    ];
    expect(timeTexts(readings, still).map(({ text }) => text)).to.deep.equal(['HARBOUR 2 - 2 VALLEY']);
  });

  it('a text that continues over the end of a span is one text', () => {
    const text = { text: 'LIVE FROM LISBON', confidence: 0.9, box: [50, 50, 300, 50] as const };
    const joined = joinTexts([
      { ...text, ...seconds(290, 300) },
      { ...text, ...seconds(300, 310), confidence: 0.95 },
      { ...text, ...seconds(400, 410) },
    ]);
    expect(joined.map(({ startMs, endMs, confidence }) => [startMs, endMs, confidence])).to.deep.equal([
      [290_000, 310_000, 0.95],
      [400_000, 410_000, 0.9],
    ]);
  });
});
