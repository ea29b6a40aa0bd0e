/** A question in any script, cut into words before it reaches the index. */

/** Scripts that are written without spaces: each of their letters counts as a word. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30FC\u3005][\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\p{M}\u30FC\u3005]*/u;
const run = /[\p{L}\p{M}\p{N}_\p{Extended_Pictographic}]+(?:['\u2019][\p{L}\p{M}\p{N}]+)*/gu;

export type Token = {
  readonly text: string;
  /** How many terms an analyzer may make of it, at most. */
  readonly terms: number;
  /** Written without spaces: one piece of running text. */
  readonly running: boolean;
};

/** Length of the pieces that running text is cut into; bigrams are looked up within a piece. */
const pieceLength = 6;
/** The standard tokenizer cuts longer words. */
const tokenLength = 255;

/** Every word in its order; the same one twice is one. */
export function tokenize(query: string): readonly Token[] {
  const words = new Map<string, Token>();
  for (const [found] of query.normalize('NFC').matchAll(run)) {
    for (const part of found.split(new RegExp(`(${unspaced.source})`, 'u')).filter((text) => text !== '')) {
      const made = unspaced.test(part) ? piecesOf(part) : [{ text: part, terms: termsOf(part), running: false }];
      for (const word of made) if (!words.has(word.text)) words.set(word.text, word);
    }
  }
  return [...words.values()];
}

function piecesOf(text: string): Token[] {
  const letters = [...text];
  const pieces: Token[] = [];
  for (let at = 0; at < letters.length; at += pieceLength) {
    const piece = letters.slice(at, at + pieceLength);
    pieces.push({ text: piece.join(''), terms: piece.length, running: true });
  }
  return pieces;
}

function termsOf(text: string): number {
  return Math.ceil(text.length / tokenLength) + (text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0);
}
