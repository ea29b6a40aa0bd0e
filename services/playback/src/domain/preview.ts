/** What staff and apps watch of a video that has no playback id yet. */
import type { PreviewOut } from '@vds/proto/generated/vds/transcode/v1/Preview.ts';
import { masterPlaylist } from './master-playlist.ts';

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
