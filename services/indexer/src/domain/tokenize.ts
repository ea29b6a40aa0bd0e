/** Splits a query in any script into words, and recognises stop words. */
import { normalizeText } from './normalize-text.ts';

/** Scripts without spaces: each of their characters counts as a word. */
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

/** Length of the pieces that running text is split into, in characters with their marks; pairs are searched within a piece. */
const PIECE_LENGTH = 6;
const character = /\P{M}(?:[\u17D2\u1039]\p{L}|\p{M})*/gu;
/** The standard tokenizer splits longer words. */
const TOKEN_LENGTH = 255;

/** Every word in order, without duplicates. */
export function tokenize(query: string): readonly Token[] {
  const words = new Map<string, Token>();
  for (const [found] of normalizeText(query).matchAll(run)) {
    for (const part of found.split(new RegExp(`(${unspaced.source})`, 'u')).filter((text) => text !== '')) {
      const tokens = unspaced.test(part) ? piecesOf(part) : [{ text: part, terms: termsOf(part), running: false }];
      for (const word of tokens) if (!words.has(word.text)) words.set(word.text, word);
    }
  }
  return [...words.values()];
}

function piecesOf(text: string): Token[] {
  const letters = text.match(character) ?? [];
  const pieces: Token[] = [];
  for (let at = 0; at < letters.length; at += PIECE_LENGTH) {
    const piece = letters.slice(at, at + PIECE_LENGTH);
    pieces.push({ text: piece.join(''), terms: piece.length, running: true });
  }
  return pieces;
}

function termsOf(text: string): number {
  return Math.ceil(text.length / TOKEN_LENGTH) + (text.match(/[\p{sc=Hang}\p{Extended_Pictographic}]/gu)?.length ?? 0);
}

/** Stop words of the most frequent languages: next to other words they hardly count. */
const stopWordLists: readonly string[] = [
  'a an and are as at be but by for from had has have he her his i if in into is it its my no not of on or our she so such that the their them then there these they this to was we were what when where which who why will with you your how',
  'al algo ante como con de del desde donde el en entre es esa ese esta este ha hay la las le les lo los mas me mi muy ni no nos o para pero por que se ser si sin sobre su sus te tu un una uno unos y ya',
  'au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur lui ma mais mes ne nous ou par pas pour qu que qui sa sans se ses son sur ta te tu un une vous y',
  'aber als am an auch auf aus bei bin bis das dass dem den der des die doch du ein eine einem einen einer er es für hat ich ihr im in ist ja kein mit nach nicht noch nur oder sein sich sie sind so und um von vor war was wenn wer wie wir zu zum zur',
  'a ao aos as com da das de do dos e em era essa esse esta este eu foi isso ja lhe mais mas me na nas no nos num numa o os ou para pela pelo por que se sem ser seu sua te um uma você',
  'a ai al alla anche c che chi ci come con da dal dalla dei del della delle di e ed è gli ha ho i il in io la le lo ma mi nel nella noi non o per più quella questo se si sono su sul tra un una uno',
];

const stopWords: ReadonlySet<string> = new Set(stopWordLists.flatMap((list) => list.split(' ')));

export function isStopWord(word: string): boolean {
  return stopWords.has(word.toLowerCase());
}
