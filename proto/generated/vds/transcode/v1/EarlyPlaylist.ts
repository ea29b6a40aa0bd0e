// Original file: vds/transcode/v1/transcode.proto


export interface EarlyPlaylist {
  /**
   * Below the attempt, like the addresses in the text.
   */
  'path'?: (string);
  'text'?: (string);
}

export interface EarlyPlaylistOut {
  /**
   * Below the attempt, like the addresses in the text.
   */
  'path': (string);
  'text': (string);
}
