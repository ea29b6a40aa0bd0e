/** Feed and search. The query and the filters are in the page's address; hits open the player at their second. */
import { fetchJson, sentence, withQuery } from './api.js';
import { counted, element, make, words } from './dom.js';
import { card } from './results.js';

const DEBOUNCE_MS = 200;
/** Fewer videos than this leave room to say how more get there. */
const FEW = 4;
const FILTERS = ['sport', 'category'];

/** Every value of a filter seen so far. */
const seen = { sport: new Set(), category: new Set() };
let state = readAddress();
let cursor = '';
let running = new AbortController();
let typing;

element('query').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => go({ q: element('query').value.trim() }), DEBOUNCE_MS);
});
element('search').addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(typing);
  go({ q: element('query').value.trim() });
});
element('filters').addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (button) go({ [button.dataset.filter]: button.dataset.value });
});
element('more').addEventListener('click', () => void ask(true));
addEventListener('popstate', () => {
  state = readAddress();
  showAddress();
  void ask();
});

showAddress();
void ask();
if (isFiltered()) void learnFilters();

function readAddress() {
  const given = new URLSearchParams(location.search);
  return Object.fromEntries(['q', ...FILTERS].map((name) => [name, given.get(name) ?? '']));
}

function showAddress() {
  element('query').value = state.q;
  showFilters();
}

/** Changes the address and asks. The letters of one query are one entry of the history, so that "back" leaves it. */
function go(change) {
  const before = state;
  state = { ...state, ...change };
  const address = withQuery(location.pathname, state);
  if (address === withQuery(location.pathname, before)) return;
  const retyped = 'q' in change && before.q !== '' && state.q !== '';
  if (retyped) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  showFilters();
  void ask();
}

function isFiltered() {
  return Object.values(state).some((value) => value !== '');
}

/** A button for each value of a filter seen so far; pressed is the chosen one. */
function showFilters() {
  const groups = FILTERS.map((filter) => {
    const values = [...new Set([...seen[filter], state[filter]])]
      .filter(Boolean)
      .toSorted((a, b) => a.localeCompare(b));
    if (values.length === 0) return '';
    const buttons = ['', ...values].map((value) =>
      make(
        'button',
        { type: 'button', 'data-filter': filter, 'data-value': value, 'aria-pressed': String(value === state[filter]) },
        value === '' ? 'all' : words(value),
      ),
    );
    return make('div', { role: 'group', 'aria-label': filter }, make('b', {}, filter), ...buttons);
  });
  element('filters').replaceChildren(...groups.filter(Boolean));
}

/** A page opened with a filter still offers the others. */
async function learnFilters() {
  const { items } = await fetchJson('api/feed').catch(() => ({ items: [] }));
  learn(items);
}

function learn(items) {
  for (const item of items) for (const filter of FILTERS) if (item[filter]) seen[filter].add(item[filter]);
  showFilters();
}

/** Requests the first page, or with `more` the next one, and shows it; aborts the request before it. */
async function ask(more = false) {
  running.abort();
  const { signal } = (running = new AbortController());
  document.body.dataset.state = 'loading';
  try {
    const { hits, total, next } = await found(signal, more ? cursor : '');
    if (signal.aborted) return;
    cursor = next;
    learn(hits.map(({ item }) => item));
    const cards = hits.map(({ item, snippets }) => card(item, snippets));
    if (more) element('results').append(...cards);
    else element('results').replaceChildren(...cards);
    element('more').hidden = cursor === '';
    showHeading(total);
    showEmpty(element('results').children.length);
    document.body.dataset.state = 'shown';
  } catch (error) {
    if (signal.aborted) return;
    element('said').textContent = sentence(error);
    document.body.dataset.state = 'failed';
  }
}

async function found(signal, from) {
  const { q, sport, category } = state;
  const parameters = { sport, category, cursor: from };
  if (q === '') {
    const { items, next_cursor: next } = await fetchJson(withQuery('api/feed', parameters), signal);
    return { hits: items.map((item) => ({ item })), next: next ?? '' };
  }
  const { hits, total, next_cursor: next } = await fetchJson(withQuery('api/search', { q, ...parameters }), signal);
  return { hits, total, next: next ?? '' };
}

function showHeading(total) {
  const chosen = [state.sport, state.category].filter(Boolean).map(words).join(', ');
  element('heading').textContent = state.q === '' ? (chosen ? `Newest in ${chosen}` : 'Newest') : 'Found';
  element('said').textContent = total === undefined ? '' : `${counted(total, 'video')}${chosen ? ` in ${chosen}` : ''}`;
}

/** What to do where there is nothing, or little, to see. */
function showEmpty(count) {
  const { q, sport, category } = state;
  const kinds = { none: count === 0 && !isFiltered(), few: count > 0 && count < FEW && !isFiltered() };
  element('publish').hidden = !kinds.none && !kinds.few;
  element('publish-heading').textContent = kinds.none ? 'Nothing is published yet' : 'Publish your own';
  element('empty').hidden = count > 0 || kinds.none;
  if (q !== '') {
    element('empty-what').textContent = `Nothing matches “${q}”.`;
    element('empty-how').textContent =
      'Search reads titles, summaries and tags, what is said in every language of the captions, and text on screen. Fewer or other words find more.';
    if (sport || category) element('empty-how').textContent += ' Without the filters, so does a search of everything.';
    return;
  }
  element('empty-what').textContent = `Nothing is in this feed yet.`;
  const fields = [sport && `"sport": "${sport}"`, category && `"category": "${category}"`]
    .filter(Boolean)
    .join(' and ');
  element('empty-how').textContent = `A video gets here when it is submitted with ${fields}.`;
}
