/**
 * Words without meaning of their own, by language: the lists of the package `stopword`, and commentators' filler words.
 */
import * as lists from 'stopword';

/** ISO 639-1 to the package's names, which are ISO 639-3. */
const names: Readonly<Record<string, string>> = {
  ...{ ar: 'ara', bg: 'bul', ca: 'cat', cs: 'ces', da: 'dan', de: 'deu', el: 'ell', en: 'eng', eo: 'epo', es: 'spa' },
  ...{ et: 'est', eu: 'eus', fa: 'fas', fi: 'fin', fr: 'fra', gl: 'glg', he: 'heb', hi: 'hin', hr: 'hrv', hu: 'hun' },
  ...{ id: 'ind', it: 'ita', ja: 'jpn', ko: 'kor', lt: 'lit', lv: 'lav', nl: 'nld', nb: 'nob', no: 'nob', pl: 'pol' },
  ...{ pt: 'por', ro: 'ron', ru: 'rus', sk: 'slk', sl: 'slv', sv: 'swe', th: 'tha', tr: 'tur', uk: 'ukr', vi: 'vie' },
  zh: 'zho',
};

const fillers =
  'yeah okay well just really going gonna got get let look now uh um against makes goes says back welcome'.split(' ');

/**
 * English ones are always among them: tags and cards are often English whatever is spoken.
 * @param language BCP 47; a language without a list gets only the English ones
 */
export function stopWordsOf(language: string): ReadonlySet<string> {
  return new Set([...listOf('eng'), ...fillers, ...listOf(names[language.split('-', 1)[0]?.toLowerCase() ?? ''])]);
}

function listOf(name: string | undefined): readonly string[] {
  const list = name === undefined ? undefined : (lists as Readonly<Record<string, unknown>>)[name];
  return Array.isArray(list) ? list.map((word) => String(word).toLowerCase()) : [];
}
