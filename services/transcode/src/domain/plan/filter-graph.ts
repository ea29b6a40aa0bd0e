/** The one filter graph of a piece: decoded once, upright, square, SDR of BT.709, then a cascade of sizes. */
import { mayBeInterlaced } from '../source/interlacing.ts';
import { peakLight } from '../source/peak-light.ts';
import type { VideoStream } from '../source/probe.ts';
import { isHdr } from '../source/warnings.ts';
import type { EncodePlan } from './encode-plan.ts';
import type { Rung } from './ladder.ts';
import type { Piece } from './pieces.ts';
import { repeatFilters } from './segment-grid.ts';
import { thumbnailSpan } from './stills.ts';

/**
 * Marks each picture by its looks. By the filter's usual threshold, fine patterns that move look interlaced; real fields
 * differ by more than twice as much.
 */
export const judgedByLooks = 'idet=intl_thres=1.7';

const turns = { clock: 1, cclock: 2, clock_flip: 3, cclock_flip: 0 } as const;

/** Other SDR matrices, which are converted; any not listed is treated as BT.709. */
const convertible = new Set(['smpte170m', 'bt470bg', 'smpte240m', 'fcc', 'bt2020nc', 'bt2020c', 'ycgco']);
const primariesOf: Readonly<Record<string, string>> = {
  bt470bg: 'bt470bg',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
  ycgco: 'bt709',
};
/** Primaries of more colours than BT.709's, as phones and screens have. */
const wideGamuts = new Set(['smpte431', 'smpte432', 'bt2020']);

const tagged = 'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709';
/** Baseline JPEG is BT.601 of full range (JFIF). */
const asJpeg = 'scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p';

/**
 * @param thumbnail whether the video's thumbnail is picked from this piece
 * @returns the graph; its outputs are `[r0]` (unless that rung is copied), `[r1]` … in the ladder's order, `[sheets]`, and `[poster]` where
 * requested; the first picture of the latter two is a placeholder ({@link behindPlaceholder})
 */
export function filterGraph(plan: EncodePlan, piece: Piece, thumbnail: boolean): string {
  const { rungs, pieces, copiesTop } = plan;
  const { video } = plan.probe;
  const base = [
    ...timing(plan, piece),
    ...upright(video),
    `${size(rungs[0])}:out_range=tv${isRgb(video) ? ':out_color_matrix=bt709' : ''}`,
    ...standardColours(video),
  ];
  // A piece's copy holds only the video stream.
  const stream = pieces.length > 1 ? 0 : video.index;
  const finish = ['format=yuv420p', tagged, 'setsar=1'];
  const from = stillsRung(rungs);
  const shown = `[0:${stream}]${base.join(',')}`;
  const repeated = piece.repeats.length > 0;
  const lines = repeated
    ? [`${shown},format=yuv420p,settb=1/90000[shown]`, ...repeatFilters(piece.repeats, rungs[0])]
    : [];
  rungs.forEach((rung, index) => {
    const input = index > 0 ? [`[s${index}]${size(rung)}`] : [repeated ? '[repeated]null' : shown];
    const outputs = [
      ...(index === 0 && copiesTop !== undefined ? [] : [`[r${index}]`]),
      ...(index + 1 < rungs.length ? [`[s${index + 1}]`] : []),
      ...(index === from ? ['[stills]'] : []),
    ];
    const split = outputs.length > 1 ? [`split=${outputs.length}`] : [];
    // Set for every rung: ffmpeg negotiates the format between two filters by what follows, and the JPEGs follow too.
    lines.push(`${[...input, ...finish, ...split].join(',')}${outputs.join('')}`);
  });
  return [...lines, ...stills(plan, piece, thumbnail, rungs[from] ?? rungs[0])].join(';');
}

/**
 * Source clock → video clock, then only this piece's pictures. Their neighbours stay until deinterlacing has used them.
 */
