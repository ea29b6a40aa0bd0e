/** Keys of the player: space, arrows, digits, `c` captions, `f` full screen, `m` mute. */
const SEEK_SECONDS = 5;
const VOLUME_STEP = 0.1;

/**
 * Handles keys while the focus is in the player, or nowhere. Returns what ends that.
 * @param toggleCaptions hides or shows them
 */
export function handleKeys(player: HTMLElement, video: HTMLVideoElement, toggleCaptions: () => void): () => void {
  const actions: Readonly<Record<string, () => void>> = {
    // Rejected where a pause follows at once; what is wrong with the stream the player says itself.
    ' ': () => (video.paused ? void video.play().catch(() => undefined) : video.pause()),
    ArrowLeft: () => void (video.currentTime -= SEEK_SECONDS),
    ArrowRight: () => void (video.currentTime += SEEK_SECONDS),
    ArrowUp: () => void (video.volume = Math.min(1, video.volume + VOLUME_STEP)),
    ArrowDown: () => void (video.volume = Math.max(0, video.volume - VOLUME_STEP)),
    c: toggleCaptions,
    f: () => void (document.fullscreenElement ? document.exitFullscreen() : video.requestFullscreen()),
    m: () => void (video.muted = !video.muted),
  };
  const onKey = (event: KeyboardEvent): void => {
    const action = /^\d$/.test(event.key) ? () => seekTo(video, Number(event.key) / 10) : actions[event.key];
    const target = event.target as Element;
    const isElsewhere = target !== document.body && !player.contains(target);
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey || isElsewhere) return;
    if (belongsTo(target, event.key, video)) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  // Captures the event, because the video's own controls would handle it a second time.
  addEventListener('keydown', onKey, { capture: true });
  return () => removeEventListener('keydown', onKey, { capture: true });
}

/** @param part of the whole */
function seekTo(video: HTMLVideoElement, part: number): void {
  if (Number.isFinite(video.duration)) video.currentTime = video.duration * part;
}

/** Whether the focused element uses the key itself; the page's own scrolling goes on where the video is out of sight. */
function belongsTo(target: Element, key: string, video: HTMLVideoElement): boolean {
  if (target.matches('input, select, textarea')) return true;
  if (key === ' ') return target.matches('button, a, summary');
  if (key === 'ArrowUp' || key === 'ArrowDown') return target !== video;
  return false;
}
