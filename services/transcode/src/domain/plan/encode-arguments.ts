/** Command lines of ffmpeg and ffprobe: fixed names, forced demuxers, local files only. */
import type { VideoStream } from '../source/probe.ts';
import type { Demuxer } from '../source/sniff.ts';
import { readHash, type PacketHash } from '../source/stored-packets.ts';
import type { Effort } from './effort.ts';
import type { EncodePlan } from './encode-plan.ts';
import { filterGraph, firstOfCell, judgedByLooks } from './filter-graph.ts';
import type { Rung } from './ladder.ts';
import type { Piece } from './pieces.ts';
import { PROBE_THREADS } from './work-estimate.ts';

/** Ticks a second of every video rendition. */
export const VIDEO_TIMESCALE = 90_000;
/** Closed groups of pictures begin on this grid; with the same pictures in every rung and every piece. */
const KEY_SECONDS = 2;
/** Names of the source, and of a piece cut out of it, in the scratch folder. */
export const sourceName = 'source';
export const pieceName = 'piece';
/** Names of sheets and thumbnail in the encoder's scratch folder; number 0 is a placeholder of each. */
export const sheetName = 'sheet-%d.jpg';
export const posterName = 'poster-%d.jpg';
/** The file descriptor of the encoder's first rendition; the others follow. */
export const FIRST_PIPE = 3;

export const quiet = ['-hide_banner', '-nostdin', '-v', 'error'];

const movFlags = '+cmaf+frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets+frag_discont+skip_trailer';
/**
 * Fragments with their own absolute times, and composition offsets around zero: the segment writer sets the final ones.
 */
export const fragments = line(['-movflags', movFlags], ['-use_editlist', '0'], ['-f', 'mp4']);

/**
 * The filter graph's output colours, also passed to the encoder, which does not write what its frames leave undeclared.
 */
