/**
 * Pictures and sound that the judge recognises: numbered pictures with patches of known colour, sound that never
 * repeats.
 */
import { ffmpeg } from '../../clips.ts';
import type { Random } from './random.ts';

export type Clip = {
  readonly width: number;
  readonly height: number;
  /** Pictures a second, as ffmpeg writes it. */
  readonly rate: string;
  readonly seconds: number;
};

export type Colours = {
  readonly matrix: 'bt709' | 'bt601' | 'bt2020' | 'ycgco';
  readonly range: 'tv' | 'pc';
  readonly format: string;
  /** The transfer function in which pictures are stored that show white as 203 cd/m²; undefined: SDR. */
  readonly hdr?: 'smpte2084' | 'arib-std-b67';
  /** The primaries that the clip's BT.709 is converted to. */
  readonly gamut?: 'smpte432';
  /** Luma is of the light itself, before the transfer function (ITU-R BT.2020 Table 4). */
  readonly constantLuminance?: true;
  /** Primaries, transfer function and matrix that are written into the file; undefined: the file declares nothing. */
  readonly tags: readonly [string, string, string] | undefined;
};

export const bt709: Colours = { matrix: 'bt709', range: 'tv', format: 'yuv420p', tags: ['bt709', 'bt709', 'bt709'] };

/** As VP8 defines it, and as players interpret small untagged pictures. */
export const untagged: Colours = { matrix: 'bt601', range: 'tv', format: 'yuv420p', tags: undefined };
export const vp8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M'];
export const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M'];
export const av1 = ['-c:v', 'libsvtav1', '-preset', '12', '-crf', '25'];

export type ClipOptions = {
  readonly mute?: boolean;
  /** Seconds of sound. */
  readonly tone?: number;
  /** How sound is coded. */
  readonly sounds?: readonly string[];
  readonly colours?: Colours;
  /** Filters after the conversion of colours. */
  readonly filters?: readonly string[];
  /** Options of the file. */
  readonly file?: readonly string[];
};

/** A small clip of random size, rate and length. */
export function smallClip(random: Random, seconds: number, fixed: Partial<Clip> = {}): Clip {
  const width = 2 * random.whole(64, 120);
  return {
    width,
    height: 2 * Math.round((width * 9) / 32),
    rate: random.pick(['24', '25', '30', '30000/1001']),
    seconds,
    ...fixed,
  };
}

/** With pictures that refer to later ones. */
export function h264Ahead(...more: readonly string[]): string[] {
  return h264('bframes=3', 'b-adapt=0', 'b-pyramid=normal', 'scenecut=0', ...more);
}

/** Encoders at their fastest. `more` are the encoder's own parameters. */
export function h264(...more: readonly string[]): string[] {
  return ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', ['log-level=error', ...more].join(':')];
}

export function hevc(...more: readonly string[]): string[] {
  return ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', ['log-level=error', ...more].join(':')];
}

/** Pictures and, unless `mute`, sound of the same length, encoded into a file. */
export async function renderClip(
  path: string,
  clip: Clip,
  coder: readonly string[],
  options: ClipOptions = {},
): Promise<void> {
  const { mute = false, tone = clip.seconds, sounds = ['-c:a', 'aac'], file = [] } = options;
  await ffmpeg(
    ...[...pictures(clip), ...(mute ? [] : sound(tone))],
    ...[...colours(options.colours, options.filters), ...coder, ...(mute ? [] : sounds), ...file, path],
  );
}

/** The clip's pictures as ffmpeg's input: each shows its own number as ten bars, and a patch in every corner. */
export function pictures({ width, height, rate, seconds }: Clip): string[] {
  const [across, down] = [Math.floor(width / 5), Math.floor(height / 4)];
  const box = (x: number, y: number, colour: string): string => `drawbox=${x}:${y}:${across}:${down}:${colour}:fill`;
  const clock = `r=${rate}:d=${seconds}`;
  const graph = [
    `testsrc2=s=192x108:${clock},scale=${width}:${height},format=rgb24[scene]`,
    `color=black:s=10x2:${clock},format=gray,geq=lum='if(mod(floor(N/pow(2,X)),2),235,16)',` +
      `scale=${width}:${Math.floor(height / 6)}:flags=neighbor,format=rgb24[number]`,
    `[scene][number]overlay=x=0:y=${Math.floor((height * 5) / 12)}:format=gbrp,format=rgb24,` +
      [
        box(0, 0, 'white'),
        box(width - across, 0, 'black'),
        box(0, height - down, '0x808080'),
        box(width - across, height - down, 'red'),
        'setsar=1',
      ].join(','),
  ];
  return ['-f', 'lavfi', '-i', graph.join(';')];
}

/** Sound that rises and falls without repeating, so that shifts are detected; each `voice` sounds different. */
export function sound(seconds: number, voice = 0, rate = 48_000): string[] {
  const [from, rise] = [250 + 330 * voice, 200 - 70 * voice];
  const wave = `0.4*sin(2*PI*(${from}*t+${rise}*t*t))+0.15*sin(2*PI*(${1_900 - 300 * voice}*t-110*t*t))`;
  return ['-f', 'lavfi', '-i', `aevalsrc='${wave}':s=${rate}:d=${seconds}`];
}

/** Converts the clip's colours to the form in which they are stored. */
export function colours(stored: Colours = bt709, more: readonly string[] = []): string[] {
  const { range, format, tags } = stored;
  const known = tags ?? ['unknown', 'unknown', 'unknown'];
  const chain = [
    ...converted(stored),
    `format=${format}`,
    `setparams=range=${tags ? range : 'unknown'}:color_primaries=${known[0]}:color_trc=${known[1]}:colorspace=${known[2]}`,
    ...more,
  ];
  return ['-vf', chain.join(',')];
}

function converted({ hdr, gamut, constantLuminance, matrix, range }: Colours): string[] {
  const primaries = constantLuminance ? 'bt2020' : 'bt709';
  const from = [`setparams=range=pc:color_primaries=${primaries}:color_trc=bt709:colorspace=gbr`, 'format=gbrp16le'];
  if (hdr) return [...from, `zscale=p=bt2020:t=${hdr}:m=bt2020nc:r=tv:npl=203`];
  if (gamut) return [...from, `zscale=p=${gamut}:m=${matrix}:r=tv`];
  if (constantLuminance) return [...from, 'zscale=t=2020_10:m=2020_cl:r=tv'];
  if (matrix === 'ycgco') return [...from, 'zscale=m=ycgco:r=tv'];
  return [`scale=out_color_matrix=${matrix}:out_range=${range}`];
}
