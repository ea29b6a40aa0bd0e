/** The keyboard: keys of the player, and the dialog that lists them. */
import { element } from './dom.js';

const SEEK_SECONDS = 5;
const VOLUME_STEP = 0.1;

/**
 * Handles keys everywhere on the page but in fields, and with `?` shows the list of them.
 * @param captions toggles the captions
 */
export function handleKeys(video, captions) {
  const help = element('help');
  element('help-button').addEventListener('click', () => help.showModal());
  const actions = {
    // Rejected where a pause follows at once; what is wrong with the stream the player says itself.
    ' ': () => (video.paused ? void video.play().catch(() => undefined) : video.pause()),
    ArrowLeft: () => (video.currentTime -= SEEK_SECONDS),
    ArrowRight: () => (video.currentTime += SEEK_SECONDS),
    ArrowUp: () => (video.volume = Math.min(1, video.volume + VOLUME_STEP)),
    ArrowDown: () => (video.volume = Math.max(0, video.volume - VOLUME_STEP)),
    c: captions,
    f: () => void (document.fullscreenElement ? document.exitFullscreen() : video.requestFullscreen()),
    m: () => (video.muted = !video.muted),
    '?': () => help.showModal(),
  };
  const seekTo = (key) => Number.isFinite(video.duration) && (video.currentTime = (video.duration * Number(key)) / 10);
  // Captures the event, because the video's own controls would handle it a second time.
  addEventListener(
    'keydown',
    (event) => {
      const action = actions[event.key] ?? (/^\d$/.test(event.key) ? () => seekTo(event.key) : undefined);
      if (action === undefined || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
      if (belongsTo(event.target, event.key, video)) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    },
    { capture: true },
  );
}

/** Whether the focused element uses the key itself; the page's own scrolling goes on where the video is out of sight. */
function belongsTo(target, key, video) {
  if (target.matches?.('input, select, textarea')) return true;
  if (key === ' ') return target.matches?.('button, a, summary') ?? false;
  if (key === 'ArrowUp' || key === 'ArrowDown') return target !== video;
  return false;
}
