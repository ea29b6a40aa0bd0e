/** Caption tracks: the player's menu of the playable ones, and the list of all of them with their status. */
import { Events } from './stream.js';

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** Names that browsers lack. */
const OTHERS = {
  sc: 'Sardinian',
  frp: 'Arpitan',
  'ca-valencia': 'Valencian',
  'oc-aranes': 'Aranese',
  'oc-gascon': 'Gascon',
};

/** English name of a BCP 47 tag; the tag itself if there is none. */
const languageName = (tag) => {
  try {
    return OTHERS[tag] ?? names.of(tag);
  } catch {
    return tag;
  }
};

const option = (value, text, language) => {
  const made = document.createElement('option');
  made.value = value;
  made.textContent = text;
  if (language) made.lang = language;
  made.dir = 'auto';
  return made;
};

/**
 * Fills `select` with the stream's tracks (the option's value is the language, '' for none) and shows the selected one;
 * the browser's own menu and this one stay in sync.
 */
export const showCaptionMenu = (hls, select) => {
  const show = (language) => {
    const index = hls.subtitleTracks.findIndex(({ lang }) => lang === language);
    hls.subtitleDisplay = index >= 0;
    hls.subtitleTrack = index;
  };
  hls.on(Events.SUBTITLE_TRACKS_UPDATED, (_event, { subtitleTracks }) => {
    const chosen = select.value;
    const options = subtitleTracks.map(({ lang, name }) => option(lang, name, lang));
    select.replaceChildren(option('', 'off'), ...options);
    select.disabled = subtitleTracks.length === 0;
    select.value = subtitleTracks.some(({ lang }) => lang === chosen) ? chosen : '';
    show(select.value);
  });
  hls.on(Events.SUBTITLE_TRACK_SWITCH, (_event, { id }) => {
    if (hls.subtitleDisplay) select.value = hls.subtitleTracks[id]?.lang ?? '';
  });
  select.onchange = () => show(select.value);
};

const WORDS = {
  no_audio: 'the video has no sound',
  no_speech: 'nobody speaks',
  language_unsupported: 'the speech engine does not know this language',
  no_path: 'no engine translates into this language',
  engine_error: 'the engine failed',
};

/** Every track of the record, one per line, with its status and reason. */
export const listCaptions = (list, captions = []) => {
  const items = captions.map(({ language, kind, status, reason }) => {
    const item = document.createElement('li');
    const [name, tag, state] = ['b', 'span', 'i'].map((element) => document.createElement(element));
    name.textContent = languageName(language);
    tag.textContent = `${language} · ${kind}`;
    state.textContent = status;
    state.dataset.status = status;
    if (reason) item.title = WORDS[reason] ?? reason;
    if (reason) state.textContent = `${status}: ${reason.replaceAll('_', ' ')}`;
    item.append(name, tag, state);
    return item;
  });
  list.replaceChildren(...items);
  const ready = captions.filter(({ status }) => status === 'ready').length;
  return captions.length === 0 ? 'none are listed yet' : `${ready} of ${captions.length} ready`;
};
