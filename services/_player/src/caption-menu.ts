/** The menu of captions: the stream's tracks, each in its language's own name. */
import Hls from 'hls.js';

export type CaptionMenu = {
  /** @param language of a track; '' for none */
  readonly show: (language: string) => void;
  readonly toggle: () => void;
};

/**
 * Fills the menu; an option's value is the language, '' for none. The browser's own menu and this one stay in sync. The
 * menu fires `change` whenever another track is shown.
 */
export function captionMenu(hls: Hls, menu: HTMLSelectElement): CaptionMenu {
  let last: string | undefined;
  const select = (language: string): void => {
    const isOther = menu.value !== language;
    menu.value = language;
    if (isOther) menu.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const show = (language: string): void => {
    if (language !== '') last = language;
    const index = hls.subtitleTracks.findIndex(({ lang }) => lang === language);
    hls.subtitleDisplay = index >= 0;
    hls.subtitleTrack = index;
    select(index >= 0 ? language : '');
  };
  hls.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, (_event, { subtitleTracks }) => {
    const chosen = menu.value;
    const none = optionOf('', '', subtitleTracks.length === 0 ? 'none' : 'off');
    menu.replaceChildren(none, ...subtitleTracks.map(({ lang = '', name }) => optionOf(lang, lang, name)));
    menu.disabled = subtitleTracks.length === 0;
    show(subtitleTracks.some(({ lang }) => lang === chosen) ? chosen : '');
  });
  hls.on(Hls.Events.SUBTITLE_TRACK_SWITCH, (_event, { id }) => {
    if (hls.subtitleDisplay) select(hls.subtitleTracks[id]?.lang ?? '');
  });
  // The viewer's own choice; what `select` fires is shown already.
  menu.addEventListener('input', () => show(menu.value));
  return {
    show,
    // The spoken language is the first track.
    toggle: () => show(menu.value === '' ? (last ?? hls.subtitleTracks[0]?.lang ?? '') : ''),
  };
}

function optionOf(value: string, lang: string, text: string): HTMLOptionElement {
  const option = document.createElement('option');
  return Object.assign(option, { value, lang, dir: 'auto', textContent: text });
}