function timing({ probe: { video }, timeline }: EncodePlan, piece: Piece): string[] {
  const { zero, first, stored, last, margin } = timeline;
  const chosen = [
    ...(piece.from === undefined ? [] : [`gte(t,${at(piece.from)})`]),
    ...(piece.to === undefined ? [] : [`lt(t,${at(piece.to)})`]),
  ];
  return [
    `setpts='round(PTS-(${at(zero)})/TB)'`,
    ...joinedFields(video),
    // A piece's copy does not record which pictures an edit list hides before the first and after the last one.
    `select='gte(t,${at(stored - margin)})*lte(t,${at(last + margin)})'`,
    // The video begins with its first picture, even where sound begins before it, or an edit list inside it.
    ...(first > 0 || stored < first ? [`setpts='if(lt(T,${at(first + margin)}),0,PTS)'`] : []),
    ...oneSize(video),
    ...deinterlaced(video),
    ...(timeline.thinned ? [`fps=fps=${timeline.frameRate}:start_time=0`] : []),
    ...(chosen.length > 0 ? [`select='${chosen.join('*')}'`] : []),
  ];
}

/**
 * Brings all pictures into the source's one size, each shape fitted inside; those that have it already pass unchanged.
 * Fields stay apart, and each line stays in its field.
 */
function oneSize({ width, height, pixelAspect, resized }: VideoStream): string[] {
  const how = 'flags=bicubic:interl=-1:eval=frame';
  if (!resized) return [`scale=w=${width}:h=${height}:${how}`];
  const [across, down] = [Math.max(2, width - (width % 2)), Math.max(2, height - (height % 2))];
  const shape = `(dar/${pixelAspect})`;
  const fit = `w='min(${across},2*round(${down}*${shape}/2))':h='min(${down},2*round(${across}/${shape}/2))'`;
  return [`scale=${fit}:${how}`, `pad=w=${across}:h=${down}:x='(ow-iw)/2':y='2*floor((oh-ih)/4)':eval=frame`];
}

/** Two fields become one picture, shown when the first one is; one without its first field is left out. */
function joinedFields({ fields }: VideoStream): string[] {
  if (!fields) return [];
  const isFirst = `eq(interlace_type,${fields === 'top' ? 'TOPFIRST' : 'BOTTOMFIRST'})`;
  return [
    'settb=1/90000',
    `select='1-isnan(prev_selected_t)+${isFirst}'`,
    "setpts='if(mod(N,2),PREV_INPTS,PTS)'",
    `weave=first_field=${fields}`,
  ];
}

/** Each picture marked as interlaced, and no other; if the marks are wrong, each that looks interlaced. */
function deinterlaced(video: VideoStream): string[] {
  if (!mayBeInterlaced(video)) return [];
  return [...(video.wronglyMarked ? [judgedByLooks] : []), 'bwdif=mode=send_frame:parity=auto:deint=interlaced'];
}

function at(seconds: number): string {
  return seconds.toFixed(7);
}

function upright(video: VideoStream): string[] {
  return video.upright.map((turn) => (turn === 'hflip' || turn === 'vflip' ? turn : `transpose=dir=${turns[turn]}`));
}

type Size = { readonly width: number; readonly height: number };

function size({ width, height }: Size): string {
  return `scale=w=${width}:h=${height}:flags=bicubic`;
}

function isRgb({ pixelFormat }: VideoStream): boolean {
  return /^(gbr|rgb|bgr|argb|abgr|pal8)/.test(pixelFormat);
}

/** Whether pictures have the colours of a rendition as they are stored. */
export function hasStandardColours(video: VideoStream): boolean {
  return video.range !== 'pc' && standardColours(video).length === 0;
}

/** Every rendition is limited-range BT.709, the one format that all players show alike. */
function standardColours(video: VideoStream): string[] {
  if (isHdr(video)) return toneMap(video);
  const matrix = matrixOf(video);
  if (matrix === 'bt709' && !wideGamuts.has(video.primaries)) return [];
  const primaries = known(video.primaries) ? video.primaries : (primariesOf[matrix] ?? 'smpte170m');
  return [
    // The transfer functions of SDR differ only on paper: values stay as they are.
    `setparams=range=tv:color_primaries=${primaries}:color_trc=bt709:colorspace=${matrix}`,
    'zscale=m=gbr:p=bt709:t=bt709:r=pc',
    ...clipped,
  ];
}

/** Colours outside BT.709, and light brighter than white, are clipped by the integer format. */
const clipped = ['format=gbrp10le', 'zscale=m=bt709:r=tv'];

