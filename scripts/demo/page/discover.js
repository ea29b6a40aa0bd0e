/** Feed, search with snippets that seek the player to the second, and videos similar to the playing one. Read-only. */
import { fetchJson, withQuery } from './api.js';
import { showCaptionMenu } from './captions.js';
import { card, clock } from './results.js';
import { openStream } from './stream.js';

const element = (id) => document.getElementById(id);
const video = element('video');
const state = { query: '', sport: '', cursor: '', sports: new Set(), hls: undefined, playing: undefined };

const say = (text) => (element('said').textContent = text);

/** Discards responses that arrive after a newer request. */
let question = 0;

const open = async (item, atMs) => {
  state.hls?.destroy();
  state.playing = item.video_id;
  document.body.dataset.playing = '';
  state.hls = await openStream(video, item.video_id, atMs / 1_000, {
    failed: say,
    before: (hls) => showCaptionMenu(hls, element('captions')),
  });
  document.body.dataset.playing = item.video_id;
  element('more-about').href = withQuery('./', { v: item.video_id });
  element('stage').hidden = false;
};

const play = async (item, atMs) => {
  try {
    element('now').textContent = item.title;
    if (state.playing === item.video_id) video.currentTime = atMs / 1_000;
    else await open(item, atMs);
    // Browsers may require a click before playing sound; the controls allow it.
    video.play().catch(() => undefined);
    say(`Playing ${item.title} from ${clock(atMs)}.`);
    const { items } = await fetchJson(withQuery('api/similar', { v: item.video_id }));
    element('similar').replaceChildren(...items.map((one) => card(one, play)));
    element('similar-note').hidden = items.length > 0;
  } catch (error) {
    say(error.message);
  }
};

/** A button for each sport seen so far; the selected one filters the feed and the search. */
const showSports = () => {
  const buttons = ['', ...[...state.sports].toSorted((a, b) => a.localeCompare(b))].map((sport) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = sport === '' ? 'everything' : sport.replaceAll('_', ' ');
    made.dataset.sport = sport;
    made.setAttribute('aria-pressed', String(sport === state.sport));
    made.addEventListener('click', () => {
      state.sport = sport;
      void ask();
    });
    return made;
  });
  element('sports').replaceChildren(...buttons);
};

const answer = async () => {
  const { query, sport, cursor } = state;
  if (query === '') return { hits: (await page('api/feed', { sport, cursor })).items.map((item) => ({ item })) };
  return page('api/search', { q: query, sport, cursor });
};

const page = async (path, parameters) => {
  const found = await fetchJson(withQuery(path, parameters));
  state.cursor = found.next_cursor ?? '';
  return found;
};

const counted = (total, shown) => {
  if (total === undefined) return shown === 0 ? 'Nothing is in this feed yet.' : '';
  return total === 0 ? 'Nothing was found.' : `${total} found.`;
};

/** Requests the first page, or with `more` the next one, and shows it. */
const ask = async (more = false) => {
  const mine = ++question;
  if (!more) state.cursor = '';
  try {
    const { hits, total } = await answer();
    if (mine !== question) return;
    for (const { item } of hits) if (item.sport) state.sports.add(item.sport);
    showSports();
    const cards = hits.map(({ item, snippets }) => card(item, play, snippets));
    if (more) element('results').append(...cards);
    else element('results').replaceChildren(...cards);
    element('more').hidden = state.cursor === '';
    element('heading').textContent = state.query === '' ? 'Feed' : 'Found';
    say(counted(total, hits.length));
    document.body.dataset.state = 'shown';
  } catch (error) {
    if (mine === question) say(error.message);
    document.body.dataset.state = 'failed';
  }
};

element('search').addEventListener('submit', (event) => {
  event.preventDefault();
  state.query = element('query').value.trim();
  void ask();
});
element('query').addEventListener('input', () => {
  if (element('query').value !== '' || state.query === '') return;
  state.query = '';
  void ask();
});
element('more').addEventListener('click', () => void ask(true));

void ask();
