/** Opens a stream in a video element with hls.js; media errors are recovered twice before giving up. */
import Hls from './hls.mjs';
import { fetchJson, withQuery } from './api.js';

export const Events = Hls.Events;

/**
 * @param at the start position, in seconds
 * @param options.before called with the player before it loads anything
 * @param options.failed called with one sentence on a fatal error
 */
export const openStream = async (video, id, at, { before, failed }) => {
  const { url } = await fetchJson(withQuery('api/stream', { v: id }));
  const hls = new Hls({
    workerPath: 'hls.worker.js',
    maxBufferLength: 12,
    capLevelToPlayerSize: false,
    startPosition: at > 0 ? at : -1,
  });
  let mends = 0;
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, details, response }) => {
    if (!fatal) return;
    if (type === Hls.ErrorTypes.MEDIA_ERROR && mends++ < 2) hls.recoverMediaError();
    else failed(`The stream cannot be played: ${details}${response?.code ? ` (${response.code})` : ''}`);
  });
  before(hls);
  hls.loadSource(url);
  hls.attachMedia(video);
  return hls;
};
