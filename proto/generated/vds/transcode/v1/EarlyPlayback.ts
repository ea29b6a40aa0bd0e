// Original file: vds/transcode/v1/transcode.proto

import type { EarlyRung as _vds_transcode_v1_EarlyRung, EarlyRungOut as _vds_transcode_v1_EarlyRungOut } from '../../../vds/transcode/v1/EarlyRung.ts';
import type { EarlyAudio as _vds_transcode_v1_EarlyAudio, EarlyAudioOut as _vds_transcode_v1_EarlyAudioOut } from '../../../vds/transcode/v1/EarlyAudio.ts';
import type { EarlyPlaylist as _vds_transcode_v1_EarlyPlaylist, EarlyPlaylistOut as _vds_transcode_v1_EarlyPlaylistOut } from '../../../vds/transcode/v1/EarlyPlaylist.ts';

export interface EarlyPlayback {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * Their playlists are among those below.
   */
  'rungs'?: (_vds_transcode_v1_EarlyRung)[];
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
   * Their playlists are among those below.
   */
  'rungs': (_vds_transcode_v1_EarlyRungOut)[];
  'audio'?: (_vds_transcode_v1_EarlyAudioOut | null);
  /**
   * Media playlists, which grow until the last piece is there.
   */
  'playlists': (_vds_transcode_v1_EarlyPlaylistOut)[];
  '_audio'?: "audio";
}
