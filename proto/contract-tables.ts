/** The parts of openapi.yaml that come from tables: failure codes and their details, warnings, reasons of tracks. */
import { failures } from './failures.ts';
import { withBlocks } from './generated-blocks.ts';
import { warnings } from './warnings.ts';

/** Why a caption track is failed or skipped. */
export const trackReasons = {
  no_audio: 'the video has no sound',
  no_speech: 'nobody speaks in it',
  language_unsupported: 'the language that is spoken cannot be transcribed here',
  no_path: 'it needs a translation engine for this language, which this service does not have',
  engine_error: 'the transcription or translation failed; it is not tried again by itself',
} as const;

/** Facts in `failure.details`, each where it is known; all are texts. */
export const failureDetails = {
  http_status: 'what the source’s host answered',
  retry_after_seconds: 'how long the host asked to be left alone',
  redirects: 'how many redirects are followed',
  content_encoding: 'the compression that the host applied',
  max_bytes: 'the largest file that is accepted',
  expected_bytes: 'the size that the host announced, or the file itself',
  found_bytes: 'how much of it there is',
  container: 'the container that was found',
  found: 'what the file is instead of a video',
  video_codec: 'the video codec that was found',
  audio_codec: 'the audio codec that was found',
  dolby_vision_profile: 'the profile of Dolby Vision that was found',
  stream: 'the track that is damaged: video or audio',
  at_bytes: 'where in the file it is damaged',
  at_seconds: 'where in the video it is damaged',
  expected_seconds: 'how long the track should be',
  found_seconds: 'how long it is',
  expected_frames: 'how many pictures there should be',
  found_frames: 'how many there are',
  duration_seconds: 'how long the video is',
  minimum_seconds: 'how long it must be',
  limit_seconds: 'how long it may be',
  resolution: 'the size of its pictures',
  pixels: 'the number of their pixels',
  limit_pixels: 'how many are accepted',
  limit_side: 'how long a side may be',
  gigapixels: 'the work that it would take: pixels of all pictures, read and made, in thousands of millions',
  limit_gigapixels: 'how much is accepted',
  frame_rate: 'its pictures a second',
  limit_frame_rate: 'how many are accepted',
  tracks: 'the number of tracks',
  limit_tracks: 'how many are accepted',
  limit: 'the limit that it exceeds',
  reason: 'what is wrong, in a word',
} as const;

const tables: Readonly<Record<string, () => readonly string[]>> = {
  'failure codes': () => [
    ...list('description: |', Object.entries(failures), ([code, { stage, retryable, message }]) => {
      const where = stage === 'any' ? 'any stage' : stage;
      return `- \`${code}\` (${where}${retryable ? ', may succeed later' : ''}): ${message}`;
    }),
    ...list('enum:', Object.keys(failures), (code) => `- ${code}`),
  ],
  'warning codes': () => [
    ...list('description: |', Object.entries(warnings), ([code, { message, remedy }]) => {
      return `- \`${code}\`: ${message} ${remedy}`;
    }),
    ...list('enum:', Object.keys(warnings), (code) => `- ${code}`),
  ],
  'track reasons': () => [
    ...list('description: |', Object.entries(trackReasons), ([code, meaning]) => `- \`${code}\`: ${meaning}`),
    `enum: [${Object.keys(trackReasons).join(', ')}, null]`,
  ],
  'failure details': () => [
    'description: |',
    '  Facts beside the message, each where it is known:',
    '',
    ...Object.entries(failureDetails).map(([name, meaning]) => `  - \`${name}\`: ${meaning}`),
  ],
};

function list<T>(head: string, entries: readonly T[], line: (entry: T) => string): readonly string[] {
  return [head, ...entries.map((entry) => `  ${line(entry)}`)];
}

/**
 * The contract with its tables up to date.
 * @throws Error for an unknown table, or one that has no end
 */
export function withTables(contract: string): string {
  return withBlocks(contract, (name) => tables[name]?.());
}
