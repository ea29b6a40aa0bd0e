/**
 * Converts sentences to input for apertium, and its output to sentences. Each sentence is one unit between blank lines,
 * because words move across single line ends. Characters with a meaning in apertium's stream are replaced by
 * private-use ones, which every step preserves (https://wiki.apertium.org/wiki/Apertium_stream_format).
 */
import { oneLine } from '../../domain/plain-text.ts';

const special = '\\^$@/[]{}<>*#~|+'.split('');
const substitutes = new Map(special.map((character, index) => [character, String.fromCodePoint(0xe000 + index)]));
const originals = new Map([...substitutes].map(([character, substitute]) => [substitute, character]));

const specials = /[\\^$@/[\]{}<>*#~|+]/g;
const privateUse = /[\u{e000}-\u{f8ff}]/gu;

/** Marks that some modes repeat while reordering words; a translation has no more of them than its source. */
const signs = [...special, ...'()"“”«»'.split('')];

/** One line without private-use characters; empty where nothing remains. */
export function plain(sentence: string): string {
  return oneLine(sentence.replaceAll(privateUse, ''));
}

/** @param sentences each `plain` and not empty */
export function toUnits(sentences: readonly string[]): string {
  return `${sentences.map(substitute).join('\n\n')}\n`;
}

function substitute(sentence: string): string {
  return sentence.replaceAll(specials, (character) => substitutes.get(character) ?? character);
}

/** The sentences of an output; a lost one shows in their number, or is empty. */
export function fromUnits(text: string): string[] {
  return text
    .replace(/\n+$/, '')
    .split('\n\n')
    .map((unit) => restore(unit).replaceAll(/\s+/gu, ' ').trim());
}

function restore(unit: string): string {
  return withoutMarks(unit).replaceAll(privateUse, (character) => originals.get(character) ?? '');
}

/**
 * The engine's own marks: `*` unknown, `@` and `#` untranslated, `one/other` undecided. Those of the source are
 * replaced beforehand.
 */
function withoutMarks(unit: string): string {
  return unit.replaceAll(/(\p{L}[\p{L}\p{M}\p{N}’'-]*)(?:\/[\p{L}\p{M}\p{N}’'-]+)+/gu, '$1').replaceAll(specials, '');
}

/** A translation without the marks and spaces that the engine has added to those of its source. */
export function tidy(translated: string, source: string): string {
  let text = translated;
  for (const sign of signs) while (count(text, sign) > count(source, sign)) text = withoutLast(text, sign);
  const close = / [.,;:!?]/.test(source) ? text : text.replaceAll(/ +([.,;:!?])/g, '$1');
  return close.replaceAll(/ {2,}/g, ' ').trim();
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

function withoutLast(text: string, sign: string): string {
  const at = text.lastIndexOf(sign);
  return text.slice(0, at) + text.slice(at + sign.length);
}