/** The light of 1 in linear colours, in cd/m². */
const REFERENCE_LIGHT = 100;

/** HDR10 or HLG into BT.709; zscale needs the source's colours stated explicitly. */
function toneMap({ transfer, matrix, primaries, peakLight: declared }: VideoStream): string[] {
  // Stated, because a container's metadata accompanies only the first picture that is decoded, which would look darker.
  const peak = peakLight(transfer === 'smpte2084' ? declared : undefined) / REFERENCE_LIGHT;
  return [
    `setparams=color_primaries=${known(primaries) ? primaries : 'bt2020'}:color_trc=${transfer}:colorspace=${known(matrix) ? matrix : 'bt2020nc'}`,
    `zscale=t=linear:npl=${REFERENCE_LIGHT}`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    `tonemap=hable:desat=0:peak=${peak}`,
    'zscale=t=bt709:r=pc',
    ...clipped,
  ];
}

/** The matrix of SDR pictures; untagged ones are interpreted as most players guess, by the size that is stored. */
function matrixOf(video: VideoStream): string {
  const { matrix, width, height } = video;
  if (known(matrix) || isRgb(video)) return convertible.has(matrix) ? matrix : 'bt709';
  // Larger than television of standard definition, also where a wide picture is cropped or a narrow one is upright.
  return width >= 1_280 || height > 576 ? 'bt709' : 'smpte170m';
}

function known(value: string): value is string {
  return value !== '' && value !== 'unknown' && value !== 'reserved';
}

/** The rung that stills are taken from: the largest up to 720p, else the smallest. */
export function stillsRung(rungs: readonly Rung[]): number {
  const found = rungs.findIndex((rung) => Math.min(rung.width, rung.height) <= 720);
  return found < 0 ? rungs.length - 1 : found;
}

function stills({ storyboard, timeline }: EncodePlan, piece: Piece, thumbnail: boolean, poster: Rung): string[] {
  const split = thumbnail ? '[stills]split=2[sheets_in][poster_in]' : '[stills]null[sheets_in]';
  const sheets = [
    `select='${firstOfCell(storyboard.interval, 'prev_selected_t')}'`,
    size(storyboard),
    asJpeg,
    `tile=${storyboard.columns}x${storyboard.rows}`,
  ];
  const span = thumbnailSpan(piece, timeline);
  const best = [
    // The first one after `from` is always taken, so that a long gap cannot leave the video without a thumbnail.
    `select='gte(t,${span.from.toFixed(3)})*(isnan(prev_selected_t)+lte(t,${span.to.toFixed(3)})*gte(t-prev_selected_t,${span.step.toFixed(3)}))'`,
    'thumbnail=n=12',
    asJpeg,
  ];
  const { width, height, columns, rows } = storyboard;
  return [
    split,
    ...behindPlaceholder('sheets', sheets, { width: width * columns, height: height * rows }),
    ...(thumbnail ? behindPlaceholder('poster', best, poster) : []),
  ];
}

/** Later than any picture of a video. */
const FAR_SECONDS = 1_000_000;

/**
 * Stills behind a black picture, all far in the future. ffmpeg 7 hands on the pictures of all outputs only when the output
 * that is furthest behind has one (`read_frames` in fftools/ffmpeg_filter.c): were it a still's, a minute of pictures of
 * every size would be held.
 */
function behindPlaceholder(name: string, filters: readonly string[], { width, height }: Size): string[] {
  return [
    `color=c=black:s=${width}x${height}:r=1,trim=end_frame=1,format=yuvj420p,setsar=1[${name}_first]`,
    `[${name}_in]${[...filters, 'setsar=1'].join(',')}[${name}_rest]`,
    `[${name}_first][${name}_rest]concat,setpts=(N+${FAR_SECONDS})/TB[${name}]`,
  ];
}

/**
 * An expression that is true for the first picture of every cell of a time grid.
 * @param previous ffmpeg's variable with the time of the last picture for which it was true
 */
export function firstOfCell(seconds: number, previous: string): string {
  const cell = (time: string): string => `floor((${time}+0.001)/${seconds})`;
  return `isnan(${previous})+gt(${cell('t')},${cell(previous)})`;
}
