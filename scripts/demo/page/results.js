/** Cards of videos: links to the player, with the snippets of a search as links to their seconds. */
import { playerAddress } from './api.js';
import { clock, counted, make, words } from './dom.js';

const WHERE = { transcript: 'said', screen: 'on screen', topics: 'topic' };

/** @param snippets the matches of a search */
export function card(item, snippets = []) {
  const { video_id: id, title, sport, category, duration_ms: ms, caption_languages: languages = [] } = item;
  const at = snippets.find(({ at_ms: found }) => found !== undefined)?.at_ms ?? 0;
  const picture = make('img', { src: item.picture, alt: '', loading: 'lazy', width: 320, height: 180 });
  picture.addEventListener('error', () => picture.classList.add('absent'));
  const length = make('span', { className: 'length' }, clock(ms / 1_000));
  const name = make('span', { className: 'title', dir: 'auto' }, title);
  const captions = languages.length === 0 ? 'no captions' : `captions in ${counted(languages.length, 'language')}`;
  const about = [sport ?? category, captions].filter(Boolean).map(words).join(' · ');
  const link = make(
    'a',
    { className: 'watch', href: playerAddress(id, at / 1_000) },
    make('span', { className: 'picture' }, picture, length),
    name,
    make('span', { className: 'about quiet' }, about),
  );
  const made = make('li', { className: 'result', 'data-video': id }, link);
  if (snippets.length > 0)
    made.append(make('ul', { className: 'snippets' }, ...snippets.map((snippet) => snippetLine(snippet, id))));
  return made;
}

function snippetLine({ field, language, text, marks, at_ms: at }, id) {
  const where = `${WHERE[field] ?? field}${language ? ` · ${language}` : ''}`;
  const quote = make('q', { dir: 'auto' }, ...marked(text, marks));
  const place = make('span', { className: 'where' }, where);
  if (at === undefined) return make('li', {}, make('span', { className: 'snippet' }, place, quote));
  const time = make('time', {}, clock(at / 1_000));
  return make('li', {}, make('a', { className: 'snippet', href: playerAddress(id, at / 1_000) }, time, place, quote));
}

/** The snippet's text with the matches marked; marks count code points. */
function marked(text, marks = []) {
  const points = [...text];
  const pieces = [];
  let at = 0;
  for (const { start, end } of marks.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end > points.length) continue;
    pieces.push(points.slice(at, start).join(''), make('mark', {}, points.slice(start, end).join('')));
    at = end;
  }
  pieces.push(points.slice(at).join(''));
  return pieces;
}
