/**
 * Protects names and numbers during translation. Names are sent as tokens that no engine has a word for: else apertium
 * makes "Rose Green" a rose that is green. Numbers are sent unchanged: experiments show that every engine keeps digits
 * and adapts the signs around them to the target language ("90th" → "90.º"), which a token would prevent.
 */
import { plainText } from '../plain-text.ts';
import { lostNames, namesIn, namesKept, withAmpersands } from './names.ts';
import { inFormOf, lostNumbers } from './numbers.ts';

export type LostEntity = {
  readonly kind: 'number' | 'name';
  /** As in the source. */
  readonly text: string;
};

export type Languages = {
  /** BCP 47. */
  readonly source: string;
  readonly target: string;
};

export type Protected = {
  /** The text for the engine. */
  readonly text: string;
  /**
   * The translation with its names back; undefined where the engine lost one: then the plain sentence is translated.
   */
  readonly restore: (translated: string) => string | undefined;
};

/** A token for each letter. */
const MAX_NAMES = 26;

const token = /\bq ?z ?([a-z]) ?q\b/i;
const tokens = new RegExp(token.source, 'giu');

export type RestoredText = {
  readonly text: string;
  /** What was lost before the numbers were restored; empty for a correct translation. */
  readonly lost: readonly LostEntity[];
};

/**
 * Replaces the names of a sentence by tokens. One without names, or of a language whose names change, stays unchanged.
 * @param known names of the partner's list
 */
export function protect(given: string, languages: Languages, known: readonly string[] = []): Protected {
  const sentence = withAmpersands(given, languages.source);
  const names = namesKept(languages.source, languages.target) ? namesIn(sentence, languages.source, known) : [];
  if (names.length === 0 || names.length > MAX_NAMES || token.test(sentence)) {
    return { text: given, restore: (same) => same };
  }
  let [text, from] = ['', 0];
  for (const [index, name] of names.entries()) {
    text += sentence.slice(from, name.at) + tokenOf(index);
    from = name.at + name.text.length;
  }
  const restore = (translated: string): string | undefined => {
    const seen = new Set<string>();
    const restored = translated.replaceAll(tokens, (found, letter: string) => {
      const name = names[letter.toLowerCase().charCodeAt(0) - 97]?.text;
      if (name !== undefined) seen.add(name);
      return name ?? found;
    });
    return names.every(({ text: name }) => seen.has(name)) ? restored : undefined;
  };
  return { text: text + sentence.slice(from), restore };
}

/** "Qzaq", "Qzbq" …: only letters, since engines separate letters from digits. */
function tokenOf(index: number): string {
  return `Qz${String.fromCharCode(97 + index)}q`;
}

/** Appends lost numbers in brackets before the final mark: a reader finds the score, and sees that it was added. */
export function restoreNumbers(
  source: string,
  translated: string,
  languages: Languages,
  known: readonly string[] = [],
): RestoredText {
  const text = inFormOf(source, plainText(translated), languages.source, languages.target);
  const lost = lostEntities(source, text, languages, known);
  const numbers = lost.flatMap(({ kind, text: number }) => (kind === 'number' ? [number] : []));
  if (numbers.length === 0 || text === '') return { text, lost };
  const [mark = ''] = /[.!?…。！？؟।]*$/u.exec(text) ?? [];
  return { text: `${text.slice(0, text.length - mark.length)} (${numbers.join(', ')})${mark}`, lost };
}

/** What the translation of a sentence lost. Names count only where both languages use Latin letters. */
export function lostEntities(
  source: string,
  translated: string,
  languages: Languages,
  known: readonly string[] = [],
): LostEntity[] {
  const { source: language, target } = languages;
  const names = namesKept(language, target) ? lostNames(source, translated, language, known) : [];
  return [
    ...lostNumbers(source, translated).map((text) => ({ kind: 'number' as const, text })),
    ...names.map((text) => ({ kind: 'name' as const, text })),
  ];
}
