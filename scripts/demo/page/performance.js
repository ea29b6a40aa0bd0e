/** Three charts of the organizations' views: views by hour, retention, startup and waiting. Renewed every few seconds. */
import { fetchJson, sentence } from './api.js';
import { counted, element } from './dom.js';

const EVERY_MS = 5_000;
const [WIDTH, HEIGHT, BASE] = [300, 160, 140];
const SVG = 'http://www.w3.org/2000/svg';

async function renew() {
  try {
    const { hourly, retention, plays } = await fetchJson('api/performance');
    document.body.dataset.state = plays.length > 0 ? 'shown' : 'empty';
    element('said').textContent =
      plays.length > 0
        ? `${counted(total(hourly, 'plays'), 'view')}; the newest ${watched(plays[0])}`
        : 'No view yet: play a video, and wait a few seconds.';
    const hours = hourly.toReversed();
    bars(
      'views',
      hours.map((row) => ({ label: hourOf(row.began_hour), value: Number(row.plays), shown: row.plays })),
    );
    curve(
      'retention',
      retention.map((row) => Number(row.seen) / Math.max(1, Number(row.plays))),
    );
    bars(
      'startup',
      hours.map((row) => ({
        label: hourOf(row.began_hour),
        value: Number(row.startup_ms_median ?? 0),
        shown: `${(Number(row.startup_ms_median ?? 0) / 1_000).toFixed(1)} s, ${(100 * Number(row.rebuffering_share)).toFixed(1)} % waiting`,
      })),
    );
  } catch (error) {
    element('said').textContent = sentence(error);
  }
  setTimeout(renew, EVERY_MS);
}

function total(rows, name) {
  return rows.reduce((sum, row) => sum + Number(row[name]), 0);
}

function watched({ video_title: title, watched_ms: ms }) {
  return `watched ${(Number(ms) / 1_000).toFixed(1)} s of “${title ?? 'a deleted video'}”`;
}

function hourOf(time) {
  return `${String(time).slice(11, 13)} h`;
}

/** One bar for each value, its number above and its label below. */
function bars(id, values) {
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

/** Shares from 0 to 1, from the beginning of the videos to their end. */
function curve(id, shares) {
  const at = (share, index) => [((index + 0.5) * WIDTH) / 20, BASE - share * (BASE - 20)];
  const points = shares.map((share, index) =>
    at(share, index)
      .map((value) => value.toFixed(1))
      .join(' '),
  );
  const parts = [
    draw('path', { d: points.length > 0 ? `M ${points.join(' L ')}` : '' }),
    draw('text', { x: 0, y: BASE + 14 }, 'beginning'),
    draw('text', { x: WIDTH, y: BASE + 14, 'text-anchor': 'end' }, 'end'),
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

await renew();
