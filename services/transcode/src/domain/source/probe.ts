/** Parses ffprobe's output into the basis of the service's decisions. */
import { readDolbyVision, recognizeProfile5, withBaseLayer, type DolbyVision } from './dolby-vision.ts';
import { readPeakLight } from './peak-light.ts';
import { has, isObject, languageOf, number, objects, parse, positive, text, type Json } from './probe-json.ts';
import type { Demuxer } from './sniff.ts';
import { chooseTrack, isAudioCodec, isPassedOver, isVideoCodec, roleOf, type SoundRole, type Track } from './tracks.ts';
import { chooseTexts, isText, readChapters, type SourceChapter, type TextStream } from './side-tracks.ts';
import { trackTitle } from './track-title.ts';

/** Quarter turns and mirrorings that bring a stored picture upright, in the order in which they are applied. */
export type Upright = readonly ('clock' | 'cclock' | 'clock_flip' | 'cclock_flip' | 'hflip' | 'vflip')[];

export type VideoStream = {
  /** Number of the stream in the file. */
  readonly index: number;
  readonly codec: string;
  /** Stored size in pixels: the largest that lasts, where it changes. */
  readonly width: number;
  readonly height: number;
  /** Whether the size changes in mid-stream. */
  readonly resized: boolean;
  /** Width of a stored pixel by its height. */
  readonly pixelAspect: number;
  /** Whether it is read without the demuxer's edit list, which would hide a picture that is shown. */
  readonly unedited: boolean;
  readonly upright: Upright;
  readonly pixelFormat: string;
  readonly transfer: string;
  readonly matrix: string;
  readonly primaries: string;
  /** `pc` where luma goes from 0 to 255, `tv` where it goes from 16 to 235; empty if undeclared. */
  readonly range: string;
  /** The brightest light of HDR pictures, in cd/m²; undefined if undeclared. */
  readonly peakLight: number | undefined;
  readonly dolbyVision: DolbyVision | undefined;
  /** The pictures carry captions of television (CEA-608 or CEA-708). */
  readonly closedCaptions: boolean;
  /** Which field of a picture comes first, where each is a decoded picture of its own; the size is that of both. */
  readonly fields: 'top' | 'bottom' | undefined;
  /** Whether any of its pictures are. */
  readonly interlaced: boolean;
  /** Whether its pictures are marked wrongly as interlaced or progressive. */
  readonly wronglyMarked: boolean;
  /** Seconds a tick of this stream's clock lasts. */
  readonly tick: number;
  /** Ticks a second, for a copy that keeps the clock. */
  readonly timescale: number;
  /** Seconds as the header declares them. */
  readonly declaredDuration: number | undefined;
};

export type AudioStream = {
  readonly index: number;
  readonly codec: string;
  readonly channels: number;
  /** Which loudspeakers its channels are for, as ffprobe names it; empty if the file does not declare it. */
  readonly layout: string;
  readonly sampleRate: number;
  readonly tick: number;
  readonly language: string | undefined;
  /** What the file calls it; undefined if nothing that tells viewers more than its language. */
  readonly title?: string | undefined;
  readonly role?: SoundRole;
  /** Seconds as the header declares them. */
  readonly declaredDuration: number | undefined;
};

export type ProbeResult = {
  readonly demuxer: Demuxer;
  /** Tracks of pictures, sound and subtitles; without attachments, covers, chapters and data. */
  readonly streams: number;
  readonly video: VideoStream | undefined;
  /** The track that viewers hear unless they choose another one; captions are made from it. */
  readonly audio: AudioStream | undefined;
  /** The other playable ones, in the file's order; absent in plans of earlier releases. */
  readonly alternates?: readonly AudioStream[];
  readonly audioStreams: number;
  /** Tracks of captions; absent in plans of earlier releases. */
  readonly texts?: readonly TextStream[];
  readonly textsLeftOut?: boolean;
  /** As the file has them; absent in plans of earlier releases. */
  readonly chapters?: readonly SourceChapter[];
  /** Whether the tracks that players would choose cannot be played, and others are. */
  readonly passedOver: boolean;
  /** Seconds of the longest track, as the container's header declares them. */
  readonly declaredDuration: number | undefined;
};

/** The probe of a source with an admitted video stream. */
export type ProbedVideo = ProbeResult & { readonly video: VideoStream };

/** A decoded picture; `time` in seconds on the source's clock. */
export type PictureSample = {
  readonly time: number;
  readonly width: number;
  readonly height: number;
  readonly pixelAspect: number;
  readonly interlaced: boolean;
};

/** In mp4 a length of all ones means unknown (ISO/IEC 14496-12 §8.2.2.3). */
const allOnes = new Set([2 ** 32 - 1, 2 ** 63, 2 ** 64]);

const interlacedOrders = new Set(['tt', 'bb', 'tb', 'bt']);

