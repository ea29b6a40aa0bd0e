/** The gate of a video's media: open or closed, independent of a viewer's token. */
import type { ResolvedPlaybackOut } from '@vds/proto/generated/vds/catalog/v1/ResolvedPlayback.ts';
import type { Subtitle } from './subtitles.ts';
import type { Claims } from './token-claims.ts';

export type Gate = Pick<
  ResolvedPlaybackOut,
  'videoId' | 'state' | 'gateClosesInMs' | 'ladderKey' | 'thumbnailKey' | 'version' | 'held'
> & {
  /** Playable caption tracks, in the order of the menu. */
  readonly subtitles: readonly Subtitle[];
};

/**
 * Whether the gate is open. An archived video's stays open for the time given by catalog, to the millisecond, whatever
 * this host's clock; a video that never became playable has none and is closed.
 * @param ageMs how long ago catalog's reply was current, in milliseconds
 */
export function isOpen(gate: Gate, ageMs: number): boolean {
  if (gate.ladderKey === '') return false;
  if (gate.state === 'VIDEO_STATE_READY') return gate.gateClosesInMs === undefined || ageMs < gate.gateClosesInMs;
  if (gate.state === 'VIDEO_STATE_ARCHIVED') return gate.gateClosesInMs !== undefined && ageMs < gate.gateClosesInMs;
  return false;
}

/** Whether the bearer of a token may watch the whole video: staff whatever its state, as long as there is media. */
export function isOpenTo(bearer: Claims['preview'], gate: Gate, ageMs: number): boolean {
  return bearer === 'staff' ? gate.ladderKey !== '' && gate.state !== 'VIDEO_STATE_DELETED' : isOpen(gate, ageMs);
}

/** Whether the bearer of a token may watch what is finished of a video: of apps, until something bars it from viewers. */
export function isPreviewOpenTo(bearer: Claims['preview'], gate: Gate, ageMs: number): boolean {
  if (bearer === 'staff') return gate.state !== 'VIDEO_STATE_DELETED';
  if (bearer !== 'apps' || gate.held) return false;
  return gate.state === 'VIDEO_STATE_PROCESSING' || isOpen(gate, ageMs);
}

/** Whether the thumbnail is served: longer than the video, as the record of an archived video shows it; never while held. */
export function showsThumbnail(gate: Gate, ageMs: number): boolean {
  if (gate.held || gate.ladderKey === '') return false;
  return gate.state === 'VIDEO_STATE_ARCHIVED' || isOpen(gate, ageMs);
}
