/** Request paths that are safe to log: an unknown segment may be anything, even a partner's key. */
import { readVideoId } from './video-id.ts';

const knownSegments = new Set(['', 'v1', 'videos', 'archive', 'republish', 'openapi.json', 'docs']);
/** No path of the interface has more. */
const MAX_SEGMENTS = 6;

/** The path with known segments and video ids as they are, and `…` for every other segment. */
export function printablePath(path: string): string {
  return path
    .split('/', MAX_SEGMENTS)
    .map((segment) => (knownSegments.has(segment) || readVideoId(segment) !== undefined ? segment : '…'))
    .join('/');
}
