/** Unsupported files: other containers and codecs, pages, playlists, pictures, and files beyond the limits. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { noise } from '../generators/damage.ts';
import { h264, h264Ahead, pictures, renderClip, smallClip, sound } from '../generators/clip.ts';
import { boxesOf, boxOf, readBoxes, trackOf, writeBoxes, type Box } from '../generators/mp4-boxes.ts';
import type { RecipeContext, Rejection } from './recipe.ts';

type Make = Rejection['make'];
const usual = { usual: true } as const;

const secret = 'file:///etc/passwd';
const dash = `<?xml version="1.0"?><MPD type="static"><Period><AdaptationSet><Representation id="1"><BaseURL>${secret}</BaseURL></Representation></AdaptationSet></Period></MPD>`;

const huge: Make = ({ path }) =>
  ffmpeg('-f', 'lavfi', '-i', 'color=black:s=8192x8192:r=2:d=1', ...h264(), '-pix_fmt', 'yuv420p', path);
const rapid: Make = ({ path, random }) =>
  renderClip(path, smallClip(random, 0.5, { rate: '1000' }), h264(), { mute: true });
const brief: Make = ({ path, random }) =>
  renderClip(path, smallClip(random, 0.06, { rate: '50' }), h264(), { mute: true });

export const unsupportedFiles: readonly Rejection[] = [
  { ...container('AVI', 'avi', '-c:v', 'libx264', '-c:a', 'mp2'), ...usual },
  container('Flash', 'flv', '-c:v', 'libx264', '-c:a', 'aac'),
  { ...container('transport stream', 'ts', '-c:v', 'libx264', '-c:a', 'aac'), ...usual },
  container('Ogg', 'ogg', '-c:v', 'libtheora', '-c:a', 'libvorbis'),
  container('Windows Media', 'wmv', '-c:v', 'wmv2', '-c:a', 'wmav2'),
  container('program stream', 'mpg', '-c:v', 'mpeg2video', '-c:a', 'mp2'),
  container('MXF', 'mxf', '-c:v', 'mpeg2video', '-c:a', 'pcm_s16le'),
  container('IVF', 'ivf', '-an', '-c:v', 'libvpx', '-deadline', 'realtime'),
  { ...codec('MPEG-4 part 2', 'mp4', '-c:v', 'mpeg4', '-c:a', 'aac'), ...usual },
  codec('ProRes', 'mov', '-c:v', 'prores_ks', '-pix_fmt', 'yuv422p10le', '-c:a', 'aac'),
  codec('Motion JPEG', 'mov', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'aac'),
  codec('MPEG-2', 'mkv', '-c:v', 'mpeg2video', '-c:a', 'aac'),
  codec('FFV1', 'mkv', '-c:v', 'ffv1', '-c:a', 'aac'),
  codec('PNG', 'mov', '-c:v', 'png', '-pix_fmt', 'rgb24', '-c:a', 'aac'),
  codec('sound of ADPCM', 'mkv', '-c:v', 'libx264', '-c:a', 'adpcm_ima_wav'),
  { ...text('a web page', '<!DOCTYPE html>\n<html><body>404</body></html>'), ...usual },
  text('a text', 'not a video\n'.repeat(400)),
  {
    ...text(
      'a playlist of a file of ours',
      `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n${secret}\n#EXT-X-ENDLIST\n`,
    ),
    ...usual,
  },
  text('a list of a file of ours', `ffconcat version 1.0\nfile '${secret}'\n`),
  text('a manifest of a file of ours', dash),
  text('a drawing', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
  image('a PNG', 'png'),
  image('a JPEG', 'jpg', '-pix_fmt', 'yuvj420p'),
  image('a GIF', 'gif'),
  image('a WebP', 'webp', '-c:v', 'libwebp'),
  rejection('no video: zeros', 'mp4', 'source_not_video', contains(Buffer.alloc(100_000)), ['source_corrupt']),
  rejection(
    'no video: noise',
    'mp4',
    'source_not_video',
    (context) => writeFile(context.path, noise(context, 50_000)),
    ['source_corrupt'],
  ),
  { ...rejection('nothing at all', 'mp4', 'source_empty', contains('')), ...usual },
  rejection(
    'eight bytes that begin a video',
    'mp4',
    'source_corrupt',
    contains(Buffer.from('0000000866747970', 'hex')),
    ['source_not_video'],
  ),
  rejection('eight bytes of nothing', 'mp4', 'source_not_video', contains(Buffer.from('0102030405060708', 'hex'))),
  soundOnly('AAC', 'mp4', '-c:a', 'aac'),
  soundOnly('MP3', 'mp3'),
  soundOnly('FLAC', 'flac'),
  soundOnly('WAV', 'wav'),
  soundOnly('Opus in Matroska', 'mka', '-c:a', 'libopus'),
  { ...rejection('sound with a cover', 'mp4', 'source_no_video', coverAlone), ...usual },
  { ...rejection('two hundred tracks', 'mp4', 'source_too_complex', manyTracks), ...usual },
  { ...rejection('pictures of 8192x8192', 'mp4', 'source_too_complex', huge), ...usual },
  { ...rejection('a thousand pictures a second', 'mp4', 'source_too_complex', rapid), ...usual },
  { ...rejection('six hundredths of a second', 'mp4', 'source_too_short', brief), ...usual },
];

async function coverAlone({ path, at }: RecipeContext): Promise<void> {
  await still()({ path: at('cover.png') } as RecipeContext);
  const cover = ['-i', at('cover.png'), '-map', '0', '-map', '1', '-c:v', 'mjpeg', '-disposition:v:0', 'attached_pic'];
  await ffmpeg(...sound(2), ...cover, '-c:a', 'aac', path);
}

function still(...how: readonly string[]): Make {
  return ({ path }) => ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=96x54:r=1:d=1', '-frames:v', '1', ...how, path);
}

function rejection(name: string, file: string, code: string, make: Make, also: readonly string[] = []): Rejection {
  return {
    name,
    file,
    make,
    codes: [code, ...also],
  };
}

/** The clip in another container or codec. */
function transcoded(...how: readonly string[]): Make {
  return ({ path, random }) =>
    ffmpeg(...pictures(smallClip(random, 2, { rate: '25' })), ...sound(2), '-pix_fmt', 'yuv420p', ...how, path);
}