const colourTags = ['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];

/**
 * The decoders that a file may start, by their names in ffmpeg: those of the codecs that are accepted (tracks.ts). ffmpeg
 * would start one for each track otherwise, whether it is mapped or not.
 */
const decoders = [
  'h264,hevc,vp9,libvpx-vp9,av1,libdav1d,libaom-av1,vp8,libvpx',
  'aac,aac_fixed,mp3,mp3float,mp2,mp2float,opus,libopus,vorbis,libvorbis,ac3,ac3_fixed,eac3,flac,alac,dca,truehd,mlp',
  'amrnb,amrwb,libopencore_amrnb,libopencore_amrwb,wmav2,pcm_alaw,pcm_mulaw,pcm_s8,pcm_u8,pcm_s8_planar',
  ...['s16', 'u16', 's24', 'u24', 's32', 'u32', 's64', 'f16', 'f24', 'f32', 'f64'].map(
    (one) => `pcm_${one}le,pcm_${one}be`,
  ),
  ...['s16le', 's16be', 's24le', 's32le'].map((one) => `pcm_${one}_planar`),
].join(',');
/** Pictures beyond this are not opened at all; `maxPixels`, of which this is a multiple, says which are accepted. */
const MAX_OPENED_PIXELS = 16_384 * 8_192;

/** Pictures that are decoded of a sample. */
const SAMPLED_PICTURES = 24;

const colours = 'color_range,color_space,color_primaries,color_transfer';
/** Of captions, HDR metadata and Dolby Vision. */
const sideData = 'side_data_type,max_content,max_luminance,vdr_rpu_profile,bl_video_full_range_flag';
const shownTime = 'best_effort_timestamp_time';

/** All rungs, the storyboard's sheets and optionally the thumbnail of one piece, from one decode. */
export function encodeArguments(plan: EncodePlan, piece: Piece, effort: Effort): string[] {
  const thumbnail = piece.index === plan.poster;
  return line(
    graphArguments(plan, piece, effort, thumbnail),
    plan.rungs.flatMap((rung, index) =>
      index === 0 && plan.copiesTop !== undefined ? copiedRung(plan) : rungOutput(rung, index, effort, plan.bFrames),
    ),
    still('sheets', 5, [], sheetName),
    thumbnail ? still('poster', 3, ['-frames:v', '2'], posterName) : [],
  );
}

/** Decodes a piece into its filter graph; what becomes of the graph's outputs follows. */
export function graphArguments(
  plan: EncodePlan,
  piece: Piece,
  effort: Pick<Effort, 'threads'>,
  thumbnail: boolean,
): string[] {
  return line(
    quiet,
    // Stills of a run before are replaced: one whose copied rung was rejected.
    ['-y', '-copyts', '-noautorotate'],
    // Damage ends it, as nothing damaged is copied. With more threads, a picture may be shown before its damage is known.
    ...(plan.copiesTop === undefined ? [threadsOf(effort)] : [['-xerror'], threadsOf({ threads: 1 })]),
    ['-filter_complex_threads', String(effort.threads)],
    // The graph brings all sizes into one itself: if it were set up again, the pictures that it holds would be lost.
    ['-reinit_filter', '0'],
    input(plan.probe.demuxer, plan.probe.video, inputName(plan)),
    ['-filter_complex', filterGraph(plan, piece, thumbnail)],
  );
}

/** The number of the video stream in that file. */
export function videoOf({ pieces, probe }: Pick<EncodePlan, 'pieces' | 'probe'>): number {
  return pieces.length > 1 ? 0 : probe.video.index;
}

/** The name of the file that a piece is encoded from: its copy, or the whole source. */
export function inputName({ pieces }: EncodePlan): string {
  return pieces.length > 1 ? pieceName : sourceName;
}

/** Flattens groups of an option and its values into a command line. */
export function line(...groups: readonly (string | readonly string[])[]): string[] {
  return groups.flat();
}

function threadsOf({ threads }: Pick<Effort, 'threads'>): string[] {
  return ['-threads', String(threads)];
}

/** What ffmpeg reads. @param video undefined if only sound is read */
export function input(demuxer: Demuxer, video?: VideoStream, file = sourceName): string[] {
  return line(['-codec_whitelist', decoders], opened(demuxer, video, file));
}

/** With the limits of every program that opens a source. */
export function opened(demuxer: Demuxer, video: VideoStream | undefined, file: string): string[] {
  return line(
    video?.unedited ? ['-advanced_editlist', '0'] : [],
    ['-protocol_whitelist', 'file'],
    ['-format_whitelist', 'mov,matroska'],
    ['-max_pixels', String(MAX_OPENED_PIXELS)],
    // Microseconds. A decoder may show its first picture only once it has the second one, which may come late.
    ['-analyzeduration', '60000000'],
    ['-f', demuxer],
    ['-i', `file:${file}`],
  );
}

function rungOutput(rung: Rung, index: number, effort: Effort, bFrames: boolean): string[] {
  return line(
    ['-map', `[r${index}]`],
    threadsOf(effort),
    ['-c:v', 'libx264', '-preset', effort.preset, '-profile:v', 'high', '-level:v', rung.level],
    ['-crf', String(effort.crf), '-maxrate', rate(rung.maxRate), '-bufsize', rate(rung.maxRate * 2)],
    ['-force_key_frames', `expr:${firstOfCell(KEY_SECONDS, 'prev_forced_t')}`, '-forced-idr', '1'],
    ['-sc_threshold', '0', '-g', '300', '-keyint_min', '1'],
    bFrames ? [] : ['-bf', '0'],
    // Captions inside the source's pictures would be in no playlist: players would offer them, or not, by chance.
    ['-a53cc', '0'],
    colourTags,
    ['-fps_mode', 'passthrough', '-enc_time_base', `1:${VIDEO_TIMESCALE}`],
    ['-video_track_timescale', String(VIDEO_TIMESCALE), '-map_metadata', '-1'],
    fragments,
    `pipe:${FIRST_PIPE + index}`,
  );
}

/**
 * Supplemental information, which no decoder needs, may begin to hold captions anywhere in a title, and then they would be
 * in no playlist.
 */
const withoutCaptions = 'filter_units=remove_types=6';
/** BT.709 of limited range, in the headers of the stream. */
const declared =
  'h264_metadata=video_full_range_flag=0:colour_primaries=1:transfer_characteristics=1:matrix_coefficients=1';

/** The source's own packets, on its own clock, with those before and after the piece. */
function copiedRung(plan: EncodePlan): string[] {
  return line(
    ['-map', `0:${videoOf(plan)}`, '-c:v', 'copy', '-video_track_timescale', String(plan.probe.video.timescale)],
    ['-map_metadata', '-1', '-avoid_negative_ts', 'disabled'],
    ['-bsf:v', [withoutCaptions, ...(plan.copiesTop === 'declare' ? [declared] : [])].join(',')],
    // The container says the same about the shape of pixels as the headers.
    ['-aspect', `${plan.rungs[0].width}:${plan.rungs[0].height}`],
    // A bit rate of its own would make the init segment of each piece another one.
    ['-write_btrt', '0'],
    fragments,
    `pipe:${FIRST_PIPE}`,
  );
}

function rate(bits: number): string {
  return `${Math.round(bits / 1_000)}k`;
}

function still(label: string, quality: number, options: readonly string[], name: string): string[] {
  return line(
    ['-map', `[${label}]`, '-c:v', 'mjpeg', '-q:v', String(quality), '-fps_mode', 'passthrough'],
    ['-map_metadata', '-1', '-f', 'image2', '-start_number', '0'],
    options,
    name,
  );
}

/** Prints the hash of each packet that is copied, for `readCopied`. */
export const hashes = ['-f', 'framehash', '-hash', 'crc32', `pipe:${FIRST_PIPE}`];

/** Copies the packets that a piece needs for decoding, unchanged and on the source's clock, and prints their hashes. */
export function cutArguments(video: VideoStream, piece: Piece, demuxer: Demuxer): string[] {
  return line(
    quiet,
    piece.copyFrom === undefined ? [] : ['-ss', piece.copyFrom.toFixed(6)],
    '-copyts',
    input(demuxer, video),
    copied(video, piece),
    ['-map_metadata', '-1', '-avoid_negative_ts', 'disabled'],
    copyInto(demuxer, String(video.timescale)),
    ['-y', pieceName],
    copied(video, piece),
    hashes,
  );
}

function copied(video: VideoStream, { copyTo }: Piece): string[] {
  return line(['-map', `0:${video.index}`, '-c', 'copy'], copyTo === undefined ? [] : ['-to', copyTo.toFixed(6)]);
}

/** Collects what is printed. */
export function printedHashes() {
  const printed: Uint8Array[] = [];
  return {
    read: async (stream: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of stream) printed.push(chunk);
    },
    packets: (): PacketHash[] => {
      const lines = Buffer.concat(printed).toString('latin1').split('\n');
      return lines.flatMap((text) => readCopied(text) ?? []);
    },
  };
}

