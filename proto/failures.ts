/**
 * THE failure table: every code with which a video can fail, its stage, whether a retry by the operator can help, and
 * the one sentence for the partner. Sentences are our own: never raw tool output, nothing internal.
 */
export type Stage = 'fetch' | 'inspect' | 'encode';

export type FailureRow = {
  /** The stage that reports it; `any` for failures of every stage. */
  readonly stage: Stage | 'any';
  /** True when the same source may succeed later without a change by the partner. */
  readonly retryable: boolean;
  readonly message: string;
};

export const failures = {
  source_unreachable: {
    stage: 'fetch',
    retryable: true,
    message:
      'We could not connect to the host of source_url. Check the address, the certificate and that the host accepts connections from the internet, then submit the video again.',
  },
  source_server_error: {
    stage: 'fetch',
    retryable: true,
    message:
      'We reached the host of source_url, but it did not answer with the file; http_status in details, where there is one, is what it answered instead. Check on the host that the file can be downloaded from this address, then submit the video again.',
  },
  source_too_many_redirects: {
    stage: 'fetch',
    retryable: false,
    message:
      'source_url redirects too often, or in a circle; redirects in details is how many we follow. Submit the address at which the file itself is.',
  },
  source_encoded: {
    stage: 'fetch',
    retryable: false,
    message:
      'The host of source_url sends the file compressed although we asked for it uncompressed. Turn off the compression that content_encoding in details names for this file, then submit the video again.',
  },
  source_forbidden: {
    stage: 'fetch',
    retryable: false,
    message:
      'The host of source_url refused access to the file. Make the file public, or sign the address for at least 30 minutes, then submit the video again.',
  },
  source_not_found: {
    stage: 'fetch',
    retryable: false,
    message: 'There is no file at source_url. Check the address, then submit the video again.',
  },
  source_address_blocked: {
    stage: 'fetch',
    retryable: false,
    message:
      'source_url, or an address it redirects to, does not lead to a public internet address over HTTPS. Host the file on a public HTTPS address, then submit the video again.',
  },
  source_timeout: {
    stage: 'fetch',
    retryable: true,
    message:
      'The host of source_url answered too slowly. Host the file where it downloads at a steady rate, then submit the video again.',
  },
  source_truncated: {
    stage: 'fetch',
    retryable: true,
    message:
      'The download from source_url ended before the whole file had arrived, again and again. Check that the file is complete on the host, then submit the video again.',
  },
  source_too_large: {
    stage: 'fetch',
    retryable: false,
    message:
      'The file is larger than we accept. Make it smaller, for example with a lower bitrate, then submit the video again.',
  },
  source_empty: {
    stage: 'inspect',
    retryable: false,
    message: 'The file at source_url is empty. Upload the video to the host once more, then submit it again.',
  },
  source_not_video: {
    stage: 'inspect',
    retryable: false,
    message:
      'What we found at source_url is not a video file. Check that the address leads to the file itself and not to a web page or a playlist, then submit the video again.',
  },
  source_no_video: {
    stage: 'inspect',
    retryable: false,
    message: 'The file has no video track. Submit a file that has moving pictures.',
  },
  source_corrupt: {
    stage: 'inspect',
    retryable: false,
    message: 'The file is damaged or incomplete and cannot be decoded. Export the video again, then submit it.',
  },
  source_concatenated: {
    stage: 'inspect',
    retryable: false,
    message:
      'The file holds several recordings, one behind the other, of which players show only the first. Join them with a video editor, or submit each of them as a video of its own.',
  },
  container_unsupported: {
    stage: 'inspect',
    retryable: false,
    message:
      'The container of the file is not supported. Export the video as mp4, mov, mkv or webm, then submit it again.',
  },
  codec_unsupported: {
    stage: 'inspect',
    retryable: false,
    message:
      'A codec in the file is not supported. Export the video with H.264, H.265, VP9 or AV1 and a common audio codec such as AAC or Opus, then submit it again.',
  },
  dolby_vision_unsupported: {
    stage: 'inspect',
    retryable: false,
    message:
      'The file is Dolby Vision of a profile, named by dolby_vision_profile in details, whose colours only Dolby Vision players can show. Export the video in HDR10, HLG or SDR, or as Dolby Vision that is compatible with one of them (such as profile 8.1 or 8.4), then submit it again.',
  },
  source_too_short: {
    stage: 'inspect',
    retryable: false,
    message:
      'The video is too short to be streamed. Submit a video whose pictures are shown for at least as long as minimum_seconds in details says.',
  },
  source_too_long: {
    stage: 'inspect',
    retryable: false,
    message: 'The video is longer than we accept. Split it into shorter videos and submit each of them.',
  },
  source_too_complex: {
    stage: 'inspect',
    retryable: false,
    message:
      'The video is more than we can process: its pictures are too large or too many a second, or the file has too many tracks. Export it within the limit that details names, then submit it again.',
  },
  source_encrypted: {
    stage: 'inspect',
    retryable: false,
    message: 'The file is encrypted or protected by DRM. Export the video without protection, then submit it again.',
  },
  publisher_quota_exceeded: {
    stage: 'encode',
    retryable: false,
    message:
      'The storage that was agreed for your account is used up. Delete videos that you no longer need, or ask us for more storage, then submit the video again.',
  },
  transcode_failed: {
    stage: 'encode',
    retryable: true,
    message:
      'The video could not be converted for streaming. Export it again with H.264 video and AAC audio, then submit it; if that fails too, contact us with the id of the video.',
  },
  internal_error: {
    stage: 'any',
    retryable: true,
    message:
      'Something went wrong on our side while processing the video. Submit it again; if that fails too, contact us with the id of the video.',
  },
} as const satisfies Record<string, FailureRow>;

export type FailureCode = keyof typeof failures;

/** Whether `code` is in the table. */
export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(failures, code);
}
