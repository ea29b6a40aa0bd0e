// Original file: vds/transcode/v1/transcode.proto

import type { Rung as _vds_transcode_v1_Rung, RungOut as _vds_transcode_v1_RungOut } from '../../../vds/transcode/v1/Rung.ts';
import type { EarlyAudio as _vds_transcode_v1_EarlyAudio, EarlyAudioOut as _vds_transcode_v1_EarlyAudioOut } from '../../../vds/transcode/v1/EarlyAudio.ts';
import type { EarlyPlaylist as _vds_transcode_v1_EarlyPlaylist, EarlyPlaylistOut as _vds_transcode_v1_EarlyPlaylistOut } from '../../../vds/transcode/v1/EarlyPlaylist.ts';

export interface EarlyPlayback {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * Measured of what is finished; in place of a key each has the path of a playlist below.
   */
  'rungs'?: (_vds_transcode_v1_Rung)[];
  'audio'?: (_vds_transcode_v1_EarlyAudio | null);
  /**
   * Media playlists, which grow until the last piece is there.
   */
  'playlists'?: (_vds_transcode_v1_EarlyPlaylist)[];
  '_audio'?: "audio";
}

export interface EarlyPlaybackOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * Measured of what is finished; in place of a key each has the path of a playlist below.
   */
  'rungs': (_vds_transcode_v1_RungOut)[];
  'audio'?: (_vds_transcode_v1_EarlyAudioOut | null);
  /**
   * Media playlists, which grow until the last piece is there.
   */
  'playlists': (_vds_transcode_v1_EarlyPlaylistOut)[];
  '_audio'?: "audio";
}
