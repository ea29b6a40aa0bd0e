/** The baseline of the encode stage: one ffmpeg run of the same ladder, without fetching, checking or storing. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { planLadder, type Rung } from '@vds/transcode/domain/plan/ladder';
import { ffmpegPath } from '@vds/testkit/media/render';

const execute = promisify(execFile);

/**
 * Wall seconds of one ffmpeg: one decode, every rung, the audio rendition; segments to a folder.
 * @param cores to which it is pinned, as taskset lists them; by default it has all
 */
export async function bareRun(clip: string, cores?: string): Promise<number> {
  const ladder = planLadder({ width: 1_920, height: 1_080, frameRate: 30 });
  const folder = await mkdtemp(join(tmpdir(), 'vds-bench-'));
  const split = `[0:v]split=${ladder.length}${ladder.map((_rung, index) => `[s${index}]`).join('')}`;
  const scales = ladder.map(
    ({ width, height }, index) => `[s${index}]scale=${width}:${height}:flags=bicubic[r${index}]`,
  );
  const args = [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-i', clip, '-filter_complex', [split, ...scales].join(';')],
    ...ladder.flatMap((rung, index) => rungArguments(rung, index, folder)),
    ...['-map', '0:a', '-c:a', 'aac', '-b:a', '128k', ...hls(join(folder, 'audio'))],
  ];
  const from = performance.now();
  if (cores === undefined) await execute(ffmpegPath(), args);
  else await execute('taskset', ['--cpu-list', cores, ffmpegPath(), ...args]);
  await rm(folder, { recursive: true });
  return (performance.now() - from) / 1_000;
}

function rungArguments(rung: Rung, index: number, folder: string): string[] {
  return [
    ...['-map', `[r${index}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', '23'],
    ...[
      '-maxrate',
      rate(rung.maxRate),
      '-bufsize',
      rate(rung.maxRate * 2),
      '-g',
      '60',
      '-keyint_min',
      '60',
      '-sc_threshold',
      '0',
    ],
    ...hls(join(folder, rung.name)),
  ];
}

function rate(bits: number): string {
  return `${Math.round(bits / 1_000)}k`;
}

function hls(prefix: string): string[] {
  return [
    ...['-f', 'hls', '-hls_time', '6', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
    ...[
      '-hls_fmp4_init_filename',
      `${basename(prefix)}-init.mp4`,
      '-hls_segment_filename',
      `${prefix}-%d.m4s`,
      `${prefix}.m3u8`,
    ],
  ];
}
