import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '@vds/testkit/counts';
import { isSpoken, readCues, withoutRepeats } from '../../src/domain/source/text-cues.ts';

function vtt(...lines: readonly string[]): string {
  return `WEBVTT\n\n00:01.000 --> 00:02.000\n${lines.join('\n')}\n`;
}

function linesOf(text: string): readonly string[] | undefined {
  return readCues(text, 0, 60)[0]?.lines;
}

describe('cues of captions inside a source', () => {
  it('nothing of a cue is markup, also where markup is hidden in markup; other signs stay', () => {
    expect(linesOf(vtt('<<b>i>He said:</i> 1 < 2 & {\\\\an8}3'))).to.deep.equal(['He said: 1 < 2 & 3']);
    expect(linesOf(vtt('<00:00:01.000>Now</c>'))).to.deep.equal(['Now']);
    const spared = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(spared, (text) => {
        for (const line of linesOf(vtt(text)) ?? []) {
          expect(line).not.to.match(/<\/?[a-z][^<>]*>|\{\\[^{}]*\}|\p{Cc}/iu);
          expect([...line].length).to.be.at.most(200);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('times count from the first picture, and end with the video', () => {
    const text = 'WEBVTT\n\n00:09.000 --> 00:11.500\nA\n\n01:00:00.000 --> 01:00:01.000\nbehind\n';
    expect(readCues(text, 10, 60)).to.deep.equal([{ startMs: 0, endMs: 1_500, lines: ['A'] }]);
  });

  it('captions that roll up have each line once', () => {
    const cue = (startMs: number, ...lines: string[]) => ({ startMs, endMs: startMs + 1_000, lines });
    const rolled = withoutRepeats([
      cue(0, 'one'),
      cue(1_000, 'one', 'two'),
      cue(2_000, 'two', 'three'),
      cue(9_000, 'three'),
    ]);
    expect(rolled.map(({ lines }) => lines)).to.deep.equal([['one'], ['two'], ['three'], ['three']]);
  });

  it('a track that only names who made it does not say what is spoken', () => {
    const credits = [{ startMs: 0, endMs: 3_000, lines: ['Subtitles by A.'] }];
    expect([isSpoken(credits, 7_200), isSpoken(credits, 25)]).to.deep.equal([false, true]);
  });
});
