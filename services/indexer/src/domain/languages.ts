/**
 * The analyzer of each language. Every analyzer is built into OpenSearch and is the name of a field below `text`,
 * `title_in` and `summary_in`; languages without one share `other`, which only folds case and accents.
 */

/** Field → built-in analyzer. https://docs.opensearch.org/2.19/analyzers/language-analyzers/index/ */
export const analyzers = {
  ar: 'arabic',
  bg: 'bulgarian',
  bn: 'bengali',
  ca: 'catalan',
  cjk: 'cjk',
  ckb: 'sorani',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  et: 'estonian',
  eu: 'basque',
  fa: 'persian',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  gl: 'galician',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  lv: 'latvian',
  nl: 'dutch',
  no: 'norwegian',
  other: 'folded',
  pt: 'portuguese',
  pt_br: 'brazilian',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  th: 'thai',
  tr: 'turkish',
} as const;
export type LanguageField = keyof typeof analyzers;

/** Tags that share an analyzer of another name. */
const shared: Readonly<Record<string, LanguageField>> = {
  zh: 'cjk',
  ja: 'cjk',
  ko: 'cjk',
  nb: 'no',
  nn: 'no',
  ku: 'ckb',
  'pt-br': 'pt_br',
};

/** Scripts that only some of the languages use; Latin words appear in all of them. */
const scripts: readonly (readonly [script: RegExp, fields: readonly LanguageField[]])[] = [
  [/^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u, ['cjk']],
  [/^\p{sc=Arab}/u, ['ar', 'fa', 'ckb']],
  [/^\p{sc=Cyrl}/u, ['ru', 'bg']],
  [/^\p{sc=Grek}/u, ['el']],
  [/^\p{sc=Deva}/u, ['hi']],
  [/^\p{sc=Beng}/u, ['bn']],
  [/^\p{sc=Armn}/u, ['hy']],
  [/^\p{sc=Thai}/u, ['th']],
  [/^[\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u, []],
];

const clustered = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Whether a text has characters that fields `clusters` are for: of a script without spaces that `folded` does not divide. */
export function hasClusters(text: string): boolean {
  return clustered.test(text);
}

/** The field of a BCP 47 tag: `pt-BR` has its own, `ca-valencia` is analyzed as Catalan, `eo` as `other`. */
export function fieldOf(tag: string): LanguageField {
  const lower = tag.toLowerCase();
  const primary = lower.split('-')[0] ?? '';
  return shared[lower] ?? shared[primary] ?? (isField(primary) ? primary : 'other');
}

function isField(name: string): name is LanguageField {
  return name in analyzers && name !== 'cjk' && name !== 'other';
}

/** The fields of `present` in which a word of that script can match. */
export function fieldsFor(word: string, present: readonly LanguageField[]): readonly LanguageField[] {
  const found = scripts.find(([script]) => script.test(word));
  return found === undefined ? present : present.filter((field) => field === 'other' || found[1].includes(field));
}
