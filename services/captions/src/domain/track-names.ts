/** Names of tracks in a player's menu: the language's own name, with a mark for machine translations. */
import { primarySubtag } from './language-tag.ts';
import type { Track } from './track.ts';

/** Own names that the runtime's language data (CLDR) lacks or has only in English. */
const ownNames: Readonly<Record<string, string>> = {
  an: 'aragonés',
  frp: 'arpetan',
  'ca-valencia': 'valencià',
  'oc-aranes': 'aranés',
  'oc-gascon': 'gascon',
};

/** "(machine translation)" in the languages listed here; English for all others. */
const machineTranslation: Readonly<Record<string, string>> = {
  en: 'machine translation',
  es: 'traducción automática',
  pt: 'tradução automática',
  fr: 'traduction automatique',
  it: 'traduzione automatica',
  ca: 'traducció automàtica',
  gl: 'tradución automática',
  oc: 'traduccion automatica',
  ast: 'traducción automática',
  eo: 'maŝina traduko',
  de: 'maschinelle Übersetzung',
  nl: 'machinevertaling',
  pl: 'tłumaczenie maszynowe',
  sv: 'maskinöversättning',
  tr: 'makine çevirisi',
  ru: 'машинный перевод',
  uk: 'машинний переклад',
  ar: 'ترجمة آلية',
  hi: 'मशीनी अनुवाद',
  id: 'terjemahan mesin',
  vi: 'dịch máy',
  th: 'แปลด้วยเครื่อง',
  ja: '機械翻訳',
  ko: '기계 번역',
  zh: '机器翻译',
};

/**
 * Adds the tag where two tracks would have the same name: players distinguish tracks of one group by it (RFC 8216
 * §4.3.4.1.1).
 */
type Named = Pick<Track, 'language' | 'kind' | 'provided'>;

export function uniqueNames(tracks: readonly Named[]): string[] {
  const names = tracks.map((track) => trackName(track));
  return names.map((name, index) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} [${tracks[index]?.language ?? index}]`,
  );
}

/** "français (traduction automatique)"; the first letter is written as CLDR has it. */
export function trackName({ language: tag, kind, provided }: Named): string {
  if (kind === 'captions' || provided) return ownName(tag);
  return `${ownName(tag)} (${machineTranslation[primarySubtag(tag)] ?? machineTranslation['en']})`;
}

/** The language's own name, else its English name, else the tag. */
function ownName(tag: string): string {
  const listed = ownNames[tag];
  if (listed !== undefined) return listed;
  const name = (locale: string): string | undefined =>
    new Intl.DisplayNames([locale, 'en'], { type: 'language', fallback: 'none' }).of(tag);
  return name(tag) ?? name('en') ?? tag;
}
