/**
 * Sentences as a text that apertium takes, and its answer as sentences. One sentence is one unit between blank lines: words
 * move across single line ends. Characters that mean something in apertium's stream travel as private-use ones, which every
 * step passes through (https://wiki.apertium.org/wiki/Apertium_stream_format).
 */
const special = '\\^$@/[]{}<>*#~|+'.split('');
const disguises = new Map(special.map((character, index) => [character, String.fromCodePoint(0xe000 + index)]));
const originals = new Map([...disguises].map(([character, disguise]) => [disguise, character]));

const disguisable = /[\\^$@/[\]{}<>*#~|+]/g;
const disguised = /[\u{e000}-\u{f8ff}]/gu;

/** Control characters, and all that is a line end to somebody. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** Marks that some modes repeat while they move words about; a translation has no more of them than its source. */
const signs = [...special, ...'()"“”«»'.split('')];

/** One line without private-use characters; empty where nothing is said. */
export function plain(sentence: string): string {
  return sentence.toWellFormed().replaceAll(disguised, '').replaceAll(breaks, ' ').trim();
}

/** @param sentences each `plain` and not empty */
export function toUnits(sentences: readonly string[]): string {
  return `${sentences.map(disguise).join('\n\n')}\n`;
}

function disguise(sentence: string): string {
  return sentence.replaceAll(disguisable, (character) => disguises.get(character) ?? character);
}

/** What came back, as many as there are; a lost one shows in the number, or is empty. */
export function fromUnits(text: string): string[] {
  return text
    .replace(/\n+$/, '')
    .split('\n\n')
    .map((unit) => restore(unit).replaceAll(/\s+/gu, ' ').trim());
}

function restore(unit: string): string {
  return withoutMarks(unit).replaceAll(disguised, (character) => originals.get(character) ?? '');
}

/** The engine's own marks: `*` unknown, `@` and `#` untranslated, `one/other` undecided. All of ours are disguised. */
function withoutMarks(unit: string): string {
  return unit
    .replaceAll(/(\p{L}[\p{L}\p{M}\p{N}’'-]*)(?:\/[\p{L}\p{M}\p{N}’'-]+)+/gu, '$1')
    .replaceAll(/[\\^$@/[\]{}<>*#~|+]/g, '');
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
