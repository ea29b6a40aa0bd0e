/** Names within a sentence, recognized by their capital letters. */
import { primarySubtag } from '../language-tag.ts';
import { wordSet } from '../words.ts';

/** Written with a capital letter in English, but still translated. */
const noNames = wordSet(
  'I Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August ' +
    'September October November December English Spanish French German Italian Portuguese Dutch British American ' +
    'Brazilian Argentine European African Asian Australian Mr Mrs Ms Dr Olympic Olympics Christmas Easter God',
);
/** Languages that capitalise all nouns. */
export const capitalNouns = wordSet('de lb');

/** "Q&A", "AT&T": capital letters wherever they stand. */
const abbreviation = /(?<![\p{L}\p{N}&])\p{Lu}{1,3}(?:&\p{Lu}{1,3})+s?(?![\p{L}\p{N}&])/gu;
/** A speech engine may spell them out. With "and" only these: "plan A and B" is none. */
const spelledOut = /\b(?:[QM] and A|R and [BD]|B and B|P and L|AT and T|\p{Lu} & \p{Lu})\b/gu;

/** Runs of capitalised words, each longer than one letter: "LeBron James", "NBA", "O'Neill", "AT&T Stadium". */
const word = `(?:${abbreviation.source}|\\p{Lu}[\\p{L}\\p{N}'’.-]*[\\p{L}\\p{N}])`;
const run = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?: ${word})*`, 'gu');

export type Name = { readonly text: string; readonly at: number };

/**
 * Whether translation keeps the spelling of names: between Latin scripts it does, elsewhere they are transliterated.
 */
export function namesKept(source: string, target: string): boolean {
  return isLatin(source) && isLatin(target);
}

/** Whether a language is written with Latin letters. */
function isLatin(tag: string): boolean {
  try {
    return new Intl.Locale(tag).maximize().script === 'Latn';
  } catch {
    return false; // The runtime does not know the tag, and therefore not its script.
  }
}

/** The names of `source` that `translated` spells differently; accents, case and marks do not count. */
export function lostNames(
  source: string,
  translated: string,
  language: string,
  known: readonly string[] = [],
): string[] {
  const found = plainLetters(translated);
  return namesIn(source, language, known)
    .map(({ text }) => text.replace(/['’]s$/, ''))
    .filter((name) => !found.includes(plainLetters(name)));
}

function plainLetters(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** An English sentence with its abbreviations as they are written: "Q and A" is "Q&A". */
export function withAmpersands(sentence: string, language: string): string {
  if (primarySubtag(language) !== 'en') return sentence;
  return sentence.replaceAll(spelledOut, (found) => found.replace(/ (?:and|&) /, '&'));
}

/**
 * Names of a sentence, in order: the partner's own as they are written, and what capital letters tell besides.
 * @param known of the partner's list; a single noun of a language that capitalises all of them may be any word
 */
export function namesIn(text: string, language: string, known: readonly string[] = []): Name[] {
  const nouns = capitalNouns.has(primarySubtag(language));
  const sure = known.filter((name) => /\p{Lu}/u.test(name) && (!nouns || / |\p{L}\p{Lu}/u.test(name)));
  const own = knownNames(text, [...sure, ...familyNames(sure)]);
  const isOwn = ({ text: name, at }: Name): boolean =>
    own.some((other) => at < other.at + other.text.length && other.at < at + name.length);
  const others = capitalNames(text, language).filter((name) => !isOwn(name));
  return [...own, ...others].toSorted((one, other) => one.at - other.at);
}

/** "Wirtz" of "Florian Wirtz". */
function familyNames(names: readonly string[]): string[] {
  return names.flatMap((name) => /(?<= )\p{Lu}[^ ]{3,}$/u.exec(name)?.[0] ?? []);
}

/** The longest name wins where several begin or overlap. */
function knownNames(text: string, names: readonly string[]): Name[] {
  const found: Name[] = [];
  for (const name of names.toSorted((one, other) => other.length - one.length)) {
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
      const end = at + name.length;
      const isWord = !/[\p{L}\p{M}\p{N}]$/u.test(text.slice(0, at)) && !/^[\p{L}\p{M}\p{N}]/u.test(text.slice(end));
      if (isWord && found.every((other) => end <= other.at || at >= other.at + other.text.length))
        found.push({ text: name, at });
    }
  }
  return found;
}

/**
 * Names by their capital letters. Where those mean nothing (at the start of a sentence, in German, in a sentence of
 * capitals) they are abbreviations alone.
 */
function capitalNames(text: string, language: string): Name[] {
  const words = text.match(/\p{L}+/gu) ?? [];
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  if (capitalNouns.has(primarySubtag(language)) || (words.length > 3 && capitals > words.length * 0.8))
    return [...text.matchAll(abbreviation)].map((match) => ({ text: match[0], at: match.index }));
  return [...text.matchAll(run)]
    .flatMap((match) => withoutFirstWord(text, { text: match[0], at: match.index }))
    .filter((name) => !noNames.has(name.text.replace(/['’]\w+$/, '')));
}

/** The first word of a sentence is capitalised for that reason; the words that follow it in the run are not. */
function withoutFirstWord(text: string, name: Name): Name[] {
  if (!startsSentence(text, name.at) || /^[^ ]+&/.test(name.text)) return [name];
  const length = name.text.indexOf(' ') + 1;
  return length === 0 ? [] : [{ text: name.text.slice(length), at: name.at + length }];
}

function startsSentence(text: string, at: number): boolean {
  return !/[\p{L}\p{N},;:)'’"”%]\s*$/u.test(text.slice(0, at));
}
