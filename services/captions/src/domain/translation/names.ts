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
const capitalNouns = wordSet('de lb');

/** Runs of capitalised words, each longer than one letter: "LeBron James", "NBA", "O'Neill". */
const run = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.-]*[\p{L}\p{N}](?: \p{Lu}[\p{L}\p{N}'’-]*[\p{L}\p{N}])*/gu;

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
export function lostNames(source: string, translated: string, language: string): string[] {
  const found = plainLetters(translated);
  return namesIn(source, language)
    .map(({ text }) => text.replace(/['’]s$/, ''))
    .filter((name) => !found.includes(plainLetters(name)));
}

function plainLetters(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/**
 * Names of a sentence, except where capital letters mean nothing: at its start, in German, in a sentence of capitals.
 */
export function namesIn(text: string, language: string): Name[] {
  const words = text.match(/\p{L}+/gu) ?? [];
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  if (capitalNouns.has(primarySubtag(language)) || (words.length > 3 && capitals > words.length * 0.8)) return [];
  return [...text.matchAll(run)]
    .flatMap((match) => withoutFirstWord(text, { text: match[0], at: match.index }))
    .filter((name) => !noNames.has(name.text.replace(/['’]\w+$/, '')));
}

/** The first word of a sentence is capitalised for that reason; the words that follow it in the run are not. */
function withoutFirstWord(text: string, name: Name): Name[] {
  if (!startsSentence(text, name.at)) return [name];
  const length = name.text.indexOf(' ') + 1;
  return length === 0 ? [] : [{ text: name.text.slice(length), at: name.at + length }];
}

function startsSentence(text: string, at: number): boolean {
  return !/[\p{L}\p{N},;:)'’"”%]\s*$/u.test(text.slice(0, at));
}
