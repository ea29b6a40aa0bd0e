/** What ffprobe sees in a file: decoded frames, times, size. For judging outputs by a decoder that is not the player. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ffprobe = process.env['FFPROBE_PATH'] ?? 'ffprobe';
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

/** Decodes the first stream of a kind to its end. Undefined when the file has none. */
export const probeStream = async (file: string, kind: 'v' | 'a'): Promise<Probed | undefined> => {
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
};

/** Mean luma (0–255) of the upper and lower half of the first frame: tells which way up a picture is. */
export const halves = async (file: string): Promise<{ upper: number; lower: number }> => {
  const args = [
    '-v',
    'error',
    '-i',
    file,
    '-frames:v',
    '1',
    '-vf',
    'scale=1:2:flags=area,format=gray',
    '-f',
    'rawvideo',
    '-',
  ];
  const { stdout } = await execute(ffmpeg, args, { encoding: 'buffer' });
  return { upper: stdout[0] ?? -1, lower: stdout[1] ?? -1 };
};
