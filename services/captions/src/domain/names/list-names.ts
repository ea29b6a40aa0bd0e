/** Names and terms of a video, from what its partner has written: a short list that a stranger's text cannot abuse. */
import { primarySubtag } from '../language-tag.ts';
import { plainText } from '../plain-text.ts';
import { capitalNouns } from '../translation/names.ts';
import { wordSet } from '../words.ts';

export type PartnerTexts = {
  readonly title: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** Of the publisher's other videos, newest first. */
  readonly earlierTitles: readonly string[];
  /** Names as the staff has spelt them in the publisher's other captions, the latest first. */
  readonly fixed?: readonly string[];
};

/** A speech engine reads 223 tokens of it at most, which are some 600 Latin letters. */
const MAX_NAMES = 64;
const MAX_CHARACTERS = 600;
/** Of one name. */
const MAX_WORDS = 4;
const MAX_LENGTH = 40;
/** Lines of captions that are read for names. */
const MAX_LINES = 2_000;

/** Elements, tokens of a model's own format, templates, addresses. */
const markup = /<[^<>]*>|\[[^\]]*\]|\{[^}]*\}+|\b(?:https?:|www\.)\S+|\S+@\S+/giu;
const piece = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’&-]*`;
/** "LeBron James", "Virgil van Dijk", "NBA", "VfB Stuttgart". */
const run = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}])${piece}(?: (?:(?:van|von|de|da|di|dos|del|der|den|la|le|el|al|bin) )*${piece})*`,
  'gu',
);
/** What begins a sentence with a capital letter without being part of a name. */
const beginners = wordSet(
  'the a an in on at of for from with and but or as by when why how what who where this that these his her our their all new ' +
    'best top watch see after before no today tonight now then here there der die das ein eine im am mit für von und wie was wer wenn nach vor neue bei zum zur ' +
    'le la les un une des du au aux en et avec pour dans sur el los las una con para por y il lo gli i nel o os as um uma no na ' +
    'em com de het een van met voor op w z na do i se',
);
/** Written as it stands, a tag of these scripts may be a name: they have no capital letters. */
const caseless = /^[\p{Lo}\p{M}\p{N} ・·-]+$/u;

/**
 * Names by trust: tags, title, summary, what the staff has corrected, then what the publisher's other titles name most often.
 * @param language the spoken one
 * @returns at most 64 names and 600 characters together; each of at most four words of letters, digits, `'`, `&` and `-`
 */
export function listNames(texts: PartnerTexts, language: string): string[] {
  const { title, summary, tags, earlierTitles, fixed = [] } = texts;
  const own = [title, summary];
  return boundedNames([
    ...tags.flatMap((tag) => namesOfTag(tag, own, language)),
    ...own.flatMap((text) => namesWithin(text, language)),
    ...fixed,
    ...byCount(earlierTitles.flatMap((text) => namesWithin(text, language))),
  ]);
}

/** The list with what captions inside the file name most often; `language` is theirs. */
export function withNamesOf(names: readonly string[], lines: readonly string[], language: string): string[] {
  const named = lines.slice(0, MAX_LINES).flatMap((text) => namesWithin(text, language));
  return boundedNames([...names, ...byCount(named)]);
}

/** At most 64 names and 600 characters, none twice. */
export function boundedNames(found: readonly string[]): string[] {
  const names: string[] = [];
  let left = MAX_CHARACTERS;
  for (const name of found) {
    const isKnown = names.some((other) => ` ${other} `.toLowerCase().includes(` ${name} `.toLowerCase()));
    if (isKnown || name.length > left) continue;
    names.push(name);
    left -= name.length + 2;
    if (names.length === MAX_NAMES) break;
  }
  return names;
}

function byCount(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
}

/** A tag in small letters is spelt as the partner's texts spell it, or is no name. */
function namesOfTag(given: string, texts: readonly string[], language: string): string[] {
  const tag = clean(given).replace(/^#/, '');
  if (!isShort(tag)) return [];
  if (caseless.test(tag)) return [tag];
  if (/\p{Lu}/u.test(tag)) return new RegExp(`^${run.source}$`, 'u').test(tag) ? [tag] : namesWithin(tag, language);
  if (!tag.includes(' ')) return [];
  const at = texts.map((text) => text.toLowerCase().indexOf(tag.toLowerCase()));
  const spelt = texts.map((text, index) => text.slice(at[index], (at[index] ?? 0) + tag.length));
  return spelt.filter((text, index) => at[index] !== -1 && new RegExp(`^${run.source}$`, 'u').test(text)).slice(0, 1);
}

/** Names of a text by their capital letters; none where every word has one, as in English headlines. */
export function namesWithin(given: string, language: string): string[] {
  const text = clean(given);
  const words = text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  if (words.length > 3 && capitals > words.length * 0.8) return [];
  const nouns = capitalNouns.has(primarySubtag(language));
  return [...text.matchAll(run)].flatMap((match) => {
    const begins = !/[\p{L}\p{N},;:)'’"”%–-]\s*$/u.test(text.slice(0, match.index));
    const [first = '', ...rest] = match[0].replace(/['’]s$/u, '').split(' ');
    const name = begins && beginners.has(first.toLowerCase()) ? rest : [first, ...rest];
    // A single word may have its capital letter from the sentence, or from the language.
    const isAlone = begins && name[0] === first;
    const isCertain = name.length > 1 || hasInnerCapital(name[0] ?? '') || (!nouns && !isAlone);
    return isCertain && isShort(name.join(' ')) ? [name.join(' ')] : [];
  });
}

/** "VfB", "LeBron", "NBA". */
export function hasInnerCapital(word: string): boolean {
  return /\p{L}\p{M}*\p{Lu}/u.test(word);
}

function isShort(name: string): boolean {
  return [...name].length >= 2 && name.length <= MAX_LENGTH && name.split(' ').length <= MAX_WORDS;
}

function clean(text: string): string {
  return plainText(plainText(text).normalize('NFC').replaceAll(markup, ' '));
}
