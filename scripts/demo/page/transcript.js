/** The transcript: the cues of the shown track, or of the spoken one; it follows the picture and jumps by click. */
import { clock, element, make } from './dom.js';
import { Events } from './events.js';

/** Cues of a WebVTT file: seconds, and text without mark-up. */
export function readCues(text) {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const [, from, to, lines] = /([\d:.]+) --> ([\d:.]+)[^\n]*\n([^]*)/.exec(block) ?? [];
    if (lines === undefined) return [];
    const cue = new VTTCue(secondsOf(from), secondsOf(to), lines);
    return [
      { from: cue.startTime, to: cue.endTime, text: cue.getCueAsHTML().textContent.replaceAll(/\s+/g, ' ').trim() },
    ];
  });
}

/** Seconds of a WebVTT timestamp. */
export function secondsOf(timestamp) {
  return timestamp.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Shows the transcript of the stream's tracks. */
export function showTranscript(hls, video) {
  let lines = [];
  let current = -1;
  let loaded;
  const load = async () => {
    // The spoken language is the first track.
    const track = hls.subtitleTracks[hls.subtitleTrack] ?? hls.subtitleTracks[0];
    if (track === undefined || track.url === loaded) return;
    loaded = track.url;
    try {
      const response = await fetch(new URL('captions.vtt', track.url));
      if (!response.ok) throw new Error(`its address answered ${response.status}`);
      const cues = readCues(await response.text());
      if (track.url !== loaded) return;
      current = -1;
      lines = fill(cues, track.lang, video);
      follow();
    } catch (error) {
      element('transcript-note').textContent = `The transcript cannot be read: ${error.message}.`;
    }
  };
  const follow = () => {
    const now = lines.findLastIndex(({ from }) => from <= video.currentTime);
    if (now === current) return;
    lines[current]?.item.removeAttribute('aria-current');
    current = now;
    lines[now]?.item.setAttribute('aria-current', 'true');
    if (lines[now]) keepInSight(lines[now].item);
  };
  hls.on(Events.SUBTITLE_TRACKS_UPDATED, () => void load());
  hls.on(Events.SUBTITLE_TRACK_SWITCH, () => void load());
  video.addEventListener('timeupdate', follow);
  video.addEventListener('seeking', follow);
}

function fill(cues, language, video) {
  const lines = cues.map(({ from, text }) => {
    const words = make('span', { lang: language, dir: 'auto' }, text);
    const item = make('button', { type: 'button' }, make('time', {}, clock(from)), words);
    item.addEventListener('click', () => (video.currentTime = from));
    return { from, item };
  });
  element('transcript').replaceChildren(...lines.map(({ item }) => make('li', {}, item)));
  element('transcript-card').hidden = lines.length === 0;
  element('transcript-note').textContent = '';
  document.body.dataset.transcript = language;
  return lines;
}

/** Scrolls the list, never the page, and not while the reader is in it. */
function keepInSight(item) {
  const list = element('transcript');
  if (list.matches(':hover') || list.contains(document.activeElement)) return;
  list.scrollTo({ top: item.offsetTop - list.clientHeight / 3, behavior: 'smooth' });
}
