/**
 * Makes the sources of sample-list.ts with ffmpeg. Their corners are coloured: red top left, green top right, blue
 * bottom left, white bottom right.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cached, ffmpeg } from './render.ts';
import { type AudioCodec, type Sample, type VideoCodec, pairs, shapes } from './sample-list.ts';
import { turnPicture } from './turn-picture.ts';

const VIDEO: Readonly<Record<VideoCodec, readonly string[]>> = {
  h264: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23'],
  hevc: ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '28'],
  vp9: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '36', '-b:v', '0', '-row-mt', '1'],
  av1: ['-c:v', 'libsvtav1', '-preset', '12', '-crf', '40'],
};
const AUDIO: Readonly<Record<AudioCodec, readonly string[]>> = {
  aac: ['-c:a', 'aac', '-b:a', '96k'],
  opus: ['-c:a', 'libopus', '-b:a', '96k'],
  vorbis: ['-c:a', 'libvorbis', '-q:a', '3'],
  flac: ['-c:a', 'flac'],
  ac3: ['-c:a', 'ac3', '-b:a', '192k'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '128k'],
  pcm: ['-c:a', 'pcm_s16le'],
};
/** The filter that rotates the stored picture the opposite way of the player's rotation. */
const TURNED: Readonly<Record<90 | 180 | 270, string>> = { 90: 'transpose=2', 180: 'hflip,vflip', 270: 'transpose=1' };
const BT2020_PQ = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'];
const HDR10 = 'hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400';

/** Makes the samples one after the other (about 20 s for all on two cores) and returns their paths by name. */
export async function makeSamples(
  samples: readonly Sample[] = [...pairs, ...shapes],
): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  for (const sample of samples) paths.set(sample.name, await makeSample(sample));
  return paths;
}

/** The sample's path; made on the first call. */
export async function makeSample(sample: Sample): Promise<string> {
  const args = recipe(sample);
  const { rotation = 0, container, width, height } = sample;
  return cached(sample.name, container, [args, rotation], async (path) => {
    await ffmpeg([...args, path]);
    if (rotation === 0) return;
    const [storedWidth, storedHeight] = rotation === 180 ? [width, height] : [height, width];
    await writeFile(path, turnPicture(await readFile(path), rotation, storedWidth, storedHeight));
  });
}

/** The path of a small sample with audio, which encodes fast. */
export async function smallSample(): Promise<string> {
  const [first] = pairs.filter(({ height, audio }) => height === 240 && audio !== null);
  if (first === undefined) throw new Error('the list has no small sample');
  return makeSample(first);
}

/** All of ffmpeg's arguments but the output's path. */
function recipe(sample: Sample): string[] {
  const { audio, seconds, shape, container, codec } = sample;
  const tone = shape === 'surround' ? '0.1*sin(440*2*PI*t)|'.repeat(6).slice(0, -1) : '0.1*sin(440*2*PI*t)';
  const layout = shape === 'surround' ? ':c=5.1' : '';
  const sound = audio === null ? [] : ['-f', 'lavfi', '-i', `aevalsrc='${tone}':s=48000:d=${seconds}${layout}`];
  const late = shape === 'late-start' ? ['-output_ts_offset', '1.5'] : [];
  const tag = codec === 'hevc' && (container === 'mp4' || container === 'mov') ? ['-tag:v', 'hvc1'] : [];
  const audioOptions =
    audio === null ? ['-an'] : [...AUDIO[audio], ...(shape === 'surround' ? [] : ['-ac', '2']), '-strict', '-2'];
  const pictures = ['-f', 'lavfi', '-i', picture(sample)];
  return [...pictures, ...sound, ...videoOptions(sample), ...tag, ...audioOptions, ...late];
}

/** The moving picture with its corners, stored as the sample requires. */
function picture({ width, height, fps, seconds, rotation, shape }: Sample): string {
  const rate = shape === '29.97' ? '30000/1001' : String(shape === 'interlaced' ? 2 * fps : fps);
  const box = Math.round(Math.min(width, height) / 8);
  const corner = (x: string, y: string, colour: string): string =>
    `drawbox=x=${x}:y=${y}:w=${box}:h=${box}:c=${colour}:t=fill`;
  const corners = [
    corner('0', '0', 'red'),
    corner(`iw-${box}`, '0', 'lime'),
    corner('0', `ih-${box}`, 'blue'),
    corner(`iw-${box}`, `ih-${box}`, 'white'),
  ];
  const filters = [`testsrc2=s=${width}x${height}:r=${rate}:d=${seconds},format=yuv444p`, ...corners];
  if (rotation !== undefined) filters.push(TURNED[rotation]);
  if (shape === 'anamorphic') filters.push('scale=720:576', 'setsar=64/45');
  if (shape === 'interlaced') filters.push('tinterlace=mode=interleave_top:flags=vlpf');
  // Of four seconds at 30 fps the first and third keep every second frame, the others three of four: 15 + 22 + 15 + 22.
  if (shape === 'vfr') filters.push("select='if(mod(floor(t),2),not(mod(n,2)),mod(n,4))'");
  filters.push(shape === '444' ? 'format=yuv444p' : shape === 'hdr10' ? 'format=yuv420p10le' : 'format=yuv420p');
  return filters.join(',');
}

function videoOptions({ codec, shape, fps }: Sample): string[] {
  const options = [...VIDEO[codec], '-g', String(fps * 2)];
  const x265 = ['log-level=error'];
  if (shape === 'hdr10') {
    options.push(...BT2020_PQ);
    x265.push(HDR10);
  }
  if (shape === 'open-gop') x265.push('open-gop=1', 'bframes=4', 'keyint=30', 'scenecut=0');
  if (codec === 'hevc') options.push('-x265-params', x265.join(':'));
  if (shape === 'interlaced') options.push('-flags', '+ildct+ilme', '-field_order', 'tt', '-top', '1');
  if (shape === 'vfr') options.push('-vsync', 'vfr');
  return options;
}
