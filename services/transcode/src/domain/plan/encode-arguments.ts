/** Command lines of ffmpeg and ffprobe: fixed names, forced demuxers, local files only. */
import type { AudioFacts } from '../source/probe.ts';
import type { Timeline } from '../source/timeline.ts';
import type { VideoFacts } from '../source/probe.ts';
import { filterGraph, type GraphOptions } from './filter-graph.ts';
import type { Rung } from './ladder.ts';
import type { Piece } from './pieces.ts';

export type Demuxer = 'mov' | 'matroska';

/** Ticks a second of every video rendition. */
export const videoTimescale = 90_000;
export const audioSampleRate = 48_000;
export const segmentSeconds = 6;
/** Closed groups of pictures begin on this grid. */
export const keySeconds = 2;
/** Names of the source, and of a piece cut out of it, in the scratch folder. */
export const sourceName = 'source';
export const pieceName = 'piece';
/** Names of sheets and thumbnail in the encoder's scratch folder. */
export const sheetName = 'sheet-%d.jpg';
export const posterName = 'poster.jpg';
/** The file descriptor of the encoder's first rendition; the others follow. */
export const firstPipe = 3;

const quiet = ['-hide_banner', '-nostdin', '-v', 'error'];

const movFlags = '+cmaf+frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets+frag_discont+skip_trailer';
/**
 * Fragments with their own absolute times, and composition offsets around zero: the segment writer sets the final ones.
 */
const fragments = line(['-movflags', movFlags], ['-use_editlist', '0'], ['-f', 'mp4']);

/**
 * The filter graph's output colours, also passed to the encoder, which does not write what its frames leave undeclared.
 */