/** Facts about the tracks that ffprobe's streams lack. */
export type TrackHints = {
  /** Numbers of tracks that only accompany another one. */
  readonly auxiliary?: readonly number[];
  /** How many packets each stream has. */
  readonly packets?: ReadonlyMap<number, number>;
};

/** A single picture is a cover. */
const MIN_PICTURES = 2;
const MIN_SOUNDS = 1;

/**
 * Reads ffprobe's JSON of format and streams.
 * @throws AppError INTERNAL if it is not ffprobe's JSON
 */
export function readProbe(json: string, demuxer: Demuxer, hints: TrackHints = {}): ProbeResult {
  const parsed = parse(json);
  const streams = objects(parsed['streams']).filter((stream) => !isCover(stream));
  const tracks = streams.map((stream) => ({ stream, ...trackOf(stream, hints) }));
  const pictures = tracks.filter(({ stream }) => stream['codec_type'] === 'video' && !isAuxiliary(stream, hints));
  const sounds = tracks.filter(({ stream }) => stream['codec_type'] === 'audio');
  const texts = streams.filter(isText);
  const video = chooseTrack(pictures, MIN_PICTURES)?.stream;
  const audio = chooseTrack(sounds, MIN_SOUNDS)?.stream;
  const format = isObject(parsed['format']) ? parsed['format'] : {};
  return {
    demuxer,
    streams: pictures.length + sounds.length + texts.length,
    video: video && readVideo(video),
    audio: audio && readAudio(audio),
    alternates: sounds
      .filter(({ stream, playable, packets = 1 }) => stream !== audio && playable && packets > 0)
      .map(({ stream }) => readAudio(stream)),
    audioStreams: sounds.length,
    ...chooseTexts(texts, hints.packets),
    chapters: readChapters(objects(parsed['chapters'])),
    passedOver: isPassedOver(pictures, MIN_PICTURES) || isPassedOver(sounds, MIN_SOUNDS),
    declaredDuration: positive(format['duration']),
  };
}

function isCover(stream: Json): boolean {
  return has(stream, 'attached_pic') || has(stream, 'still_image') || has(stream, 'timed_thumbnails');
}

function isAuxiliary(stream: Json, { auxiliary = [] }: TrackHints): boolean {
  return auxiliary.includes(number(stream['id']));
}

function trackOf(stream: Json, { packets }: TrackHints): Track {
  const codec = text(stream['codec_name']);
  const pixels = number(stream['width']) * number(stream['height']);
  const isVideo = stream['codec_type'] === 'video';
  return {
    playable: isVideo ? isVideoCodec(codec) && pixels > 0 && text(stream['pix_fmt']) !== '' : isAudioCodec(codec),
    isDefault: has(stream, 'default'),
    additional: ['comment', 'descriptions', 'visual_impaired', 'karaoke'].some((flag) => has(stream, flag)),
    pixels,
    packets: packets ? (packets.get(number(stream['index'])) ?? 0) : positive(stream['nb_frames']),
  };
}

function readVideo(stream: Json): VideoStream {
  const [over = 1, under = 1] = text(stream['time_base']).split('/').map(Number);
  return {
    index: number(stream['index']),
    codec: text(stream['codec_name']),
    width: number(stream['width']),
    height: number(stream['height']),
    resized: false,
    unedited: false,
    pixelAspect: squared(ratio(stream['sample_aspect_ratio'])),
    upright: readMatrix(stream),
    pixelFormat: text(stream['pix_fmt']),
    transfer: text(stream['color_transfer']),
    matrix: text(stream['color_space']),
    primaries: text(stream['color_primaries']),
    range: text(stream['color_range']),
    peakLight: readPeakLight(objects(stream['side_data_list'])),
    dolbyVision: readDolbyVision(objects(stream['side_data_list'])),
    closedCaptions: false,
    interlaced: interlacedOrders.has(text(stream['field_order'])),
    wronglyMarked: false,
    fields: undefined,
    tick: over / under,
    timescale: under,
    declaredDuration: declaredLength(stream),
  };
}

/** Rounding to whole pixels leaves invisible distortions such as 1281:1280. */
function squared(aspect: number): number {
  return aspect === 0 || Math.abs(aspect - 1) < 0.01 ? 1 : aspect;
}

/** `30000/1001` or `4:3` as a number; 0 if it is not one. */
function ratio(value: unknown): number {
  const [over, under] = text(value).split(/[/:]/).map(Number);
  return over !== undefined && under !== undefined && over > 0 && under > 0 ? over / under : 0;
}

function readMatrix(stream: Json): Upright {
  const side = objects(stream['side_data_list']).find((data) => text(data['displaymatrix']) !== '');
  if (!side) return [];
  const rows = text(side['displaymatrix']).trim().split('\n');
  return uprightOf(
    rows.flatMap((row) =>
      row
        .slice(row.indexOf(':') + 1)
        .trim()
        .split(/\s+/)
        .map(Number),
    ),
  );
}

