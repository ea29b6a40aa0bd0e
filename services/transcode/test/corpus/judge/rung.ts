/** One rung of a video and its source, both decoded to pictures of the same size. */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { probe } from '../../clips.ts';
import { decodePictures, type DecodedPictures } from './decode.ts';
import { fromZero, withoutRepeats } from './held.ts';
import type { Packet, Track } from './packets.ts';
import type { Expectation } from '../recipes/recipe.ts';

export type ComparedRung = {
  readonly name: string;
  /** Without those that are repeated, as expected. */
  readonly made: DecodedPictures;
  readonly repeated: number;
  /** When each of its pictures is shown, those that are repeated among them. */
  readonly shownAt: readonly number[];
  /** What is wrong with those that are repeated. */
  readonly repeatFaults: readonly string[];
  /** The declarations of its header, as ffprobe names them. */
  readonly tags: Readonly<Record<string, string | number>>;
  readonly source: DecodedPictures;
  /** The source's. */
  readonly packets: readonly Packet[];
};

/** Not `v`: cover art is not a moving picture. */
const moving = 'V:0';

/** Both fields in one picture, at the time of the first. */
const woven = ['settb=1/90000', "setpts='if(mod(N,2),PREV_INPTS,PTS)'", 'weave=first_field=top'];

type Size = { readonly width: number; readonly height: number };

/** Upright size of the source in square pixels. */
export function uprightSize(
  { width, height, turned }: Track,
  { pixelAspect = 1, canvas, isFields }: Expectation,
): Size {
  if (canvas) return canvas;
  if (isFields) return { width, height: height * 2 };
  return turned ? { width: height, height: width * pixelAspect } : { width: width * pixelAspect, height };
}

/** Decodes a rung, and the source to the same size. */
export async function compareRung(
  source: string,
  packets: readonly Packet[],
  { name, playlist }: { readonly name: string; readonly playlist: string },
  expected: Expectation,
): Promise<ComparedRung> {
  const tags = await readTags(playlist);
  const size = { width: Number(tags['width']), height: Number(tags['height']) };
  const { heldStart = false, repeats = [], isFields = false } = expected;
  const how = {
    ...size,
    filters: reference(size, expected),
    input: heldStart ? ['-advanced_editlist', '0'] : [],
    before: isFields ? woven : [],
  };
  const [made, original] = await Promise.all([
    decodePictures(playlist, moving, { ...size, filters: 'null' }),
    decodePictures(source, tracksOf(expected), how, heldStart ? [] : packets),
  ]);
  const { kept, faults } = withoutRepeats(made, repeats);
  const repetition = { repeated: repeats.length, repeatFaults: faults, shownAt: made.times };
  const shown = heldStart ? fromZero(original) : original;
  return { name, made: kept, ...repetition, tags, source: shown, packets };
}

/** What a player learns from the init segment and the first media segment, concatenated. */
async function readTags(playlist: string): Promise<ComparedRung['tags']> {
  const text = await readFile(playlist, 'utf8');
  const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(text)?.[1];
  const first = /^[^#\s].*$/m.exec(text)?.[0];
  if (init === undefined || first === undefined) throw new Error(`${playlist} names no segments`);
  const beginning = `${playlist}.beginning.mp4`;
  const parts = await Promise.all([init, first].map((uri) => readFile(join(dirname(playlist), uri))));
  await writeFile(beginning, Buffer.concat(parts));
  const probed = await probe('-select_streams', 'v', '-show_streams', '-of', 'json', beginning);
  return (JSON.parse(probed) as { streams: ComparedRung['tags'][] }).streams[0] ?? {};
}

export function tracksOf({ pictures = moving }: Expectation): string {
  return pictures;
}

/** How the judge scales a source to the size of a rung: rotated upright by ffmpeg itself, in limited-range BT.709. */
function reference(
  { width, height }: Size,
  { matrix = 'bt709', range = 'tv', wideGamut, hdr, rgb, canvas }: Expectation,
): string {
  const fit = canvas && `${canvas.width}:${canvas.height}`;
  const shapes = fit ? `scale=${fit}:force_original_aspect_ratio=decrease,pad=${fit}:(ow-iw)/2:(oh-ih)/2,` : '';
  const size = `${shapes}scale=${width}:${height}:flags=bicubic+accurate_rnd`;
  const plain = `${size}:out_color_matrix=bt709:out_range=tv,format=yuv420p`;
  // Other primaries: what BT.709 cannot show is clipped by eight-bit red, green and blue. YCgCo is unknown to `scale`.
  if ((wideGamut || matrix === 'bt2020' || matrix === 'ycgco') && !hdr)
    return `zscale=p=bt709:t=bt709:m=gbr:r=full,format=gbrp,${plain}`;
  if (hdr || rgb) return plain;
  return `${size}:in_color_matrix=${matrix}:in_range=${range}:out_color_matrix=bt709:out_range=tv,format=yuv420p`;
}
