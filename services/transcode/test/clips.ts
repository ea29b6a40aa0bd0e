/** Tiny clips made by ffmpeg on the fly, and what players would see of a finished title. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { LadderDocument } from '@vds/proto/documents/ladder';
import type { House } from './harness.ts';

const execute = promisify(execFile);
const roomy = { maxBuffer: 64 * 2 ** 20 };
export const fastH264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

export type Downloaded = { readonly folder: string; readonly ladder: LadderDocument };

export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'transcode-test-'));
}

export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

/** Runs ffmpeg quietly; `args` end with the output's path. */
export async function ffmpeg(...args: readonly string[]): Promise<void> {
  await execute('ffmpeg', ['-hide_banner', '-nostdin', '-v', 'error', '-y', ...args], roomy);
}

/** A moving test picture as ffmpeg's input, such as `picture('320x180', 30, 4)`. */
export function picture(size: string, rate: number, seconds: number): string[] {
  return [...['-f', 'lavfi', '-i'], `testsrc2=s=${size}:r=${rate}:d=${seconds}`];
}

export function tone(seconds: number): string[] {
  return ['-f', 'lavfi', '-i', `sine=440:r=48000:d=${seconds}`];
}

/** Every object of a finished title in a folder laid out as players see it. */
export async function download(house: House, videoId: string, ladderKey: string, into: string): Promise<Downloaded> {
  const prefix = `videos/${videoId}/1/`;
  const { client, bucket } = house.media;
  for (const key of await house.keys(videoId)) {
    const path = join(into, key.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    await client.fGetObject(bucket, key, path);
  }
  const body: Buffer[] = [];
  for await (const chunk of await client.getObject(bucket, ladderKey)) body.push(chunk as Buffer);
  return { folder: into, ladder: JSON.parse(Buffer.concat(body).toString('utf8')) as LadderDocument };
}

/** When each picture of a playlist or file is shown, in seconds. */
export async function shownAt(path: string): Promise<number[]> {
  const csv = await probe('-select_streams', 'v:0', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0', path);
  return csv.split('\n').map(Number.parseFloat).filter(Number.isFinite);
}

/** What ffprobe prints about the last argument. */
export async function probe(...args: readonly string[]): Promise<string> {
  return (await execute('ffprobe', ['-v', 'error', ...args.slice(0, -1), ...asInput(args.at(-1) ?? '')], roomy)).stdout;
}

/** ffmpeg's demuxer of playlists takes segments named .m4s only when told to. */
export function asInput(path: string): string[] {
  return path.endsWith('.m3u8') ? ['-allowed_extensions', 'ALL', '-i', path] : ['-i', path];
}

/** Number of decoded pictures, and where they or the sound begin and end, in seconds. */
export async function measure(path: string, kind: 'v' | 'a') {
  const entries = 'frame=pts_time,pkt_duration_time,duration_time';
  const json = await probe('-select_streams', `${kind}:0`, '-show_entries', entries, '-of', 'json', path);
  const { frames } = JSON.parse(json) as { frames: { pts_time: string; pkt_duration_time?: string }[] };
  const times = frames.map((frame) => Number(frame.pts_time)).sort((a, b) => a - b);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return { frames: frames.length, start: first, end: last + Number(frames.at(-1)?.pkt_duration_time ?? 0) };
}
