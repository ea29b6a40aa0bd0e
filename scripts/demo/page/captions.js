/** Caption tracks: the player's menu of the playable ones, and the list of all of them. */
import { counted, element, listed, make } from './dom.js';
import { englishName, ownName, whyAbsent } from './languages.js';
import { Events } from './stream.js';

/**
 * Fills `#captions` with the stream's tracks, each in its language's own name (the option's value is the language, ''
 * for none). The browser's own menu and this one stay in sync. Returns the function that hides the captions, or shows
 * those that were shown last.
 */
export function captionMenu(hls) {
  const select = element('captions');
  let last;
  const show = (language) => {
    if (language !== '') last = language;
    const index = hls.subtitleTracks.findIndex(({ lang }) => lang === language);
    hls.subtitleDisplay = index >= 0;
    hls.subtitleTrack = index;
    select.value = index >= 0 ? language : '';
    markShown(select.value);
  };
  hls.on(Events.SUBTITLE_TRACKS_UPDATED, (_event, { subtitleTracks }) => {
    const chosen = select.value;
    const options = subtitleTracks.map(({ lang, name }) => make('option', { value: lang, lang, dir: 'auto' }, name));
    select.replaceChildren(make('option', { value: '' }, subtitleTracks.length === 0 ? 'none' : 'off'), ...options);
    select.disabled = subtitleTracks.length === 0;
    show(subtitleTracks.some(({ lang }) => lang === chosen) ? chosen : '');
  });
  hls.on(Events.SUBTITLE_TRACK_SWITCH, (_event, { id }) => {
    if (!hls.subtitleDisplay) return;
    select.value = hls.subtitleTracks[id]?.lang ?? '';
    markShown(select.value);
  });
  select.addEventListener('change', () => show(select.value));
  element('tracks').addEventListener('click', ({ target }) => {
    const language = target.closest('button')?.dataset.language;
    if (language !== undefined) show(language === select.value ? '' : language);
  });
  // The spoken language is the first track.
  return () => show(select.value === '' ? (last ?? hls.subtitleTracks[0]?.lang ?? '') : '');
}

function markShown(language) {
  for (const button of element('tracks').querySelectorAll('button'))
    button.setAttribute('aria-pressed', String(button.dataset.language === language));
}

/** The ready tracks as buttons; the others behind one line that says why they are absent. */
export function listCaptions(tracks = []) {
  const of = (status) => tracks.filter((track) => track.status === status);
  const [ready, processing] = [of('ready'), of('processing')];
  const why = whyAbsent(tracks);
  element('tracks').replaceChildren(...ready.map(trackItem));
  element('tracks-note').textContent =
    ready.length === 0 ? '' : `${ready.length} of ${tracks.length} ready, translated by machine`;
  element('tracks-progress').textContent = progressLine(processing);
  // A reason of the whole video is said in one line: there is nothing to unfold.
  const none = ready.length + processing.length === 0;
  element('no-tracks').textContent = none ? why || 'No captions yet.' : '';
  element('absent').hidden = none || why === '';
  element('why-absent').textContent = why;
  const absent = tracks.filter(({ status }) => status === 'failed' || status === 'skipped');
  element('absent-tracks').replaceChildren(...absent.map(absentItem));
  markShown(element('captions').value);
}

function progressLine(tracks) {
  if (tracks.length === 0) return '';
  return `${counted(tracks.length, 'language')} in progress: ${listed(tracks.map(({ language }) => englishName(language)))}.`;
}

function trackItem({ language, kind }) {
  const own = make('b', { lang: language, dir: 'auto' }, ownName(language));
  const label = make('span', {}, kind === 'captions' ? 'spoken' : englishName(language));
  return make('li', {}, make('button', { type: 'button', 'data-language': language }, own, label));
}

function absentItem({ language, status, reason }) {
  const why = reason ? ` (${reason.replaceAll('_', ' ')})` : '';
  return make('li', {}, make('b', {}, englishName(language)), ` ${status}${why}`);
}
