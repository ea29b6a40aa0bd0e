// Original file: vds/transcode/v1/transcode.proto


export interface PreviewPlaylist {
  /**
   * Below the attempt, like the addresses in the text.
   */
  'path'?: (string);
  'text'?: (string);
}

export interface PreviewPlaylistOut {
  /**
   * Below the attempt, like the addresses in the text.
   */
  'path': (string);
  'text': (string);
}
