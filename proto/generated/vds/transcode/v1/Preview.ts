// Original file: vds/transcode/v1/transcode.proto

import type { Rung as _vds_transcode_v1_Rung, RungOut as _vds_transcode_v1_RungOut } from '../../../vds/transcode/v1/Rung.ts';
import type { PreviewAudio as _vds_transcode_v1_PreviewAudio, PreviewAudioOut as _vds_transcode_v1_PreviewAudioOut } from '../../../vds/transcode/v1/PreviewAudio.ts';
import type { PreviewPlaylist as _vds_transcode_v1_PreviewPlaylist, PreviewPlaylistOut as _vds_transcode_v1_PreviewPlaylistOut } from '../../../vds/transcode/v1/PreviewPlaylist.ts';

export interface Preview {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * Measured of what is finished; in place of a key each has the path of a playlist below.
   */
  'rungs'?: (_vds_transcode_v1_Rung)[];
  'audio'?: (_vds_transcode_v1_PreviewAudio | null);
  /**
   * Media playlists, which grow until the last piece is there.
   */
  'playlists'?: (_vds_transcode_v1_PreviewPlaylist)[];
  '_audio'?: "audio";
}

export interface PreviewOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * Measured of what is finished; in place of a key each has the path of a playlist below.
   */
  'rungs': (_vds_transcode_v1_RungOut)[];
  'audio'?: (_vds_transcode_v1_PreviewAudioOut | null);
  /**
   * Media playlists, which grow until the last piece is there.
   */
  'playlists': (_vds_transcode_v1_PreviewPlaylistOut)[];
  '_audio'?: "audio";
}
