/** What staff watches of a video that has no playback id yet. */
import type { PreviewOut } from '@vds/proto/generated/vds/transcode/v1/Preview.ts';
import { masterPlaylist } from './master-playlist.ts';

/** A video's id, which is no playback id: TypeIDs have 26 characters, these 27. */
export function isVideoId(id: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id);
}

export function previewPrefix(videoId: string, attempt: number): string {
  return `videos/${videoId}/${attempt}/`;
}

export function previewMaster({ rungs, audio }: Pick<PreviewOut, 'rungs' | 'audio'>): string {
  const sound = audio && {
    ...audio,
    language: audio.language === '' ? null : audio.language,
    playlist: audio.playlistKey,
  };
  return masterPlaylist(
    { rungs: rungs.map((rung) => ({ ...rung, playlist: rung.playlistKey })), audio: sound ?? null },
    [],
  );
}
