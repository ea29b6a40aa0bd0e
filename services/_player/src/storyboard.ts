/** The storyboard: a strip of pictures to seek by. */
import { clock } from './clock.ts';

/**
 * A tile of a sheet, which a cue of the WebVTT track names by a media fragment (`#xywh=x,y,w,h`).
 */
export type StoryboardPicture = {
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  /** Absolute address of the sheet. */
  readonly sheet: string;
  readonly left: number;
  readonly top: number;
  readonly wide: number;
  readonly high: number;
};

const MAX_TILES = 14;
const STRIP_HEIGHT = { min: 64, max: 96 };

/** The track's pictures, with absolute addresses of their sheets; cues that name no picture are left out. */
export function readStoryboard(text: string, base: string): StoryboardPicture[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const [, from = '', to = '', address, ...place] =
      /([\d:.]+) --> ([\d:.]+).*\r?\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)/.exec(block) ?? [];
    if (address === undefined) return [];
    const [left = 0, top = 0, wide = 0, high = 0] = place.map(Number);
    return [{ from: secondsOf(from), to: secondsOf(to), sheet: new URL(address, base).href, left, top, wide, high }];
  });
}

/** The picture of a second, as an element of the picture's own size. */
export function pictureAt(pictures: readonly StoryboardPicture[], seconds: number): HTMLElement {
  const picture = document.createElement('i');
  const shown = pictures.findLast(({ from }) => from <= seconds) ?? pictures[0];
  if (!shown) return picture;
  const { sheet, left, top, wide, high } = shown;
  Object.assign(picture.style, {
    display: 'block',
    width: `${wide}px`,
    height: `${high}px`,
    backgroundImage: `url("${sheet}")`,
    backgroundPosition: `-${left}px -${top}px`,
  });
  return picture;
}

/** Reads the track and builds the strip; a video without pictures has none. */
export function showStoryboard(strip: HTMLElement, video: HTMLVideoElement, track: URL) {
  const closing = new AbortController();
  const { signal } = closing;
  const pictures = readTrack(track, signal).then((found) => {
    if (!signal.aborted && found.length > 0) {
      buildStrip(strip, video, found, signal);
      enlargePointedTile(strip, video, found, signal);
    }
    return found;
  });
  const close = (): void => {
    closing.abort();
    strip.replaceChildren();
  };
  return { pictures, close };
}

async function readTrack(track: URL, signal: AbortSignal): Promise<StoryboardPicture[]> {
  try {
    const response = await fetch(track, { signal });
    return response.ok ? readStoryboard(await response.text(), response.url) : [];
  } catch {
    return []; // the video plays without them
  }
}

function buildStrip(
  strip: HTMLElement,
  video: HTMLVideoElement,
  pictures: readonly StoryboardPicture[],
  signal: AbortSignal,
): void {
  const step = Math.ceil(pictures.length / MAX_TILES);
  const shown = pictures.filter((_picture, index) => index % step === 0);
  const tiles = shown.map(({ from }) => {
    const tile = document.createElement('div');
    tile.className = 'tile';
    tile.append(pictureAt(pictures, from));
    return tile;
  });
  const needle = document.createElement('div');
  needle.className = 'needle';
  strip.replaceChildren(...tiles, needle);
  const resized = new ResizeObserver(() => fitTiles(strip, shown, tiles));
  resized.observe(strip);
  signal.addEventListener('abort', () => resized.disconnect());
  const end = pictures.at(-1)?.to ?? 1;
  const follow = (): void => {
    if (signal.aborted) return;
    needle.style.left = `${(video.currentTime / end) * 100}%`;
    tiles.forEach((tile, index) => tile.classList.toggle('past', (shown[index]?.from ?? 0) <= video.currentTime));
    requestAnimationFrame(follow);
  };
  follow();
}

function fitTiles(strip: HTMLElement, shown: readonly StoryboardPicture[], tiles: readonly HTMLElement[]): void {
  const wide = strip.clientWidth / tiles.length;
  shown.forEach((picture, index) => {
    const scale = Math.max(wide / picture.wide, STRIP_HEIGHT.min / picture.high);
    strip.style.height = `${Math.min(picture.high * scale, STRIP_HEIGHT.max)}px`;
    const image = tiles[index]?.firstElementChild as HTMLElement | null;
    if (image) image.style.transform = `scale(${scale}) translateX(-50%)`;
  });
}

/** The tile under the pointer, enlarged, with its time; a click seeks there. */
function enlargePointedTile(
  strip: HTMLElement,
  video: HTMLVideoElement,
  pictures: readonly StoryboardPicture[],
  signal: AbortSignal,
): void {
  const peek = document.createElement('div');
  peek.className = 'peek';
  const end = pictures.at(-1)?.to ?? 0;
  const timeAt = ({ clientX }: MouseEvent): number => {
    const { left, width } = strip.getBoundingClientRect();
    return Math.min(end, Math.max(0, ((clientX - left) / width) * end));
  };
  const point = (event: MouseEvent): void => {
    const seconds = timeAt(event);
    const { wide = 0, high = 0 } = pictures[0] ?? {};
    peek.replaceChildren(pictureAt(pictures, seconds), clock(seconds));
    const left = Math.min(innerWidth - wide - 16, Math.max(8, event.clientX - wide / 2));
    Object.assign(peek.style, { left: `${left}px`, top: `${strip.getBoundingClientRect().top - high - 36}px` });
    document.body.append(peek);
  };
  strip.addEventListener('pointermove', point, { signal });
  strip.addEventListener('pointerleave', () => peek.remove(), { signal });
  strip.addEventListener('click', (event) => (video.currentTime = timeAt(event)), { signal });
  signal.addEventListener('abort', () => peek.remove());
}

/** Seconds of a WebVTT timestamp. */
function secondsOf(timestamp: string): number {
  return timestamp.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
}