/**
 * How a display matrix turns the picture: a stored x axis points to (a, b), a stored y axis to (c, d), with y downwards
 * (ISO/IEC 14496-12 §6.2.2). Pictures are turned explicitly, because pieces cut out of a source may lose the matrix.
 * @param rows nine numbers, row by row: a b u, c d v, x y w
 */
export function uprightOf(rows: readonly number[]): Upright {
  const [a = 1, b = 0, , c = 0, d = 1] = rows;
  if (Math.abs(b) > Math.abs(a)) {
    if (b > 0) return [c > 0 ? 'cclock_flip' : 'clock'];
    return [c > 0 ? 'cclock' : 'clock_flip'];
  }
  return [...(a < 0 ? (['hflip'] as const) : []), ...(d < 0 ? (['vflip'] as const) : [])];
}

function declaredLength(stream: Json): number | undefined {
  return allOnes.has(number(stream['duration_ts'])) ? undefined : positive(stream['duration']);
}

function readAudio(stream: Json): AudioStream {
  return {
    index: number(stream['index']),
    codec: text(stream['codec_name']),
    channels: number(stream['channels']),
    layout: layoutOf(stream),
    sampleRate: number(stream['sample_rate']),
    tick: ratio(stream['time_base']),
    language: languageOf(stream),
    title: trackTitle(isObject(stream['tags']) ? stream['tags'] : {}),
    role: roleOf((flag) => has(stream, flag)),
    declaredDuration: declaredLength(stream),
  };
}

function layoutOf(stream: Json): string {
  const layout = text(stream['channel_layout']);
  return layout === 'unknown' ? '' : layout;
}

/** The decoder's configuration of the one stream that ffprobe's JSON describes, from its hex dump. */
export function readConfiguration(json: string): Buffer {
  const dump = text(objects(parse(json)['streams'])[0]?.['extradata']);
  const rows = [...dump.matchAll(/^[0-9a-f]{8}: ((?:[0-9a-f]{2,4} )+)/gm)].map(([, row = '']) => row);
  return Buffer.from(rows.join('').replaceAll(' ', ''), 'hex');
}

/**
 * Adds what only decoded pictures reveal; many containers do not declare that their pictures are interlaced or HDR.
 * @param json ffprobe's JSON of the first frames
 * @returns the stream and when its first picture is shown, in seconds on the source's clock (undefined if the
 * pictures have no times); undefined if no picture could be decoded
 */
export function withFirstPictures(video: VideoStream, json: string) {
  const frames = objects(parse(json)['frames']);
  const [first] = frames;
  if (!first) return undefined;
  const sideData = frames.flatMap((frame) => objects(frame['side_data_list']));
  const times = frames.map((frame) => Number.parseFloat(text(frame['best_effort_timestamp_time'])));
  return {
    video: withBaseLayer({
      ...video,
      transfer: text(first['color_transfer']) || video.transfer,
      matrix: text(first['color_space']) || video.matrix,
      primaries: text(first['color_primaries']) || video.primaries,
      range: text(first['color_range']) || video.range,
      peakLight: readPeakLight(sideData) ?? video.peakLight,
      dolbyVision: video.dolbyVision ?? recognizeProfile5(sideData),
      closedCaptions: sideData.some((data) => text(data['side_data_type']).includes('Closed Captions')),
      interlaced: video.interlaced || frames.some((frame) => frame['interlaced_frame'] === 1),
      ...fieldsOf(video, frames),
    }),
    shownAt: times.every(Number.isFinite) ? Math.min(...times) : undefined,
  };
}

/** Whether ffprobe's JSON tells of a frame: something could be decoded. */
export function hasFrames(json: string): boolean {
  return objects(parse(json)['frames']).length > 0;
}

/** H.265 codes interlaced pictures as single fields, which its decoder marks, but does not join. */
function fieldsOf({ codec, height, pixelAspect }: VideoStream, frames: readonly Json[]): Partial<VideoStream> {
  if (codec !== 'hevc' || frames.some((frame) => frame['interlaced_frame'] !== 1)) return {};
  // Some encoders declare the shape of a field's pixels, most of them that of the whole picture's.
  const aspect = pixelAspect < 0.7 ? squared(pixelAspect * 2) : pixelAspect;
  return { fields: frames[0]?.['top_field_first'] === 1 ? 'top' : 'bottom', height: height * 2, pixelAspect: aspect };
}

/** Reads ffprobe's JSON of pictures that were decoded here and there; in the order in which they are shown. */
export function readSamples(json: string): PictureSample[] {
  return objects(parse(json)['frames'])
    .map((frame) => ({
      time: Number.parseFloat(text(frame['best_effort_timestamp_time'])),
      width: number(frame['width']),
      height: number(frame['height']),
      pixelAspect: squared(ratio(frame['sample_aspect_ratio'])),
      interlaced: frame['interlaced_frame'] === 1,
    }))
    .filter(({ time, width, height }) => Number.isFinite(time) && width > 0 && height > 0)
    .toSorted((one, other) => one.time - other.time);
}
