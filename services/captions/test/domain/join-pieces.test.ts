import { assert } from 'chai';
import { joinPieces } from '../../src/domain/speech/join-pieces.ts';
import type { Word } from '../../src/domain/words.ts';

/** Pieces of 100 ms each, separated by `|`. */
function pieces(text: string): Word[] {
  return text.split('|').map((piece, index) => ({
    text: piece,
    startMs: index * 100,
    endMs: (index + 1) * 100,
    confidence: 1 - index / 10,
  }));
}

function texts(text: string): string[] {
  return joinPieces(pieces(text)).map((word) => word.text);
}

describe('joinPieces', () => {
  it('what follows without a space continues the word before: elisions, scores, decimals, compounds', () => {
    assert.deepEqual(texts(" L|'arbitre| siffle."), ["L'arbitre", 'siffle.']);
    assert.deepEqual(texts(' It| is| 2|-1| and| 20|,000| sing,| up| 3|.5|%'), [
      ...['It', 'is', '2-1', 'and', '20,000', 'sing,', 'up', '3.5%'],
    ]);
    assert.deepEqual(texts(' DFB|-Pokal| -1| Grad'), ['DFB-Pokal', '-1', 'Grad']);
  });

  it('a joined word lasts as long as its pieces, and is as certain as the least certain of them', () => {
    assert.deepEqual(joinPieces(pieces(" l|'équipe")), [{ text: "l'équipe", startMs: 0, endMs: 200, confidence: 0.9 }]);
  });

  it('pieces of scripts without spaces stay apart, but Latin letters and digits among them are joined', () => {
    assert.deepEqual(texts('レ|ッ|ター、|N|BA|の|20|26|年'), ['レ', 'ッ', 'ター、', 'NBA', 'の', '2026', '年']);
  });

  it('the words of an engine that writes no spaces stay as they are', () => {
    assert.deepEqual(texts('what|a|save'), ['what', 'a', 'save']);
  });
});
