/** Figures of one video: what became of its loads, and how much of it is watched. Renewed every few seconds. */
import { fetchJson, sentence, withQuery } from './api.js';
import { bars, curve } from './charts.js';
import { clock, counted, element, make } from './dom.js';

const EVERY_MS = 5_000;
const TWENTIETHS = 20;
const video = new URLSearchParams(location.search).get('video') ?? '';

async function renew() {
  try {
    show(await fetchJson(withQuery('api/figures', { video })));
  } catch (error) {
    element('said').textContent = sentence(error);
  }
  setTimeout(renew, EVERY_MS);
}

function show({ total, days, retention }) {
  const loads = Number(total.loads ?? 0);
  document.body.dataset.state = loads > 0 ? 'shown' : 'empty';
  element('title').textContent = total.video_title ?? 'Figures';
  element('said').textContent =
    loads > 0 ? `Loaded ${counted(loads, 'time')}` : 'Nobody has opened it yet: play it, and wait a few seconds.';
  element('figures').replaceChildren(
    ...rowsOf(total).map(([name, value]) =>
      make('tr', {}, make('th', { scope: 'row', textContent: name }), make('td', { textContent: value })),
    ),
  );
  const seen = new Map(retention.map((row) => [Number(row.twentieth), Number(row.seen_share)]));
  const shares = Array.from({ length: TWENTIETHS }, (_part, index) => seen.get(index + 1) ?? 0);
  const seconds = Number(total.video_duration_ms ?? 0) / 1_000;
  curve(
    'retention',
    retention.length > 0 ? shares : [],
    seconds > 0 ? [0, seconds / 2, seconds].map(clock) : undefined,
  );
  bars(
    'days',
    days.map(({ began_on: day, plays }) => ({ label: String(day).slice(5), value: Number(plays), shown: plays })),
  );
}

function rowsOf(total) {
  const plays = Number(total.plays ?? 0);
  const ofPlays = (count) => (plays > 0 ? `${count} (${Math.round((100 * Number(count)) / plays)} %)` : String(count));
  return [
    ['asked to play', String(plays)],
    ['started', ofPlays(total.starts ?? 0)],
    ['failed before the first picture', ofPlays(total.failed_starts ?? 0)],
    ['left before the first picture', ofPlays(total.exits_before_start ?? 0)],
    ['viewers', String(total.viewers ?? 0)],
    ['watched', clock(Number(total.watched_ms ?? 0) / 1_000)],
    ['waiting', `${(100 * Number(total.rebuffering_share ?? 0)).toFixed(1)} %`],
    ['half of them saw a picture within', seconds(total.startup_ms_median)],
  ];
}

function seconds(ms) {
  return ms === null || ms === undefined ? '–' : `${(Number(ms) / 1_000).toFixed(1)} s`;
}

await renew();
