/** Opens a stream in a video element with hls.js; media errors are recovered twice before giving up. */
import Hls from './hls.mjs';
import { ApiError, fetchJson, withQuery } from './api.js';
import { reportViews } from './player-analytics.js';

export const Events = Hls.Events;

/** What a viewer may do about a response of playback. */
const REMEDIES = {
  401: 'Reload the page for a fresh token.',
  403: 'Reload the page for a fresh token.',
  404: 'The video was archived or deleted.',
};

/**
 * @param at the start position, in seconds
 * @param options.before called with the player before it loads anything
 * @param options.failed called with an ApiError on a fatal error
 */
export async function openStream(video, id, at, { before, failed }) {
  const { url } = await fetchJson(withQuery('api/stream', { video: id }));
  const views = reportViews(video, url, { interval: 5 });
  const hls = new Hls({
    workerPath: 'hls.worker.js',
    cmcd: views,
    maxBufferLength: 12,
    maxMaxBufferLength: 30,
    capLevelToPlayerSize: false,
    startPosition: at > 0 ? at : -1,
  });
  hls.on(Events.ERROR, views.onError);
  let recoveries = 0;
  hls.on(Events.ERROR, (_event, data) => {
    if (!data.fatal) return;
    if (data.type === Hls.ErrorTypes.MEDIA_ERROR && recoveries++ < 2) hls.recoverMediaError();
    else failed(streamError(data));
  });
  before(hls);
  hls.loadSource(url);
  hls.attachMedia(video);
  return hls;
}

function streamError({ type, details, response, networkDetails }) {
  if (type !== Hls.ErrorTypes.NETWORK_ERROR) return new ApiError(`This browser cannot play the stream (${details}).`);
  const status = response?.code ?? 0;
  if (status === 0) return new ApiError('The stream cannot be reached: playback has ended, or the network is down.');
  const { message = '', request_id: id } = errorOf(networkDetails);
  const remedy = status >= 500 ? 'Reload the page in a moment.' : (REMEDIES[status] ?? '');
  return new ApiError(`The stream answered ${status}. ${message} ${remedy}`.replaceAll(/ +/g, ' ').trim(), id);
}

/** Playback's own words for an error: its JSON in the response of an XMLHttpRequest. */
function errorOf(request) {
  try {
    const { response } = request;
    return JSON.parse(typeof response === 'string' ? response : new TextDecoder().decode(response)).error ?? {};
  } catch {
    return {};
  }
}
