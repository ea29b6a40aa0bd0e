/** The ladder: every rung, the playing one, and the one of each segment. */
const HUES = ['#5bc0be', '#ffd166', '#ef7b9c', '#9b8cff', '#7bd389', '#ff9f6b'];
const element = (id) => document.getElementById(id);
const nameOf = (level) => `${Math.min(level.width, level.height)}p`;
const hueOf = (index) => HUES[index % HUES.length];
const megabits = (bits) => `${(bits / 1e6).toFixed(2)} Mb/s`;

const rungItem = (level, index, widest) => {
  const item = document.createElement('li');
  item.className = 'rung';
  item.style.setProperty('--hue', hueOf(index));
  const rate = level.frameRate ? ` · ${Math.round(level.frameRate * 100) / 100} fps` : '';
  item.title = `${level.codecs ?? level.videoCodec ?? ''} – click to stay on this rung`;
  item.innerHTML = '<b></b><span></span><span></span><em></em>';
  const [name, size, bitrate, bar] = item.children;
  name.textContent = nameOf(level);
  size.textContent = `${level.width}×${level.height}${rate}`;
  bitrate.textContent = megabits(level.bitrate);
  bar.style.width = `${Math.round((level.bitrate / widest) * 100)}%`;
  return item;
};

/** The list, top rung first; a click pins a rung, the button returns the choice to the player. */
const showList = (hls, levels) => {
  const widest = Math.max(...levels.map((level) => level.bitrate));
  const items = levels.map((level, index) => rungItem(level, index, widest));
  const mark = () => element('auto').classList.toggle('on', hls.autoLevelEnabled);
  items.forEach((item, index) =>
    item.addEventListener('click', () => {
      hls.nextLevel = index;
      mark();
    }),
  );
  element('auto').onclick = () => {
    hls.nextLevel = -1;
    mark();
  };
  element('rungs').replaceChildren(...items.toReversed());
  return items;
};

/** One block for every segment, proportional to its duration, in the colour of the rung that played last. */
const showSegments = (fragments, seconds) => {
  const blocks = fragments.map(({ duration }) => {
    const block = document.createElement('span');
    block.style.flex = `${duration / seconds} 1 0`;
    return block;
  });
  element('segments').replaceChildren(...blocks);
  return blocks;
};

export const showRungs = (hls, events) => {
  let items = [];
  let blocks = [];
  const seen = new Set();
  hls.on(events.MANIFEST_PARSED, (_event, { levels }) => (items = showList(hls, levels)));
  hls.on(events.LEVEL_LOADED, (_event, { details }) => {
    if (blocks.length === 0) blocks = showSegments(details.fragments, details.totalduration);
  });
  hls.on(events.FRAG_CHANGED, (_event, { frag }) => {
    if (frag.type !== 'main') return;
    const level = hls.levels[frag.level];
    items.forEach((item, index) => item.classList.toggle('playing', index === frag.level));
    const block = blocks[frag.sn - (hls.levels[frag.level].details?.startSN ?? 0)];
    if (block !== undefined) {
      block.style.background = hueOf(frag.level);
      block.textContent = nameOf(level);
    }
    document.body.dataset.rungsSeen = [...seen.add(nameOf(level))].join(' ');
  });
};
