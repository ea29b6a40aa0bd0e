/** Splits a query in any script into words, and recognises stop words. */
import { normalizeText } from './normalize-text.ts';

/** Scripts without spaces: each of their characters counts as a word. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30FC\u3005][\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\p{M}\u30FC\u3005]*/u;
const run = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}]+(?:['\u2019][\p{L}\p{M}\p{N}]+)*/gu;
/** Marks that divide no word of the standard tokenizer (UAX #29, WB6 and WB11): `example.com`, `10.5` and `1,000` are one. */
const joint = /(?<=[\p{L}\p{M}])[.:\u00B7\u2018\u2027](?=\p{L})|(?<=\p{N})[.,;](?=\p{N})/u;
const compound = new RegExp(`${run.source}(?:(?:${joint.source})${run.source})*`, 'gu');

export type Token = {
  readonly text: string;
  /** How many terms an analyzer may make of it, and of its whole, at most. */
  readonly terms: number;
  /** The word of the standard tokenizer that it is a part of: a text has `10.5`, not `10`. */
  readonly whole?: string;
  /** Written without spaces: one piece of running text. */
  readonly running: boolean;
};

/** Length of the pieces that running text is split into, in characters with their marks; pairs are searched within a piece. */
const PIECE_LENGTH = 6;
const character = /\P{M}(?:[\u17D2\u1039]\p{L}|\p{M})*/gu;
/** A longer row, such as of emoji, is running text as well: OpenSearch limits the terms of a query. */
const MAX_TERMS = 16;
/** The standard tokenizer splits longer words. */
const TOKEN_LENGTH = 255;

/** Every word in order, without duplicates. */
export function tokenize(query: string): readonly Token[] {
  const words = new Map<string, Token>();
  for (const [whole] of normalizeText(query).matchAll(compound))
    for (const [found] of whole.matchAll(run))
      for (const part of found.split(new RegExp(`(${unspaced.source})`, 'u')).filter((text) => text !== ''))
        for (const word of tokensOf(part, whole === found ? undefined : whole))
          if (!words.has(word.text)) words.set(word.text, word);
  return [...words.values()];
}

function tokensOf(text: string, whole: string | undefined): Token[] {
  const terms = termsOf(text);
  if (unspaced.test(text) || terms > MAX_TERMS) return piecesOf(text);
  const wholeTerms = whole === undefined ? 0 : termsOf(whole);
  if (whole === undefined || wholeTerms > MAX_TERMS) return [{ text, terms, running: false }];
  return [{ text, terms: terms + wholeTerms, running: false, whole }];
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
