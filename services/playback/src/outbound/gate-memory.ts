/** Catalog's last word on each playback id, and from which version on a video's word may be believed. */
import type { Gate } from '../domain/gate.ts';
import { recentMap } from '../domain/recent-map.ts';

export type Word = {
  /** Undefined: nobody knows the playback id. */
  readonly gate: Gate | undefined;
  /** When the question was asked, on the monotonic clock in milliseconds. */
  readonly since: number;
};

/** @param limit playback ids at most; the one that was not asked for longest is forgotten first */
export const gateMemory = (limit: number) => {
  const words = recentMap<Word>(limit);
  const playbackIds = recentMap<string>(limit);
  const floors = recentMap<number>(limit);

  const isOutdated = (gate: Gate): boolean => gate.version < (floors.get(gate.videoId) ?? 0);
  return {
    isOutdated,
    last: (playbackId: string): Word | undefined => words.get(playbackId),
    /** Keeps a word, unless the video has changed since it was spoken. */
    keep: (playbackId: string, word: Word): void => {
      if (word.gate && isOutdated(word.gate)) return;
      words.set(playbackId, word);
      if (word.gate) playbackIds.set(word.gate.videoId, playbackId);
    },
    /** The video has changed: what is older than `version` is forgotten, and not believed when it still arrives. */
    drop: (videoId: string, version: number): void => {
      floors.set(videoId, Math.max(version, floors.get(videoId) ?? 0));
      const playbackId = playbackIds.get(videoId);
      const gate = playbackId === undefined ? undefined : words.get(playbackId)?.gate;
      if (playbackId !== undefined && gate && isOutdated(gate)) words.delete(playbackId);
    },
  };
};
