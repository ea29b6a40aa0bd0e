/** The storyboard: a WebVTT track whose cues name tiles of sheets by a media fragment (`#xywh=x,y,w,h`). */
const element = (id) => document.getElementById(id);
const MOST_TILES = 14;

const secondsOf = (clock) => clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** Cues with absolute sheet addresses. */
export const readTrack = (text, base) =>
  text.split(/\r?\n\r?\n/).flatMap((block) => {
    const [, from, to, address, x, y, width, height] =
      /([\d:.]+) --> ([\d:.]+).*\r?\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)/.exec(block) ?? [];
    if (address === undefined) return [];
    const [left, top, wide, high] = [x, y, width, height].map(Number);
    return [{ from: secondsOf(from), to: secondsOf(to), sheet: new URL(address, base).href, left, top, wide, high }];
  });

const picture = ({ sheet, left, top, wide, high }) => {
  const image = document.createElement('i');
  Object.assign(image.style, {
    width: `${wide}px`,
    height: `${high}px`,
    backgroundImage: `url("${sheet}")`,
    backgroundPosition: `-${left}px -${top}px`,
  });
  return image;
};

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** At most MOST_TILES of the cues, evenly spread. */
const spread = (cues) => {
  const step = Math.ceil(cues.length / MOST_TILES);
  return cues.filter((_cue, index) => index % step === 0);
};

const buildStrip = (cues, video) => {
  const strip = element('strip');
  const shown = spread(cues);
  const tiles = shown.map((cue) => {
    const tile = document.createElement('div');
    tile.className = 'tile';
    tile.append(picture(cue));
    return tile;
  });
  const needle = document.createElement('div');
  needle.className = 'needle';
  strip.replaceChildren(...tiles, needle);
  const fit = () => {
    const wide = strip.clientWidth / tiles.length;
    shown.forEach((cue, index) => {
      const scale = Math.max(wide / cue.wide, 64 / cue.high);
      strip.style.height = `${cue.high * scale}px`;
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
};

/** The tile under the pointer, enlarged, with its time; a click seeks there. */
const buildPeek = (strip, cues, video) => {
  const peek = document.createElement('div');
  peek.className = 'peek';
  const end = cues.at(-1).to;
  const timeAt = (event) => {
    const { left, width } = strip.getBoundingClientRect();
    return Math.min(end, Math.max(0, ((event.clientX - left) / width) * end));
  };
  strip.addEventListener('pointermove', (event) => {
    const seconds = timeAt(event);
    const cue = cues.findLast(({ from }) => from <= seconds) ?? cues[0];
    peek.replaceChildren(picture(cue), clock(seconds));
    const top = strip.getBoundingClientRect().top - cue.high - 36;
    Object.assign(peek.style, { left: `${event.clientX - cue.wide / 2}px`, top: `${top}px` });
    document.body.append(peek);
  });
  strip.addEventListener('pointerleave', () => peek.remove());
  strip.addEventListener('click', (event) => (video.currentTime = timeAt(event)));
};

/** Reads the track, which is beside the master, and builds the strip; without one the page says so. */
export const showStoryboard = (hls, events, video) => {
  hls.once(events.MANIFEST_LOADED, async (_event, { url }) => {
    try {
      const response = await fetch(new URL('storyboard.vtt', url));
      if (!response.ok) throw new Error(`its address answered ${response.status}`);
      const cues = readTrack(await response.text(), response.url);
      if (cues.length === 0) throw new Error('it has no pictures');
      buildPeek(buildStrip(cues, video), cues, video);
      document.body.dataset.tiles = String(cues.length);
    } catch (error) {
      element('storyboard-note').textContent = `no storyboard: ${error.message}`;
    }
  });
};
