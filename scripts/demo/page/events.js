/** hls.js's events, of the copy that the player uses. */
import Hls from './hls.mjs';

export const { Events } = Hls;
