/** The gate in front of a video's media: who has a token passes while it is open (design §7). */
import type { ResolvedPlaybackOut } from '@vds/proto/generated/vds/catalog/v1/ResolvedPlayback.ts';
import type { Subtitle } from './subtitles.ts';

export type Gate = Pick<
  ResolvedPlaybackOut,
  'videoId' | 'state' | 'gateClosesAtMs' | 'ladderKey' | 'thumbnailKey' | 'version'
> & {
  /** Caption tracks that can be played, in the order of the menu. */
  readonly subtitles: readonly Subtitle[];
};

/**
 * Whether viewers may pass at a moment. An archived video stays open until its gate closes, to the millisecond; one that
 * never played has no such moment and is closed.
 * @param nowMs milliseconds since the epoch
 */
export function isOpen(gate: Gate, nowMs: number): boolean {
  if (gate.ladderKey === '') return false;
  if (gate.state === 'VIDEO_STATE_READY') return gate.gateClosesAtMs === undefined || nowMs < gate.gateClosesAtMs;
  if (gate.state === 'VIDEO_STATE_ARCHIVED') return gate.gateClosesAtMs !== undefined && nowMs < gate.gateClosesAtMs;
  return false;
}

/** `videos/<id>/<attempt>/` of the attempt that won; undefined when the key is not one of this video. */
export function attemptPrefix(gate: Gate): string | undefined {
  const [, prefix, videoId] = /^(videos\/([0-9A-Za-z]+)\/\d+\/)[^/]/.exec(gate.ladderKey) ?? [];
  return videoId === gate.videoId ? prefix : undefined;
}