function contains(text: string | Buffer): Make {
  return ({ path }) => writeFile(path, text);
}

function text(name: string, body: string): Rejection {
  return rejection(`no video: ${name}`, 'mp4', 'source_not_video', contains(body));
}

function container(name: string, file: string, ...how: readonly string[]): Rejection {
  return rejection(`another container: ${name}`, file, 'container_unsupported', transcoded(...how));
}

function codec(name: string, file: string, ...how: readonly string[]): Rejection {
  return rejection(`another codec: ${name}`, file, 'codec_unsupported', transcoded(...how));
}

function image(name: string, file: string, ...how: readonly string[]): Rejection {
  return rejection(`no video: ${name}`, file, 'source_not_video', still(...how));
}

function soundOnly(name: string, file: string, ...how: readonly string[]): Rejection {
  return rejection(`sound alone: ${name}`, file, 'source_no_video', ({ path }) => ffmpeg(...sound(2), ...how, path));
}

/** Two hundred tracks: the sound track, repeated. */
async function manyTracks({ path, at, random }: RecipeContext): Promise<void> {
  await renderClip(at('good.mp4'), smallClip(random, 2), h264Ahead());
  const all = readBoxes(await readFile(at('good.mp4')));
  const track = trackOf(all, 'soun');
  const copies = Array.from({ length: 198 }, (_copy, index) => renumbered(track, 3 + index));
  const movie = boxOf(all, 'moov');
  movie.children = [...(movie.children ?? []), ...copies];
  await writeFile(path, writeBoxes(all));
}

function renumbered(box: Box, id: number): Box {
  const copy = structuredCloneOf(box);
  for (const { body } of boxesOf([copy], 'tkhd')) body.writeUInt32BE(id, 12);
  return copy;
}

function structuredCloneOf({ body, children, ...rest }: Box): Box {
  const copied = children?.map(structuredCloneOf);
  return { ...rest, body: Buffer.from(body), ...(copied ? { children: copied } : {}) };
}
