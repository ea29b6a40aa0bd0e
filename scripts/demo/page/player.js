/** Opens the stream with hls.js and updates every part of the page. `?v=` names a video, `?t=` a second. */
import { fetchJson, withQuery } from './api.js';
import { listCaptions, showCaptionMenu } from './captions.js';
import { showNumbers } from './numbers.js';
import { showRecord } from './record.js';
import { showRungs } from './rungs.js';
import { showStoryboard } from './storyboard.js';
import { Events, openStream } from './stream.js';

const element = (id) => document.getElementById(id);
const video = element('video');
const asked = new URLSearchParams(location.search);
const id = asked.get('v') ?? '';

/** The state of the page; tests read it too. */
const say = (state, notice = '') => {
  document.body.dataset.state = state;
  element('notice').textContent = notice;
  element('notice').hidden = notice === '';
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const readRecord = async () => {
  const record = await fetchJson(withQuery('api/video', { v: id }));
  showRecord(record);
  element('tracks-note').textContent = listCaptions(element('tracks'), record.captions);
  return record;
};

/** The record once processing is over; until then the page shows the progress. */
const readyRecord = async () => {
  for (;;) {
    const record = await readRecord();
    if (record.status !== 'processing') return record;
    say('processing', `Processing … ${record.progress ?? 0} %`);
    await pause(5_000);
  }
};

/** Tracks may be added after the video is live. */
const followCaptions = async ({ captions = [] }) => {
  let now = captions;
  while (now.some(({ status }) => status === 'processing')) {
    await pause(5_000);
    ({ captions: now = [] } = await readRecord());
  }
};

const open = () =>
  openStream(video, id, Number(asked.get('t')) || 0, {
    failed: (notice) => say('failed', notice),
    before: (hls) => {
      hls.on(Events.MANIFEST_PARSED, () => {
        say('ready');
        // Browsers may require a click before playing sound; the controls allow it.
        video.play().catch(() => say('paused'));
      });
      showCaptionMenu(hls, element('captions'));
      showRungs(hls, Events);
      showNumbers(hls, video);
      showStoryboard(hls, Events, video);
    },
  });

video.addEventListener('playing', () => say('playing'));
video.addEventListener('ended', () => say('ended'));

try {
  const record = await readyRecord();
  if (record.playback !== null) await open();
  else say('stopped', record.failure?.message ?? `This video is ${record.status}.`);
  await followCaptions(record);
} catch (error) {
  say('failed', String(error.message ?? error));
}
