/** What ffprobe finds in a file: decoded frames, times, size. Judges outputs by a decoder that is not the player's. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ffprobe = 'ffprobe';
const ffmpeg = process.env['FFMPEG_PATH'] ?? 'ffmpeg';

export type Probed = {
  /** Frames that really decode. */
  readonly frames: number;
  readonly startSeconds: number;
  /** End of the last frame or sample minus the start of the first. */
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
};

type Frame = { best_effort_timestamp_time?: string; pkt_duration_time?: string; duration_time?: string };

const colours = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  white: [255, 255, 255],
  black: [0, 0, 0],
} as const;

/** Decodes the first stream of a kind to its end. Undefined when the file has none. */
export async function probeStream(file: string, kind: 'v' | 'a'): Promise<Probed | undefined> {
  const args = [
    '-v',
    'error',
    '-select_streams',
    `${kind}:0`,
    '-show_entries',
    'stream=width,height:frame=best_effort_timestamp_time,pkt_duration_time,duration_time',
    '-of',
    'json',
    file,
  ];
  const { stdout } = await execute(ffprobe, args, { maxBuffer: 256 * 1024 * 1024 });
  const { frames = [], streams = [] } = JSON.parse(stdout) as {
    frames?: Frame[];
    streams?: { width?: number; height?: number }[];
  };
  const [stream] = streams;
  if (!stream || frames.length === 0) return undefined;
  const times = frames.map((frame) => Number(frame.best_effort_timestamp_time));
  const start = Math.min(...times);
  const last = frames.at(-1);
  const end = Math.max(...times) + Number(last?.pkt_duration_time ?? last?.duration_time ?? 0);
  return {
    frames: frames.length,
    startSeconds: start,
    seconds: end - start,
    width: stream.width ?? 0,
    height: stream.height ?? 0,
  };
}

/** Pixel format, range, matrix, transfer and primaries of the first frames, as ffprobe names them. */
export async function colourTagsOf(file: string): Promise<string> {
  const entries = 'stream=pix_fmt,color_range,color_space,color_transfer,color_primaries';
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', entries, '-of', 'csv=p=0', file];
  return (await execute(ffprobe, args)).stdout.trim();
}

/** Mean colour of each corner of the first frame, as the nearest plain colour: shows the orientation of a picture. */
export async function cornersOf(file: string, width: number, height: number): Promise<string[]> {
  const box = Math.max(2, Math.round(Math.min(width, height) / 16));
  const far = { x: width - box, y: height - box };
  const places = [
    [0, 0],
    [far.x, 0],
    [0, far.y],
    [far.x, far.y],
  ] as const;
  return Promise.all(
    places.map(async ([x, y]) => {
      const filter = `crop=${box}:${box}:${x}:${y},scale=1:1:flags=area,format=rgb24`;
      const args = ['-v', 'error', '-i', file, '-frames:v', '1', '-vf', filter, '-f', 'rawvideo', '-'];
      const { stdout } = await execute(ffmpeg, args, { encoding: 'buffer' });
      return nearestColour([...stdout.subarray(0, 3)]);
    }),
  );
}

function nearestColour(rgb: readonly number[]): string {
  const distance = (other: readonly number[]): number =>
    other.reduce((sum, value, at) => sum + (value - (rgb[at] ?? 0)) ** 2, 0);
  return Object.entries(colours).toSorted(([, one], [, two]) => distance(one) - distance(two))[0]?.[0] ?? '';
}