/** A line of those hashes: `stream, dts, pts, duration, size, hash`; undefined for the lines before them. */
export function readCopied(text: string): PacketHash | undefined {
  if (text.startsWith('#')) return undefined;
  const [, , , , bytes, hash] = text.split(',').map((field) => field.trim());
  return hash === undefined ? undefined : { bytes: Number(bytes), hash: readHash(hash) };
}

/**
 * Timescales that a copy keeps: the track's, and that of the edit list, which places the copy on the source's timeline.
 */
function copyInto(demuxer: Demuxer, timescale: string): string[] {
  return demuxer === 'mov'
    ? ['-video_track_timescale', timescale, '-movie_timescale', timescale, '-f', 'mp4']
    : ['-f', 'matroska'];
}

/** What `readProbe` reads of a stream: not its tags, which may be larger than what is read of a program's output. */
const probed = [
  'index,id,codec_type,codec_name,codec_tag_string,width,height,pix_fmt,sample_aspect_ratio,field_order,nb_frames',
  'time_base,duration,duration_ts,color_range,color_space,color_transfer,color_primaries',
  'channels,channel_layout,sample_rate:stream_disposition:stream_side_data:stream_tags=language,title,name,handler_name',
].join(',');

/** Streams and the file's duration, as JSON. */
export function probeArguments(demuxer: Demuxer): string[] {
  return ffprobe(
    demuxer,
    undefined,
    '-show_entries',
    `stream=${probed}:format=duration:chapter=start_time:chapter_tags=title`,
    '-of',
    'json',
  );
}

