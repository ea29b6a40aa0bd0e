/**
 * THE table of source warnings: what works but is not recommended about a source. `message` goes to the partner with the
 * video, and says what we did; `remedy` is the contract page's, and says how the next source avoids it.
 */
export type WarningRow = { readonly message: string; readonly remedy: string };

export const warnings = {
  duration_not_recommended: {
    message: 'The video is longer than the 4 hours that we recommend; processing takes longer.',
    remedy: 'Split the video into parts of at most 4 hours if it is to be live sooner.',
  },
  size_not_recommended: {
    message: 'The file is larger than the 5 GB that we recommend; processing takes longer.',
    remedy: 'Export the video with a lower bitrate if it is to be live sooner.',
  },
  codec_not_recommended: {
    message: 'The video codec is older than those that we recommend: H.264, H.265, VP9 or AV1.',
    remedy: 'Export the video with H.264, H.265, VP9 or AV1.',
  },
  variable_frame_rate: {
    message: 'The frame rate varies; playback keeps it, but a constant frame rate streams more smoothly.',
    remedy: 'Export the video with a constant frame rate.',
  },
  frame_rate_reduced: {
    message: 'The video has more than 60 frames a second; we deliver 60.',
    remedy: 'Nothing needs to be done; more than 60 frames a second are never delivered.',
  },
  resolution_reduced: {
    message: 'The video is larger than what we deliver; we deliver it smaller.',
    remedy:
      'Nothing needs to be done; in H.265 or AV1, with a key frame every two seconds, viewers get its own pictures.',
  },
  high_dynamic_range: {
    message: 'The video is HDR; we deliver it in SDR colours.',
    remedy: 'Export the video in SDR if you want to choose its colours yourself.',
  },
  text_tracks_left_out: {
    message:
      'Some subtitle tracks of the file are left out: pictures of text (PGS, DVB, VobSub), WebVTT or TTML in mp4, forced ones, songs, or empty ones.',
    remedy: 'Export captions as text: SRT, WebVTT or ASS in mkv or webm, timed text in mp4 (tx3g), or CEA-608.',
  },
  interlaced: {
    message: 'The video is interlaced, or parts of it are; we deliver it deinterlaced.',
    remedy: 'Export the video progressive; an editor that knows the footage deinterlaces it better.',
  },
  non_square_pixels: {
    message: 'The pixels are not square; we deliver the shape that players show.',
    remedy: 'Export the video with square pixels.',
  },
  odd_dimensions: {
    message: 'Width or height is an odd number; we deliver the nearest even size below.',
    remedy: 'Export the video with an even width and height.',
  },
  resolution_varies: {
    message: 'The size of the pictures changes; we deliver the largest one that lasts, with every shape fitted inside.',
    remedy: 'Export the video with one size of pictures.',
  },
  rotated: {
    message: 'The video is stored rotated; we deliver it upright.',
    remedy: 'Nothing needs to be done if the video is shown upright.',
  },
  no_audio: {
    message: 'The video has no sound.',
    remedy:
      'If it should have sound, export it with an audio track and submit it again; without one it has no captions.',
  },
  audio_tracks_left_out: {
    message:
      'Some audio tracks of the file are left out: they are empty, cannot be decoded, or are more than we deliver (8).',
    remedy: 'Export at most 8 audio tracks in a supported codec.',
  },
  track_passed_over: {
    message:
      'The codec of the default video or audio track is not supported; we deliver another track of the file. Check that it is the right one.',
    remedy: 'Export the video with the one track that viewers should get, in a supported codec.',
  },
  trailing_bytes: {
    message:
      'Bytes that are no part of the video follow it in the file; we ignore them. Check that the upload stored the file alone.',
    remedy: 'Upload the file to the host once more, and compare its size with the original.',
  },
} as const satisfies Record<string, WarningRow>;

export type WarningCode = keyof typeof warnings;
