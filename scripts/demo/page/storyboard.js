/**
 * The timeline: pictures of the storyboard with the scenes below them. The storyboard is a WebVTT track whose cues name
 * tiles of sheets by a media fragment (`#xywh=x,y,w,h`).
 */
import { clock, element, make } from './dom.js';
import { Events } from './stream.js';
import { secondsOf } from './transcript.js';

const MOST_TILES = 14;

/** Cues with absolute sheet addresses. */
export function readTrack(text, base) {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const [, from, to, address, x, y, width, height] =
      /([\d:.]+) --> ([\d:.]+).*\r?\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)/.exec(block) ?? [];
    if (address === undefined) return [];
    const [left, top, wide, high] = [x, y, width, height].map(Number);
    return [{ from: secondsOf(from), to: secondsOf(to), sheet: new URL(address, base).href, left, top, wide, high }];
  });
}

/** The storyboard's picture of a second, as an element of the picture's own size. */
export function pictureAt(cues, seconds) {
  const { sheet, left, top, wide, high } = cues.findLast(({ from }) => from <= seconds) ?? cues[0];
  const image = make('i');
  Object.assign(image.style, {
    width: `${wide}px`,
    height: `${high}px`,
    backgroundImage: `url("${sheet}")`,
    backgroundPosition: `-${left}px -${top}px`,
  });
  return image;
}

/** Reads the track, which is beside the master, and builds the strip. Resolves with the cues; none if it has none. */
export function showStoryboard(hls, video) {
  return new Promise((resolve) => {
    hls.once(Events.MANIFEST_LOADED, async (_event, { url }) => {
      try {
        const response = await fetch(new URL('storyboard.vtt', url));
        if (!response.ok) throw new Error(`its address answered ${response.status}`);
        const cues = readTrack(await response.text(), response.url);
        if (cues.length === 0) throw new Error('it has no pictures');
        enlargePointedTile(buildStrip(cues, video), cues, video);
        document.body.dataset.tiles = String(cues.length);
        resolve(cues);
      } catch (error) {
        element('timeline-note').textContent = `No storyboard: ${error.message}.`;
        resolve([]);
      }
    });
  });
}

function buildStrip(cues, video) {
  const strip = element('strip');
  const step = Math.ceil(cues.length / MOST_TILES);
  const shown = cues.filter((_cue, index) => index % step === 0);
  const tiles = shown.map(({ from }) => make('div', { className: 'tile' }, pictureAt(cues, from)));
  const needle = make('div', { className: 'needle' });
  strip.replaceChildren(...tiles, needle);
  const fit = () => {
    const wide = strip.clientWidth / tiles.length;
    shown.forEach((cue, index) => {
      const scale = Math.max(wide / cue.wide, 64 / cue.high);
      strip.style.height = `${Math.min(cue.high * scale, 96)}px`;
      tiles[index].firstElementChild.style.transform = `scale(${scale}) translateX(-50%)`;
    });
  };
  new ResizeObserver(fit).observe(strip);
  const end = cues.at(-1).to;
  const follow = () => {
    needle.style.left = `${(video.currentTime / end) * 100}%`;
    tiles.forEach((tile, index) => tile.classList.toggle('past', shown[index].from <= video.currentTime));
    requestAnimationFrame(follow);
  };
  follow();
  return strip;
}

/** The tile under the pointer, enlarged, with its time; a click seeks there. */
function enlargePointedTile(strip, cues, video) {
  const peek = make('div', { className: 'peek' });
  const end = cues.at(-1).to;
  const timeAt = ({ clientX }) => {
    const { left, width } = strip.getBoundingClientRect();
    return Math.min(end, Math.max(0, ((clientX - left) / width) * end));
  };
  strip.addEventListener('pointermove', (event) => {
    const seconds = timeAt(event);
    const { wide, high } = cues[0];
    peek.replaceChildren(pictureAt(cues, seconds), clock(seconds));
    const left = Math.min(innerWidth - wide - 16, Math.max(8, event.clientX - wide / 2));
    Object.assign(peek.style, { left: `${left}px`, top: `${strip.getBoundingClientRect().top - high - 36}px` });
    document.body.append(peek);
  });
  strip.addEventListener('pointerleave', () => peek.remove());
  strip.addEventListener('click', (event) => (video.currentTime = timeAt(event)));
}
