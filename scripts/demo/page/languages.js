/** Names of languages, and why a track is not there. */
import { counted, listed } from './dom.js';

/** Names that browsers lack, in English and in the language itself. */
const OTHERS = {
  ast: ['Asturian', 'asturianu'],
  gl: ['Galician', 'galego'],
  oc: ['Occitan', 'occitan'],
  eu: ['Basque', 'euskara'],
  an: ['Aragonese', 'aragonés'],
  sc: ['Sardinian', 'sardu'],
  frp: ['Arpitan', 'arpetan'],
  'ca-valencia': ['Valencian', 'valencià'],
  'oc-aranes': ['Aranese', 'aranés'],
  'oc-gascon': ['Gascon', 'gascon'],
};

/** English name of a BCP 47 tag; the tag itself if there is none. */
export function englishName(tag) {
  return OTHERS[tag]?.[0] ?? nameIn('en', tag) ?? tag;
}

/** The language's own name, else its English one. */
export function ownName(tag) {
  return OTHERS[tag]?.[1] ?? nameIn(tag, tag) ?? englishName(tag);
}

function nameIn(locale, tag) {
  try {
    return new Intl.DisplayNames([locale, 'en'], { type: 'language', fallback: 'none' }).of(tag);
  } catch {
    return undefined;
  }
}

/** Reasons of the spoken track for which there is no track at all. */
const OF_THE_VIDEO = {
  no_speech: () => 'No speech found, so no captions.',
  no_audio: () => 'The video has no sound, so no captions.',
  language_unsupported: (spoken) => `The speech engine does not know ${spoken}, so no captions.`,
};

const OF_A_LANGUAGE = {
  no_path: (names) => `no translation route to ${names}`,
  engine_error: (names) => `the engine failed for ${names}`,
  language_unsupported: (names) => `the speech engine does not know ${names}`,
  no_speech: (names) => `no speech found for ${names}`,
  no_audio: (names) => `no sound for ${names}`,
};

/**
 * One line about the tracks that are neither ready nor in progress; '' if there are none.
 * @param tracks all tracks of the record, the spoken language first
 */
export function whyAbsent(tracks) {
  const absent = tracks.filter(({ status }) => status === 'failed' || status === 'skipped');
  if (absent.length === 0) return '';
  const [{ language: spoken, reason: ofSpoken }] = tracks;
  if (absent.length === tracks.length && Object.hasOwn(OF_THE_VIDEO, ofSpoken ?? ''))
    return OF_THE_VIDEO[ofSpoken](englishName(spoken));
  const reasons = Object.groupBy(absent, ({ reason }) => reason ?? 'engine_error');
  const parts = Object.entries(reasons).map(([reason, group]) => {
    const names = listed(group.map(({ language }) => englishName(language)));
    return OF_A_LANGUAGE[reason]?.(names) ?? `${reason.replaceAll('_', ' ')} for ${names}`;
  });
  const are = absent.length === 1 ? 'is' : 'are';
  return `${counted(absent.length, 'language')} ${are} not available: ${parts.join('; ')}.`;
}
