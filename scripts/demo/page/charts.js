/** Charts as SVG, with a description for those who do not see them. */
import { element } from './dom.js';

const [WIDTH, HEIGHT, BASE] = [300, 160, 140];
const SVG = 'http://www.w3.org/2000/svg';

/** One bar for each value, its number above and its label below. */
export function bars(id, values) {
  const most = Math.max(1, ...values.map(({ value }) => value));
  const step = WIDTH / Math.max(1, values.length);
  const parts = values.flatMap(({ label, value, shown }, index) => {
    const height = (BASE - 20) * (value / most);
    const middle = step * (index + 0.5);
    const width = Math.min(40, step * 0.7);
    return [
      draw('rect', { x: middle - width / 2, y: BASE - height, width, height, rx: 2 }),
      draw('text', { x: middle, y: BASE + 14, 'text-anchor': 'middle' }, label),
      draw('text', { x: middle, y: BASE - height - 4, 'text-anchor': 'middle' }, String(shown)),
    ];
  });
  show(id, values.map(({ label, shown }) => `${label}: ${shown}`).join('; '), parts);
}

/** Shares from 0 to 1 by twentieths of the length. @param marks labels of its points from the beginning to the end */
export function curve(id, shares, marks = ['beginning', 'end']) {
  const at = (share, index) => [((index + 0.5) * WIDTH) / 20, BASE - share * (BASE - 20)];
  const points = shares.map((share, index) =>
    at(share, index)
      .map((value) => value.toFixed(1))
      .join(' '),
  );
  const parts = [
    draw('path', { d: points.length > 0 ? `M ${points.join(' L ')}` : '' }),
    ...marks.map((mark, index) => {
      const share = index / (marks.length - 1);
      const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
      return draw('text', { x: share * WIDTH, y: BASE + 14, 'text-anchor': anchor }, mark);
    }),
    draw('text', { x: 0, y: 12 }, '100 %'),
  ];
  show(
    id,
    shares.map((share, index) => `${5 * (index + 1)} %: ${Math.round(100 * share)} % of the views`).join('; '),
    parts,
  );
}

function show(id, description, parts) {
  const line = draw('line', { x1: 0, y1: BASE, x2: WIDTH, y2: BASE });
  const svg = draw('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': description || 'nothing yet',
  });
  svg.append(line, ...parts);
  element(id).replaceChildren(svg);
}

function draw(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}
