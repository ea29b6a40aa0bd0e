/** The list of all caption tracks, beside the player's menu of the playable ones. */
import { counted, element, listed, make } from './dom.js';
import { englishName, ownName, whyAbsent } from './languages.js';

/** Keeps the list's buttons and the player's menu in step. */
export function followMenu(player) {
  const menu = element('captions');
  menu.addEventListener('change', () => markShown(menu.value));
  element('tracks').addEventListener('click', ({ target }) => {
    const language = target.closest('button')?.dataset.language;
    if (language !== undefined) player.showCaptions(language === menu.value ? '' : language);
  });
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
    ready.length === 0
      ? ''
      : `${ready.length} of ${tracks.length} ready, translated by machine unless they came in the file`;
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
  const from = { captions: 'spoken', provided: `${englishName(language)}, in the file` };
  const label = make('span', {}, from[kind] ?? englishName(language));
  return make('li', {}, make('button', { type: 'button', 'data-language': language }, own, label));
}

function absentItem({ language, status, reason }) {
  const why = reason ? ` (${reason.replaceAll('_', ' ')})` : '';
  return make('li', {}, make('b', {}, englishName(language)), ` ${status}${why}`);
}