/** The decoder's configuration of a stream, as a hex dump in JSON. */
export function configurationArguments(demuxer: Demuxer, video: VideoStream): string[] {
  const entries = ['-show_entries', 'stream=extradata', '-show_data'];
  return ffprobe(demuxer, video, '-select_streams', String(video.index), ...entries, '-of', 'json');
}

export function ffprobe(demuxer: Demuxer, video: VideoStream | undefined, ...options: readonly string[]): string[] {
  // Without the list of decoders: it fails on a track outside of it, which may be a cover, or be refused by its name.
  const threads = ['-threads', String(PROBE_THREADS)];
  return line(['-hide_banner', '-v', 'error'], threads, opened(demuxer, video, sourceName), options);
}

/**
 * Decodes the first pictures and describes them as JSON.
 * @param leadIn packets of the stream that may show nothing
 */
export function firstPicturesArguments(demuxer: Demuxer, video: VideoStream, leadIn: number): string[] {
  const range = ['-select_streams', String(video.index), '-read_intervals', `%+#${leadIn + 12}`];
  const entries = `frame=${shownTime},interlaced_frame,top_field_first,${colours}:frame_side_data=${sideData}`;
  return ffprobe(demuxer, video, ...range, '-show_entries', entries, '-of', 'json');
}

/** Decodes the key pictures at the given seconds of the source's clock, and describes them as JSON. */
export function samplesArguments(demuxer: Demuxer, video: VideoStream, times: readonly number[]): string[] {
  // Seeking ends at the key picture before: a millisecond later, no rounding leads to the one before that.
  const intervals = times.map((time) => `${(time + 0.001).toFixed(6)}%+#1`).join(',');
  const range = ['-select_streams', String(video.index), '-skip_frame', 'nokey', '-read_intervals', intervals];
  const entries = `frame=${shownTime},width,height,sample_aspect_ratio,interlaced_frame`;
  return ffprobe(demuxer, video, ...range, '-show_entries', entries, '-of', 'json');
}

/** Decodes a sample of pictures from a key picture on, and prints for `readFieldSample` what they say and look like. */
export function fieldSampleArguments(demuxer: Demuxer, video: VideoStream, from: number): string[] {
  const filters = [
    "setpts='2*N+INTERLACED'",
    judgedByLooks,
    'metadata=mode=print:key=lavfi.idet.single.current_frame:file=-',
  ];
  return line(
    quiet,
    ['-seek_timestamp', '1', '-ss', from.toFixed(6), '-noaccurate_seek'],
    input(demuxer, video),
    ['-map', `0:${video.index}`, '-frames:v', String(SAMPLED_PICTURES)],
    ['-vf', filters.join(','), '-fps_mode', 'passthrough', '-enc_time_base', '-1', '-f', 'null', '-'],
  );
}

/** One line per packet, for `scanPackets`. */
export function packetArguments(demuxer: Demuxer, video: VideoStream, isWhole = true): string[] {
  const entries = 'packet=stream_index,pts_time,duration_time,size,pos,flags,data_hash:packet_side_data=side_data_type';
  // A parser finds no key picture where a part of the source is missing; the index does.
  const unparsed = isWhole ? [] : ['-fflags', 'noparse'];
  return ffprobe(demuxer, video, ...unparsed, '-show_entries', entries, '-show_data_hash', 'CRC32', '-of', 'csv=p=0');
}

/** One line per picture of a stream that decoding shows, for `scanShown`. */
export function shownArguments(demuxer: Demuxer, video: VideoStream): string[] {
  const entries = `frame=${shownTime},pkt_duration_time`;
  return ffprobe(demuxer, video, '-select_streams', String(video.index), '-show_entries', entries, '-of', 'csv=p=0');
}
