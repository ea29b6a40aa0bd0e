/** Cards of videos. All of their text comes from partners, so it is only ever set as text. */

const make = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

/** Milliseconds as `1:02:03`, or `2:03` below an hour. */
export const clock = (ms) => {
  const seconds = Math.floor(ms / 1_000);
  const two = (part) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

/** The snippet's text with the matches marked; marks count code points. */
const marked = (text, marks = []) => {
  const points = [...text];
  const pieces = [];
  let at = 0;
  for (const { start, end } of marks.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end > points.length) continue;
    pieces.push(points.slice(at, start).join(''), make('mark', '', points.slice(start, end).join('')));
    at = end;
  }
  pieces.push(points.slice(at).join(''));
  return pieces;
};

const WHERE = { transcript: 'said', screen: 'on screen', topics: 'topic' };

const snippetLine = ({ field, language, text, marks, at_ms: at }, play) => {
  const line = make('li', 'snippet');
  const where = `${WHERE[field] ?? field}${language ? ` · ${language}` : ''}`;
  if (at === undefined) line.append(make('span', 'where', where));
  else {
    const jump = make('button', 'jump', `▶ ${clock(at)}`);
    jump.type = 'button';
    jump.setAttribute('aria-label', `Play from ${clock(at)}, ${where}`);
    jump.addEventListener('click', () => play(at));
    line.append(jump, make('span', 'where', where));
  }
  const words = make('q', 'words');
  words.dir = 'auto';
  words.append(...marked(text, marks));
  line.append(words);
  return line;
};

/**
 * @param play called with the item and the milliseconds from which to play it
 * @param snippets the matches of a search
 */
export const card = (item, play, snippets = []) => {
  const made = make('li', 'result');
  made.dataset.video = item.video_id;
  const picture = make('img', 'picture');
  Object.assign(picture, { src: item.picture, alt: '', loading: 'lazy', width: 160, height: 90 });
  const body = make('div', 'body');
  const title = make('button', 'title', item.title);
  Object.assign(title, { type: 'button', dir: 'auto' });
  title.addEventListener('click', () => play(item, 0));
  const languages = item.caption_languages?.length ?? 0;
  const captions = languages === 0 ? [] : [`captions in ${languages} ${languages === 1 ? 'language' : 'languages'}`];
  const about = [item.sport?.replaceAll('_', ' '), clock(item.duration_ms), ...captions];
  body.append(title, make('p', 'quiet', about.filter(Boolean).join(' · ')));
  if (snippets.length > 0) {
    const list = make('ul', 'snippets');
    list.append(...snippets.map((snippet) => snippetLine(snippet, (at) => play(item, at))));
    body.append(list);
  }
  made.append(picture, body);
  return made;
};
