/** The gate of a video's media: open or closed, independent of a viewer's token (design §7). */
import type { ResolvedPlaybackOut } from '@vds/proto/generated/vds/catalog/v1/ResolvedPlayback.ts';
import type { Subtitle } from './subtitles.ts';

export type Gate = Pick<
  ResolvedPlaybackOut,
  'videoId' | 'state' | 'gateClosesAtMs' | 'ladderKey' | 'thumbnailKey' | 'version'
> & {
  /** Playable caption tracks, in the order of the menu. */
  readonly subtitles: readonly Subtitle[];
};

/**
 * Whether the gate is open at a given time. An archived video's stays open until its closing time, to the millisecond; a
 * video that never became playable has none and is closed.
 * @param nowMs milliseconds since the epoch
 */
export function isOpen(gate: Gate, nowMs: number): boolean {
  if (gate.ladderKey === '') return false;
  if (gate.state === 'VIDEO_STATE_READY') return gate.gateClosesAtMs === undefined || nowMs < gate.gateClosesAtMs;
  if (gate.state === 'VIDEO_STATE_ARCHIVED') return gate.gateClosesAtMs !== undefined && nowMs < gate.gateClosesAtMs;
  return false;
}

/** `videos/<id>/<attempt>/` of the winning attempt; undefined for a key of another video. */
export function attemptPrefix(gate: Gate): string | undefined {
  const [, prefix, videoId] = /^(videos\/([0-9A-Za-z]+)\/\d+\/)[^/]/.exec(gate.ladderKey) ?? [];
  return videoId === gate.videoId ? prefix : undefined;
}
