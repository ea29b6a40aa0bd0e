/** Opens the stream in `<vds-player>` and updates every part of the page. `?video=` names a video, `?t=` a second. */
import { ApiError, fetchJson, playerAddress, sentence, withQuery } from './api.js';
import { followMenu, listCaptions } from './captions.js';
import { clock, element, make, words } from './dom.js';
import { Events } from './events.js';
import { handleHelp } from './keys.js';
import { chaptersOf, showMetadata, showScenes } from './metadata.js';
import { reportViews } from './player-analytics.js';
import { VdsPlayer } from './player/player.ts';
import { playbackMenus, showStream } from './quality.js';
import { card } from './results.js';
import { showTranscript } from './transcript.js';

const POLL_MS = 5_000;
const player = element('player');
const video = element('video');
const asked = new URLSearchParams(location.search);
const id = asked.get('video') ?? '';

element('title').addEventListener('click', () => element('title').classList.toggle('whole'));
element('new-tracks').addEventListener('click', () => {
  location.href = playerAddress(element('video-id').textContent.replace(/^vid_/, ''), video.currentTime);
});

await main();

async function main() {
  video.addEventListener('playing', () => say('playing'));
  video.addEventListener('ended', () => say('ended'));
  handleHelp();
  followMenu(player);
  try {
    const record = await processed();
    if (record.playback === null) return say('stopped', stoppedBecause(record));
    void showSimilar(record);
    await open();
    await followCaptions(record);
  } catch (error) {
    say('failed', sentence(error));
  }
}

/** The state of the page, and a notice over the picture; tests read it too. */
function say(state, notice = '') {
  document.body.dataset.state = state;
  element('notice').textContent = notice;
  element('notice').hidden = notice === '';
}

/** The record once processing is over; until then the page shows the progress. */
async function processed() {
  for (;;) {
    const record = await readRecord();
    if (record.status !== 'processing') return record;
    const { stages = [] } = await readDetails();
    const open = stages.filter(({ state }) => state === 'requested' || state === 'started');
    const doing = open.map(({ stage, progress }) => (progress > 0 ? `${stage} ${progress} %` : stage)).join(', ');
    say(
      'processing',
      `Processing: ${record.progress ?? 0} %${doing ? ` (${doing})` : ''}. It plays here when it is ready.`,
    );
    await pause(POLL_MS);
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function readRecord() {
  const record = await fetchJson(withQuery('api/video', { video: id }));
  showRecord(record);
  listCaptions(record.captions);
  return record;
}

function showRecord(record) {
  const { title, status, sport, category, duration_seconds: seconds, summary, tags = [], playback } = record;
  document.title = `${title} · player`;
  document.body.dataset.video = record.id;
  element('title').textContent = title;
  element('status').textContent = status;
  element('status').dataset.status = status;
  const facts = [sport, category].filter(Boolean).map(words);
  element('facts').textContent = [...facts, seconds === undefined ? '' : clock(seconds)].filter(Boolean).join(' · ');
  element('summary').textContent = summary ?? '';
  element('tags').replaceChildren(...tags.map((tag) => make('li', { dir: 'auto' }, tag)));
  element('video-id').textContent = record.id;
  element('record').textContent = JSON.stringify(record, null, 2);
  if (playback) video.poster = playback.thumbnail_url;
}

function stoppedBecause({ status, failure }) {
  if (!failure) return `This video is ${status}: there is nothing to play.`;
  const again = failure.retryable ? ' The same address may work later.' : '';
  return `Processing failed at ${failure.stage} (${words(failure.code)}). ${failure.message}${again}`;
}

/** Stages and metadata; without them the page works all the same. */
async function readDetails() {
  return fetchJson(withQuery('api/details', { video: id })).catch((error) => {
    element('no-metadata').textContent = sentence(error);
    return {};
  });
}

async function open() {
  const { url } = await fetchJson(withQuery('api/stream', { video: id }));
  const { href, pathname, searchParams } = new URL(url);
  VdsPlayer.reportViews = (watched, address) => reportViews(watched, address, { interval: 5 });
  player.startAt = Number(asked.get('t')) || 0;
  player.addEventListener('vds-error', ({ detail: { message, requestId } }) =>
    say('failed', sentence(new ApiError(message, requestId))),
  );
  player.addEventListener('vds-open', () => {
    player.hls.on(Events.MANIFEST_PARSED, () => {
      say('ready');
      // Browsers may require a click before playing sound; the controls allow it.
      video.play().catch(() => say('paused'));
    });
    playbackMenus(player.hls, video);
    showStream(player.hls, video);
    showTranscript(player.hls, video);
  });
  player.addEventListener('vds-storyboard', ({ detail: pictures }) => void showFindings(pictures));
  player.setAttribute('playback-url', new URL('.', href).href);
  player.setAttribute(
    'playback-id',
    pathname
      .split('/')
      .at(-1)
      .replace(/\.m3u8$/, ''),
  );
  player.setAttribute('token', searchParams.get('token'));
}

async function showFindings(pictures) {
  document.body.dataset.tiles = String(pictures.length);
  element('timeline-note').textContent = pictures.length === 0 ? 'No storyboard.' : '';
  const { metadata } = await readDetails();
  showMetadata(metadata ?? null, video);
  player.chapters = chaptersOf(metadata);
  showScenes(metadata?.scenes ?? [], pictures, video);
  document.body.dataset.scenes = String(metadata?.scenes?.length ?? 0);
}

/** Tracks become ready after the video is live; the stream that is open does not list those. */
async function followCaptions(record) {
  const ready = ({ captions: tracks = [] }) => tracks.filter(({ status }) => status === 'ready').length;
  const atFirst = ready(record);
  let now = record;
  while (now.captions?.some(({ status }) => status === 'processing')) {
    await pause(POLL_MS);
    now = await readRecord();
    element('new-tracks').hidden = ready(now) === atFirst;
  }
}

async function showSimilar({ id: own }) {
  try {
    const { items } = await fetchJson(withQuery('api/similar', { video: own }));
    element('similar').replaceChildren(...items.map((item) => card(item)));
    element('similar-note').textContent = items.length > 0 ? '' : 'Nothing else is like it yet.';
  } catch (error) {
    element('similar-note').textContent = sentence(error);
  }
}
