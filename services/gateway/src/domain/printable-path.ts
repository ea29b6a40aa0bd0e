/** A path as it may be written to a log. What the interface does not know may be anything, a partner's key too. */
import { readVideoId } from './video-id.ts';

const words = new Set(['', 'v1', 'videos', 'archive', 'republish', 'openapi.json', 'docs']);
/** More parts than any path of the interface has. */
const MOST_PARTS = 6;

/** The path with the parts of the interface and the ids of videos as they are, and `…` for every other part. */
export function printablePath(path: string): string {
  return path
    .split('/', MOST_PARTS)
    .map((part) => (words.has(part) || readVideoId(part) !== undefined ? part : '…'))
    .join('/');
}
