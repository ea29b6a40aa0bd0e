/** The menus of quality and speed, and the details of the stream: its rungs and what was measured. */
import { element, make } from './dom.js';
import { Events } from './events.js';

const HUES = ['#5bc0be', '#ffd166', '#ef7b9c', '#9b8cff', '#7bd389', '#ff9f6b'];

function nameOf({ width, height }) {
  return `${Math.min(width, height)}p`;
}

/** `#quality` pins a rung, or leaves the choice to the player; `#speed` sets the speed. */
export function playbackMenus(hls, video) {
  const quality = element('quality');
  hls.on(Events.MANIFEST_PARSED, (_event, { levels }) => {
    const rungs = levels.map((level, index) => make('option', { value: String(index) }, nameOf(level))).toReversed();
    quality.replaceChildren(make('option', { value: '-1' }, 'automatic'), ...rungs);
    quality.disabled = false;
  });
  quality.addEventListener('change', () => (hls.nextLevel = Number(quality.value)));
  const speed = element('speed');
  speed.addEventListener('change', () => (video.playbackRate = Number(speed.value)));
  video.addEventListener('ratechange', () => (speed.value = String(video.playbackRate)));
}

/** The ladder with the playing rung, one block for every segment in its rung's colour, and the measurements. */
export function showStream(hls, video) {
  let items = [];
  let blocks = [];
  const seen = new Set();
  hls.on(Events.MANIFEST_PARSED, (_event, { levels }) => {
    items = levels.map(rungItem);
    element('rungs').replaceChildren(...items.toReversed());
  });
  hls.on(Events.LEVEL_LOADED, (_event, { details }) => {
    if (blocks.length === 0) blocks = showSegments(details.fragments, details.totalduration);
  });
  hls.on(Events.FRAG_CHANGED, (_event, { frag }) => {
    if (frag.type !== 'main') return;
    const level = hls.levels[frag.level];
    items.forEach((item, index) => item.classList.toggle('playing', index === frag.level));
    const block = blocks[frag.sn - (level.details?.startSN ?? 0)];
    if (block !== undefined) {
      block.style.background = HUES[frag.level % HUES.length];
      block.title = nameOf(level);
    }
    document.body.dataset.rungsSeen = [...seen.add(nameOf(level))].join(' ');
  });
  setInterval(() => showNumbers(hls, video), 500);
}

function rungItem({ width, height, frameRate, bitrate, ...level }, index) {
  const rate = frameRate ? ` · ${Math.round(frameRate * 100) / 100} fps` : '';
  const name = make('b', {}, nameOf({ width, height }));
  const size = make('span', {}, `${width}×${height}${rate}`);
  const bits = make('span', {}, `${(bitrate / 1e6).toFixed(2)} Mb/s`);
  const item = make('li', { className: 'rung', title: level.codecs ?? level.videoCodec ?? '' }, name, size, bits);
  item.style.setProperty('--hue', HUES[index % HUES.length]);
  return item;
}

function showSegments(fragments, seconds) {
  const blocks = fragments.map(({ duration }) => {
    const block = make('span');
    block.style.flex = `${duration / seconds} 1 0`;
    return block;
  });
  element('segments').replaceChildren(...blocks);
  return blocks;
}

function showNumbers(hls, video) {
  const megabits = hls.bandwidthEstimate / 1e6;
  element('bandwidth').textContent = Number.isFinite(megabits) ? `${megabits.toFixed(1)} Mb/s` : '–';
  element('buffer').textContent = `${bufferedAhead(video).toFixed(1)} s`;
  element('dropped').textContent = String(video.getVideoPlaybackQuality().droppedVideoFrames);
}

function bufferedAhead({ buffered, currentTime }) {
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime + 0.1 && currentTime <= buffered.end(index))
      return buffered.end(index) - currentTime;
  }
  return 0;
}
