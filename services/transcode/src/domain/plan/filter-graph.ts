/** The one filter graph of a piece: decoded once, upright, square, SDR, then a cascade of sizes. */
import type { VideoFacts } from '../source/facts.ts';
import type { Timeline } from '../source/timeline.ts';
import { isHdr } from '../source/warnings.ts';
import type { Rung } from './ladder.ts';
import type { Piece } from './pieces.ts';
import { thumbnailSpan, type Storyboard } from './stills.ts';

export type GraphOptions = {
  readonly video: VideoFacts;
  readonly timeline: Timeline;
  readonly piece: Piece;
  readonly rungs: readonly Rung[];
  readonly storyboard: Storyboard;
  /** Whether the title's thumbnail is picked out of this piece. */
  readonly thumbnail: boolean;
  /** Number of the video stream in the file that is read. */
  readonly stream: number;
};

/** Source clock → title clock, then pictures of this piece alone. Neighbours stay in until deinterlacing has seen them. */
const timing = ({ video, timeline, piece }: GraphOptions): string[] => {
  const chosen = [
    ...(piece.from === undefined ? [] : [`gte(t,${piece.from.toFixed(7)})`]),
    ...(piece.to === undefined ? [] : [`lt(t,${piece.to.toFixed(7)})`]),
  ];
  return [
    `setpts='round(PTS-(${timeline.zero.toFixed(7)})/TB)'`,
    ...(video.interlaced ? ['bwdif=mode=send_frame:parity=auto:deint=interlaced'] : []),
    ...(timeline.thinned ? [`fps=fps=${timeline.frameRate}:start_time=0`] : []),
    ...(chosen.length > 0 ? [`select='${chosen.join('*')}'`] : []),
    // The title begins with its first picture, also where sound came before it or leading pictures could not be decoded.
    ...(piece.from === undefined ? ["setpts='if(eq(N,0),0,PTS)'"] : []),
  ];
};

const turns = { clock: 1, cclock: 2, clock_flip: 3, cclock_flip: 0 } as const;

const upright = ({ video }: GraphOptions): string[] =>
  video.upright.map((turn) => (turn === 'hflip' || turn === 'vflip' ? turn : `transpose=dir=${turns[turn]}`));

/** HDR10 or HLG into BT.709 (environment: zscale needs the source's colours said outright). */
const toneMap = ({ transfer, matrix, primaries }: VideoFacts): string[] => {
  const known = (value: string, fallback: string): string => (value === '' || value === 'unknown' ? fallback : value);
  return [
    `setparams=color_primaries=${known(primaries, 'bt2020')}:color_trc=${transfer}:colorspace=${known(matrix, 'bt2020nc')}`,
    'zscale=t=linear:npl=100',
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
    'format=yuv420p',
  ];
};

/** Untagged colours are tagged as players guess them for the source's size, so that every rung is guessed alike. */
const tag = ({ video }: GraphOptions): string[] => {
  if (isHdr(video) || (video.matrix !== '' && video.matrix !== 'unknown')) return [];
  const guess = Math.min(video.width, video.height) >= 720 ? 'bt709' : 'smpte170m';
  return [`setparams=color_primaries=${guess}:color_trc=${guess}:colorspace=${guess}`];
};

const size = ({ width, height }: { readonly width: number; readonly height: number }): string =>
  `scale=w=${width}:h=${height}:flags=bicubic`;

const stills = (options: GraphOptions, from: string): string[] => {
  const { storyboard, piece, timeline } = options;
  const outputs = ['sheets', ...(options.thumbnail ? ['poster'] : [])];
  const split = outputs.length > 1 ? `${from}split=${outputs.length}[sheets_in][poster_in]` : `${from}null[sheets_in]`;
  const cell = (time: string): string => `floor((${time}+0.001)/${storyboard.interval})`;
  const sheets = [
    `select='isnan(prev_selected_t)+gt(${cell('t')},${cell('prev_selected_t')})'`,
    size(storyboard),
    `tile=${storyboard.columns}x${storyboard.rows}`,
  ];
  const span = thumbnailSpan(piece, timeline);
  const poster = [
    // The first one behind `from` is always taken, so that a long gap cannot leave the title without a thumbnail.
    `select='gte(t,${span.from.toFixed(3)})*(isnan(prev_selected_t)+lte(t,${span.to.toFixed(3)})*gte(t-prev_selected_t,${span.step.toFixed(3)}))'`,
    'thumbnail=n=12',
  ];
  return [
    split,
    `[sheets_in]${sheets.join(',')}[sheets]`,
    ...(options.thumbnail ? [`[poster_in]${poster.join(',')}[poster]`] : []),
  ];
};

/** The rung that stills are taken from: the largest that is no larger than 720p, else the smallest. */
export const stillsRung = (rungs: readonly Rung[]): number => {
  const found = rungs.findIndex((rung) => Math.min(rung.width, rung.height) <= 720);
  return found < 0 ? rungs.length - 1 : found;
};

/**
 * @returns the graph; its outputs are `[r0]`, `[r1]` … in the ladder's order, `[sheets]`, and `[poster]` where asked for
 */
export const filterGraph = (options: GraphOptions): string => {
  const { rungs, video, stream } = options;
  const [top] = rungs;
  const base = [
    ...timing(options),
    ...upright(options),
    ...(top ? [`${size(top)}:out_range=tv`] : []),
    ...(isHdr(video) ? toneMap(video) : ['format=yuv420p']),
    ...tag(options),
    'setsar=1',
  ];
  const from = stillsRung(rungs);
  const lines: string[] = [];
  rungs.forEach((rung, index) => {
    const input = index === 0 ? `[0:${stream}]${base.join(',')}` : `[s${index}]${size(rung)}`;
    const outputs = [
      `[r${index}]`,
      ...(index + 1 < rungs.length ? [`[s${index + 1}]`] : []),
      ...(index === from ? ['[stills]'] : []),
    ];
    lines.push(`${input}${outputs.length > 1 ? `,split=${outputs.length}` : ''}${outputs.join('')}`);
  });
  return [...lines, ...stills(options, '[stills]')].join(';');
};
