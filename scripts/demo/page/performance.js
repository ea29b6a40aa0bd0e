/** Three charts of the organizations' views: views by hour, retention, startup and waiting. Renewed every few seconds. */
import { fetchJson, sentence } from './api.js';
import { bars, curve } from './charts.js';
import { counted, element, make } from './dom.js';

const EVERY_MS = 5_000;

async function renew() {
  try {
    const { hourly, retention, plays } = await fetchJson('api/performance');
    element('videos').replaceChildren(...links(plays));
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

/** The videos of the newest plays, each once; a deleted one has no title. */
function links(plays) {
  const titles = new Map(plays.map(({ video_id: id, video_title: title }) => [id, title]));
  return [...titles].map(([id, title]) =>
    make('li', {}, make('a', { href: `figures.html?video=vid_${id}`, textContent: title ?? 'a deleted video' })),
  );
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

await renew();
