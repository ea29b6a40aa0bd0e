/** Clips whose pictures show their own number as bars of luma, and the numbers that a playlist shows. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { asInput, tone } from './clips.ts';

const execute = promisify(execFile);
const BITS = 10;
const [width, height] = [BITS * 16, 48];

/** ffmpeg's arguments for a clip whose picture n shows n in binary: bar k is white where bit k is set. */
export function numbered(seconds: number, rate: number, size = '640:360', more = ''): string[] {
  return [
    ...['-f', 'lavfi', '-i', `color=black:s=${width}x${height}:r=${rate}:d=${seconds}`],
    ...tone(seconds),
    ...[
      '-vf',
      `geq=lum='if(mod(floor(N/pow(2,floor(X/16))),2),220,30)':cb=128:cr=128,scale=${size}:flags=neighbor,format=yuv420p${more}`,
    ],
  ];
}

/** The numbers that the pictures of a playlist show, in the order of presentation. */
export async function readNumbers(path: string): Promise<number[]> {
  const { stdout } = await execute(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin', ...asInput(path), '-fps_mode', 'passthrough'],
      ...['-vf', `scale=${BITS}:1:flags=area`, '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'],
    ],
    { encoding: 'buffer', maxBuffer: 2 ** 26 },
  );
  return Array.from({ length: stdout.length / BITS }, (_picture, index) =>
    [...stdout.subarray(index * BITS, (index + 1) * BITS)].reduce(
      (sum, luma, bit) => sum + (luma > 125 ? 2 ** bit : 0),
      0,
    ),
  );
}

/** Numbers from `from` on, below `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_number, index) => from + index);
}
