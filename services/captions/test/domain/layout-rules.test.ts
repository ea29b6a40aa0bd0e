import { assert } from 'chai';
import { atomsOf, textOf } from '../../src/domain/layout/atoms.ts';
import { LINGER_MS, setCueTimes } from '../../src/domain/layout/cue-times.ts';
import { buildSpokenCues } from '../../src/domain/layout/build-cues.ts';
import type { SpokenSentence } from '../../src/domain/words.ts';

const END_MS = 1_000_000;

function spoken(text: string, eachMs: number): SpokenSentence {
  const words = text.split(' ').map((word, index) => ({
    text: word,
    startMs: index * eachMs,
    endMs: (index + 1) * eachMs,
    confidence: null,
  }));
  return { text, startMs: 0, endMs: words.at(-1)?.endMs ?? 0, words };
}

function linesOf(text: string, eachMs = 300): string[][] {
  return buildSpokenCues([spoken(text, eachMs)], 'en', END_MS).cues.map(({ lines }) => [...lines]);
}

describe('cue layout rules', () => {
  it('a line never breaks after an article, even if the lines would be more alike', () => {
    assert.deepEqual(linesOf('Everybody in this stadium loves the wonderful goals of our champions.'), [
      ['Everybody in this stadium loves', 'the wonderful goals of our champions.'],
    ]);
  });

  it('no cue is shown for less than a second where another cut gives it more time', () => {
    const rest = 'the goalkeeper of the visitors catches it and kicks the ball far into the field.';
    const [first] = linesOf(`Well, ${rest}`, 200);
    assert.notDeepEqual(first, ['Well,']);
  });

  it('slow speech gets a new cue after 7 s at the latest, so that words are shown while they are spoken', () => {
    const { cues } = buildSpokenCues([spoken('He takes his time and then he takes some more', 1_200)], 'en', END_MS);
    assert.isAtLeast(cues.length, 2);
    assert.isAtLeast(cues.at(-1)?.endMs ?? 0, 12_000);
  });

  it('cues that begin at the same moment are shown one after the other', () => {
    const cue = (text: string) => ({ startMs: 0, endMs: 0, lines: [text] });
    const [one, other] = setCueTimes([cue('one'), cue('other')], 0, LINGER_MS);
    assert.isAbove(one?.endMs ?? 0, one?.startMs ?? 0);
    assert.isAtLeast(other?.startMs ?? 0, one?.endMs ?? 0);
    assert.isAbove(other?.endMs ?? 0, other?.startMs ?? 0);
  });

  it('brackets, full stops and small kana stay with their neighbours, Latin words and numbers stay whole', () => {
    const parts = (text: string): string[] => atomsOf(text).map((atom) => atom.text);
    assert.deepEqual(parts('「ゴール」です。'), ['「ゴー', 'ル」', 'で', 'す。']);
    assert.deepEqual(parts('シュート3-1でNBA'), ['シュー', 'ト', '3-1', 'で', 'NBA']);
    assert.equal(textOf(atomsOf('a 守門員 b')), 'a 守門員 b');
  });

  it('a line in full-width characters has at most 16 of them', () => {
    const text = '守门员在比赛最后一分钟扑出了这个球体育场里的观众都站起来为他鼓掌球员们正在庆祝';
    const word = { text, startMs: 0, endMs: 6_000, confidence: null };
    const { cues } = buildSpokenCues([{ text, startMs: 0, endMs: 6_000, words: [word] }], 'zh', END_MS);
    assert.equal(cues.flatMap(({ lines }) => lines).join(''), text);
    for (const line of cues.flatMap(({ lines }) => lines)) assert.isAtMost([...line].length, 16);
  });

  it('a cue stays for 17 letters a second where there is time, and reaches the next one across a short gap', () => {
    const text = 'a'.repeat(34);
    const cue = (startMs: number, endMs: number) => ({ startMs, endMs, lines: [text] });
    const times = setCueTimes([cue(0, 1_000), cue(2_300, 4_000), cue(4_400, 6_000)], END_MS, LINGER_MS);
    assert.deepEqual(
      times.map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [0, 2_220],
        [2_300, 4_320],
        [4_400, 6_400],
      ],
    );
  });

  it('a word that is wider than a line is cut into several lines', () => {
    assert.deepEqual(
      atomsOf('x'.repeat(100)).map(({ width }) => width),
      [42, 42, 16],
    );
  });
});
