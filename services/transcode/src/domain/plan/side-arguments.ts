/** Command lines for what a file carries beside its film: other tracks of sound, captions, packets that are copied. */
import type { VideoStream } from '../source/probe.ts';
import { textDecoders } from '../source/side-tracks.ts';
import type { Demuxer } from '../source/sniff.ts';
import { ffprobe, FIRST_PIPE, fragments, input, line, opened, quiet, sourceName } from './encode-arguments.ts';
import type { EncodePlan } from './encode-plan.ts';

/** Names of files that captions are written to. */
export const textName = 'text.vtt';
export const closedCaptionName = 'closed-captions.vtt';

/** Writes a track of captions as WebVTT, with the source's times. */
export function textArguments(demuxer: Demuxer, index: number): string[] {
  const decoded = ['-codec_whitelist', textDecoders];
  const output = ['-map', `0:${index}`, '-c:s', 'webvtt', '-f', 'webvtt', textName];
  return line(quiet, '-copyts', decoded, opened(demuxer, undefined, sourceName), output);
}

/** Writes the captions of television inside the pictures, which all have to be decoded for that. */
export function closedCaptionArguments(demuxer: Demuxer): string[] {
  const film = `movie=filename=${sourceName}:format_name=${demuxer}[out0+subcc]`;
  return line(
    quiet,
    '-copyts',
    ['-f', 'lavfi', '-i', film],
    ['-map', '0:s', '-c:s', 'webvtt', '-f', 'webvtt', closedCaptionName],
  );
}

/** Decodes the first packets of a track of sound; each frame that this yields is printed as JSON. */
export function firstSoundsArguments(demuxer: Demuxer, video: VideoStream, index: number): string[] {
  const range = ['-select_streams', String(index), '-read_intervals', '%+#32'];
  return ffprobe(demuxer, video, ...range, '-show_entries', 'frame=nb_samples', '-of', 'json');
}

/** The source's own packets of HEVC or AV1, on its own clock. */
export function originalArguments({ demuxer, video }: EncodePlan['probe']): string[] {
  return line(
    quiet,
    '-copyts',
    input(demuxer, video),
    ['-map', `0:${video.index}`, '-c:v', 'copy', '-video_track_timescale', String(video.timescale)],
    // Parameter sets in the sample description alone, as players of HLS want them.
    video.codec === 'hevc' ? ['-tag:v', 'hvc1'] : [],
    ['-map_metadata', '-1', '-avoid_negative_ts', 'disabled', '-write_btrt', '0'],
    fragments,
    `pipe:${FIRST_PIPE}`,
  );
}
