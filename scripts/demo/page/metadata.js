/** What the service found in the video: chapters, scenes, topics, labels, and text on screen. */
import { clock, element, make, words } from './dom.js';
import { pictureAt } from './player/player.ts';

const MOST_PLACES = 6;

/**
 * Fills the panels; those without content stay hidden.
 * @param metadata of `api/details`, or null
 */
export function showMetadata(metadata, video) {
  const { topics = [], labels = [], screen_texts: texts = [] } = metadata ?? {};
  const jump = (ms) => jumpButton(video, ms / 1_000);
  fill('topics', topics.map(topicItem));
  fill(
    'labels',
    labels.map((label) => labelItem(label, jump)),
  );
  fill(
    'texts',
    texts.map(({ text, start_ms: at }) => make('li', {}, jump(at), make('span', { dir: 'auto' }, text))),
  );
  const found = topics.length + labels.length + texts.length > 0;
  element('no-metadata').hidden = found;
  if (metadata) element('no-metadata').textContent = 'Nothing was recognized in it.';
}

function fill(id, items) {
  element(id).replaceChildren(...items);
  element(`${id}-part`).hidden = items.length === 0;
}

function jumpButton(video, seconds) {
  const made = make('button', { type: 'button', className: 'jump', 'aria-label': `Play from ${clock(seconds)}` });
  made.textContent = clock(seconds);
  made.addEventListener('click', () => (video.currentTime = seconds));
  return made;
}

function topicItem({ name, score, evidence = [] }) {
  const meter = make('meter', { min: 0, max: 1, value: score, 'aria-label': `Score of ${name}` });
  const places = [...new Set(evidence.map(({ where }) => where))];
  const title = places.length === 0 ? '' : `from ${places.join(', ')}`;
  return make('li', { title }, make('b', { dir: 'auto' }, name), meter, make('span', {}, score.toFixed(2)));
}

/** `shot:slow_motion` as `slow motion`, with what it was taken from and where. */
function labelItem({ name, source, confidence, spans = [] }, jump) {
  const title = make('b', {}, words(name.slice(name.indexOf(':') + 1)));
  const about = make('span', {}, `${words(name.split(':')[0])} · ${source} · ${Math.round(confidence * 100)} %`);
  const places = spans.slice(0, MOST_PLACES).map(({ start_ms: at }) => jump(at));
  return make('li', {}, title, about, make('span', { className: 'places' }, ...places));
}

/**
 * The chapters of the player, or the scenes of a video that is too short for any.
 * @param metadata of `api/details`, or null
 */
export function chaptersOf(metadata) {
  const { chapters = [], scenes = [] } = metadata ?? {};
  if (chapters.length === 0)
    return scenes.map(({ start_ms: startMs }, index) => ({ startMs, title: `Scene ${index + 1}` }));
  return chapters.map(({ start_ms: startMs, title, titles = [] }) => ({
    ...{ startMs, title },
    titles: Object.fromEntries(titles.map(({ language_code: language, title: text }) => [language, text])),
  }));
}

/**
 * A list of the scenes with pictures.
 * @param cues of the storyboard
 */
export function showScenes(scenes, cues, video) {
  const items = scenes.map((scene, index) => sceneItem(scene, index, cues, video));
  fill(
    'scenes',
    items.map((item) => make('li', {}, item)),
  );
  element('scenes-card').hidden = items.length === 0;
  let current = -1;
  video.addEventListener('timeupdate', () => {
    const now = scenes.findLastIndex(({ start_ms: from }) => from <= video.currentTime * 1_000);
    if (now === current) return;
    items[current]?.removeAttribute('aria-current');
    items[now]?.setAttribute('aria-current', 'true');
    current = now;
  });
}

function sceneItem({ start_ms: from, thumbnail_ms: thumbnail }, index, cues, video) {
  const name = make('span', {}, `Scene ${index + 1}`);
  const item = make('button', { type: 'button' }, name, make('time', {}, clock(from / 1_000)));
  if (cues.length > 0) item.prepend(make('span', { className: 'thumb' }, pictureAt(cues, thumbnail / 1_000)));
  item.addEventListener('click', () => (video.currentTime = from / 1_000));
  return item;
}
