/** Command lines for what a file carries beside its film: other tracks of sound, captions, packets that are copied. */
import type { VideoStream } from '../source/probe.ts';
import { textDecoders } from '../source/side-tracks.ts';
import type { Demuxer } from '../source/sniff.ts';
import { PROBE_THREADS } from './work-estimate.ts';
import { ffprobe, FIRST_PIPE, fragments, input, line, opened, quiet, sourceName } from './encode-arguments.ts';
import type { EncodePlan } from './encode-plan.ts';

/** Names of files that captions are written to. */
export const textName = 'text.vtt';
export const closedCaptionName = 'closed-captions.vtt';

const progress = ['-progress', `pipe:${FIRST_PIPE}`, '-stats_period', '5'];

/** Writes a track of captions as WebVTT, with the source's times. */
export function textArguments(demuxer: Demuxer, index: number): string[] {
  const decoded = ['-codec_whitelist', textDecoders];
  const output = ['-map', `0:${index}`, '-c:s', 'webvtt', '-f', 'webvtt', textName];
  return line(quiet, progress, '-copyts', decoded, opened(demuxer, undefined, sourceName), output);
}

/**
 * Writes the captions of television inside the pictures, which all have to be decoded for that: those of the one track that
 * was admitted, which a second output drives, so that progress is that of the pictures.
 */
export function closedCaptionArguments(demuxer: Demuxer, video: VideoStream): string[] {
  // The filter has a language of its own, in which a colon within an option is escaped twice.
  const limits = `protocol_whitelist=file${video.unedited ? '\\\\\\:advanced_editlist=0' : ''}`;
  const opened = `filename=${sourceName}:format_name=${demuxer}:streams=${video.index}:format_opts=${limits}`;
  return line(
    ...[quiet, progress, '-copyts', ['-f', 'lavfi', '-i', `movie=dec_threads=${PROBE_THREADS}:${opened}[out0+subcc]`]],
    ['-map', '0:s', '-c:s', 'webvtt', '-f', 'webvtt', closedCaptionName],
    ['-map', '0:v', '-c:v', 'wrapped_avframe', '-fps_mode', 'passthrough', '-f', 'null', '-'],
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
    // Without it the record of Dolby Vision is left out.
    ['-strict', 'unofficial'],
    // Parameter sets in the sample description alone, as players of HLS want them.
    video.codec === 'hevc' ? ['-tag:v', 'hvc1'] : [],
    ['-map_metadata', '-1', '-avoid_negative_ts', 'disabled', '-write_btrt', '0'],
    fragments,
    `pipe:${FIRST_PIPE}`,
  );
}
