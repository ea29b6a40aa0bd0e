/** Opens the stream with hls.js and keeps every part of the page in step with it. */
import Hls from './hls.mjs';
import { showNumbers } from './numbers.js';
import { showRecord } from './record.js';
import { showRungs } from './rungs.js';
import { showStoryboard } from './storyboard.js';

const element = (id) => document.getElementById(id);
const video = element('video');

/** What the page is doing; tests read it too. */
const say = (state, notice = '') => {
  document.body.dataset.state = state;
  element('notice').textContent = notice;
  element('notice').hidden = notice === '';
};

const fetchJson = async (path) => {
  const response = await fetch(path);
  const body = await response.json();
  if (!response.ok) throw new Error(body.error ?? `${path} answered ${response.status}`);
  return body;
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The record once processing is over; until then the page says how far it is. */
const readyRecord = async () => {
  for (;;) {
    const record = await fetchJson('api/video');
    showRecord(record);
    if (record.status !== 'processing') return record;
    say('processing', `Processing … ${record.progress ?? 0} %`);
    await pause(5_000);
  }
};

const open = async () => {
  const { url } = await fetchJson('api/stream');
  const hls = new Hls({
    workerPath: 'hls.worker.js',

    maxBufferLength: 12,
    capLevelToPlayerSize: false,
  });
  let mends = 0;
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, details, response }) => {
    if (!fatal) return;
    if (type === Hls.ErrorTypes.MEDIA_ERROR && mends++ < 2) hls.recoverMediaError();
    else say('failed', `The stream cannot be played: ${details}${response?.code ? ` (${response.code})` : ''}`);
  });
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    say('ready');
    // Browsers may insist on a click before there is sound; the controls are there for it.
    video.play().catch(() => say('paused'));
  });
  showRungs(hls, Hls.Events);
  showNumbers(hls, video);
  showStoryboard(hls, Hls.Events, video);
  hls.loadSource(url);
  hls.attachMedia(video);
};

video.addEventListener('playing', () => say('playing'));
video.addEventListener('ended', () => say('ended'));

try {
  const { status, playback, failure } = await readyRecord();
  if (playback !== null) await open();
  else say('stopped', failure?.message ?? `This video is ${status}.`);
} catch (error) {
  say('failed', String(error.message ?? error));
}
