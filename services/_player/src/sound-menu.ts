/** The menu of the stream's tracks of sound, as the stream names them; hidden where there is no choice. */
import Hls from 'hls.js';

/** Fills the menu; an option's value is the track's place. The menu fires `change` whenever another track is heard. */
export function soundMenu(hls: Hls, menu: HTMLSelectElement): void {
  const select = (place: number): void => {
    const isOther = menu.selectedIndex !== place;
    menu.selectedIndex = place;
    if (isOther) menu.dispatchEvent(new Event('change', { bubbles: true }));
  };
  menu.hidden = true;
  hls.on(Hls.Events.AUDIO_TRACKS_UPDATED, (_event, { audioTracks }) => {
    menu.replaceChildren(
      ...audioTracks.map(({ lang = '', name }, place) =>
        Object.assign(document.createElement('option'), { value: String(place), lang, dir: 'auto', textContent: name }),
      ),
    );
    menu.hidden = audioTracks.length < 2;
    select(hls.audioTrack);
  });
  hls.on(Hls.Events.AUDIO_TRACK_SWITCHED, () => select(hls.audioTrack));
  menu.addEventListener('input', () => (hls.audioTrack = menu.selectedIndex));
}