const colourTags = ['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];

/** The encoder's settings, which the operator chooses. */
export type Effort = {
  /** x264's name for speed against size. */
  readonly preset: string;
  /** Threads of each decoder and encoder; 0: ffmpeg's choice. */
  readonly threads: number;
};

export type EncodeOptions = GraphOptions & {
  readonly demuxer: Demuxer;
  /** Name in the scratch folder. */
  readonly file: string;
  readonly effort: Effort;
  readonly bFrames: boolean;
};

const colours = 'color_range,color_space,color_primaries,color_transfer';
const shownTime = 'best_effort_timestamp_time';

/** All rungs, the storyboard's sheets and optionally the thumbnail of one piece, from one decode. */
export function encodeArguments(options: EncodeOptions): string[] {
  return line(
    quiet,
    ['-copyts', '-noautorotate'],
    threadsOf(options.effort),
    input(options.demuxer, options.file),
    ['-filter_complex', filterGraph(options)],
    options.rungs.flatMap((rung, index) => rungOutput(rung, index, options)),
    still('sheets', 5, ['-start_number', '0'], sheetName),
    options.thumbnail ? still('poster', 3, ['-frames:v', '1', '-update', '1'], posterName) : [],
  );
}

/** Flattens groups of an option and its values into a command line. */
function line(...groups: readonly (string | readonly string[])[]): string[] {
  return groups.flat();
}

function threadsOf({ threads }: Effort): string[] {
  return threads > 0 ? ['-threads', String(threads)] : [];
}

function input(demuxer: Demuxer, file: string): string[] {
  return line(
    ['-protocol_whitelist', 'file'],
    ['-format_whitelist', 'mov,matroska'],
    ['-f', demuxer],
    ['-i', `file:${file}`],
  );
}

function rungOutput(rung: Rung, index: number, { effort, bFrames }: EncodeOptions): string[] {
  return line(
    ['-map', `[r${index}]`],
    threadsOf(effort),
    ['-c:v', 'libx264', '-preset', effort.preset, '-profile:v', 'high', '-level:v', rung.level],
    ['-crf', '23', '-maxrate', rate(rung.maxRate), '-bufsize', rate(rung.maxRate * 2)],
    ['-force_key_frames', keyGrid(), '-forced-idr', '1', '-sc_threshold', '0', '-g', '300', '-keyint_min', '1'],
    bFrames ? [] : ['-bf', '0'],
    colourTags,
    ['-fps_mode', 'passthrough', '-enc_time_base', `1:${videoTimescale}`],
    ['-video_track_timescale', String(videoTimescale), '-map_metadata', '-1'],
    fragments,
    `pipe:${firstPipe + index}`,
  );
}

function rate(bits: number): string {
  return `${Math.round(bits / 1_000)}k`;
}

/** A key picture wherever a cell of the key grid begins; the same pictures in every rung and every piece. */
function keyGrid(): string {
  const cell = (time: string): string => `floor((${time}+0.001)/${keySeconds})`;
  return `expr:isnan(prev_forced_t)+gt(${cell('t')},${cell('prev_forced_t')})`;
}

function still(label: string, quality: number, options: readonly string[], name: string): string[] {
  return line(
    ['-map', `[${label}]`, '-c:v', 'mjpeg', '-q:v', String(quality), '-fps_mode', 'passthrough'],
    ['-map_metadata', '-1', '-f', 'image2'],
    options,
    name,
  );
}

/** The video's one audio rendition: silence where sound begins late or has gaps, cut where it begins before zero. */
export function audioArguments(audio: AudioFacts, timeline: Timeline, demuxer: Demuxer, file: string): string[] {
  const filters = [
    `asetpts='PTS-(${timeline.zero.toFixed(7)})/TB'`,
    `aresample=${audioSampleRate}:async=1:first_pts=0`,
    `aformat=sample_fmts=fltp:sample_rates=${audioSampleRate}:channel_layouts=stereo`,
  ];
  return line(
    quiet,
    '-copyts',
    input(demuxer, file),
    ['-map', `0:${audio.index}`, '-vn', '-sn', '-dn'],
    ['-af', filters.join(',')],
    ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-map_metadata', '-1'],
    ['-frag_duration', '2000000'],
    fragments,
    `pipe:${firstPipe}`,
  );
}

/** Copies the packets that a piece needs for decoding, unchanged and on the source's clock. */
export function cutArguments(
  video: VideoFacts,
  piece: Piece,
  demuxer: Demuxer,
  file: string,
  outputName: string,
): string[] {
  return line(
    quiet,
    piece.copyFrom === undefined ? [] : ['-ss', piece.copyFrom.toFixed(6)],
    '-copyts',
    input(demuxer, file),
    ['-map', `0:${video.index}`, '-c', 'copy'],
    piece.copyTo === undefined ? [] : ['-to', piece.copyTo.toFixed(6)],
    ['-map_metadata', '-1', '-avoid_negative_ts', 'disabled'],
    copyInto(demuxer, String(video.timescale)),
    ['-y', outputName],
  );
}

/**
 * Timescales that a copy keeps: the track's, and that of the edit list, which places the copy on the source's timeline.
 */
function copyInto(demuxer: Demuxer, timescale: string): string[] {
  return demuxer === 'mov'
    ? ['-video_track_timescale', timescale, '-movie_timescale', timescale, '-f', 'mp4']
    : ['-f', 'matroska'];
}

/** Streams and format, as JSON. */
export function probeArguments(demuxer: Demuxer, file: string): string[] {
  return ask(demuxer, file, ['-show_format', '-show_streams', '-of', 'json']);
}

function ask(demuxer: Demuxer, file: string, ...groups: readonly (readonly string[])[]): string[] {
  return line(['-hide_banner', '-v', 'error'], input(demuxer, file), ...groups);
}

/**
 * Decodes the first pictures and describes them as JSON.
 * @param leadIn packets of the stream that may show nothing
 */
export function firstPicturesArguments(
  demuxer: Demuxer,
  { stream, leadIn }: { readonly stream: number; readonly leadIn: number },
  file: string,
): string[] {
  return ask(
    demuxer,
    file,
    ['-select_streams', String(stream), '-read_intervals', `%+#${leadIn + 12}`],
    ['-show_entries', `frame=${shownTime},interlaced_frame,${colours}`, '-of', 'json'],
  );
}

/** One line per packet, for `scanPackets`. */
export function packetArguments(demuxer: Demuxer, file: string): string[] {
  return ask(demuxer, file, [
    '-show_entries',
    'packet=stream_index,pts_time,duration_time,size,pos,flags',
    '-of',
    'csv=p=0',
  ]);
}

/** One line per picture of a stream that decoding shows, for `scanShown`. */
export function shownArguments(demuxer: Demuxer, stream: number, file: string): string[] {
  return ask(
    demuxer,
    file,
    ['-select_streams', String(stream)],
    ['-show_entries', `frame=${shownTime},pkt_duration_time`, '-of', 'csv=p=0'],
  );
}
