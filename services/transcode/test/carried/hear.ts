/** What is heard of a playlist in which a tone begins after silence. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { asInput } from '../clips.ts';

const execute = promisify(execFile);
const RATE_HZ = 48_000;
const LOUD = 0.1;

/** The second at which a playlist becomes loud, how many waves a second it has from then on, and how long it lasts. */
export async function hear(playlist: string) {
  const args = ['-v', 'error', '-nostdin', ...asInput(playlist), '-af', 'pan=mono|c0=c0', '-f', 'f32le', 'pipe:1'];
  const { stdout } = await execute('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 26 });
  const samples = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
  const begin = samples.findIndex((sample) => Math.abs(sample) > LOUD);
  const heard = samples.subarray(begin + RATE_HZ / 10, begin + RATE_HZ / 2);
  let waves = 0;
  for (let at = 1; at < heard.length; at++) if ((heard[at - 1] ?? 0) < 0 && (heard[at] ?? 0) >= 0) waves += 1;
  return { from: begin / RATE_HZ, hertz: (waves * RATE_HZ) / heard.length, seconds: samples.length / RATE_HZ };
}
