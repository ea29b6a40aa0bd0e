/** Renditions as transcode stores them in the media bucket, made by ffmpeg from any pictures and sound. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ladderDocument, type LadderDocument } from '@vds/proto/documents/ladder';
import { ffmpeg } from '@vds/testkit/media/render';
import { audioOutput, hlsOutput, storeFolder } from '@vds/testkit/media/renditions';
import type { Harness } from './harness.ts';

export type Renditions = {
  readonly folder: string;
  readonly durationMs: number;
  readonly ladder: Omit<LadderDocument, 'videoId' | 'attempt'>;
};

export type RenderOptions = {
  /** A file that the graph reads as `[0:v]` and `[0:a]`. */
  readonly input?: string;
  /** A filter graph with outputs `[picture]` (16:9) and, where there is sound, `[sound]`. */
  readonly graph: string;
  readonly seconds: number;
  readonly sound: boolean;
  /** Largest first. */
  readonly rungs?: readonly (readonly [width: number, height: number])[];
  readonly rate?: number;
};

export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'metadata-test-'));
}

export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

/** Makes the renditions of a video in a folder with the layout of an attempt in the bucket. */
export async function render(folder: string, options: RenderOptions): Promise<Renditions> {
  const { graph, seconds, sound, rate = 30 } = options;
  const rungs = (
    options.rungs ?? [
      [1280, 720],
      [426, 240],
    ]
  ).map(([width, height]) => ({ width, height, name: `${height}p` }));
  const split = `[picture]fps=${rate},split=${rungs.length}${rungs.map(({ name }) => `[s${name}]`).join('')}`;
  const scales = rungs.map(({ width, height, name }) => `[s${name}]scale=${width}:${height},setsar=1[r${name}]`);
  const group = `${rate * 2}`;
  const outputs: string[] = [];
  for (const { name } of rungs) {
    const path = join(folder, 'whole.1/v', name);
    await mkdir(path, { recursive: true });
    outputs.push('-map', `[r${name}]`, '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '20', '-pix_fmt', 'yuv420p');
    outputs.push('-t', `${seconds}`, '-g', group, '-keyint_min', group, '-sc_threshold', '0', ...hlsOutput(path));
  }
  if (sound) {
    const path = join(folder, 'audio.1/a');
    await mkdir(path, { recursive: true });
    outputs.push('-map', '[sound]', '-t', `${seconds}`, ...audioOutput(path));
  }
  const input = options.input === undefined ? [] : ['-i', options.input];
  await ffmpeg([...input, '-filter_complex', [graph, split, ...scales].join(';'), ...outputs]);
  const bits = { bandwidth: 1_000_000, averageBandwidth: 800_000 };
  const ladder: Renditions['ladder'] = {
    version: 1,
    durationMs: seconds * 1_000,
    frames: seconds * rate,
    rungs: rungs.map((rung) => ({
      ...rung,
      ...bits,
      frameRate: rate,
      codecs: 'avc1.64001f',
      playlist: `whole.1/v/${rung.name}/index.m3u8`,
    })),
    audio: sound
      ? {
          ...bits,
          channels: 2,
          sampleRate: 48_000,
          language: null,
          codecs: 'mp4a.40.2',
          playlist: 'audio.1/a/index.m3u8',
        }
      : null,
    thumbnail: { path: 'whole.1/thumbnail.jpg', width: 320, height: 180 },
    storyboard: { track: 'assemble.1/storyboard.vtt', intervalSeconds: 2, tile: { width: 160, height: 90 } },
  };
  return { folder, durationMs: seconds * 1_000, ladder };
}

/** Stores renditions where transcode would have put them; returns the key of `ladder.json`. */
export async function upload(harness: Harness, videoId: string, renditions: Renditions, attempt = 1): Promise<string> {
  const { client, bucket } = harness.media;
  const root = `videos/${videoId}/${attempt}/`;
  await storeFolder(harness.media, renditions.folder, root);
  const key = `${root}assemble.1/ladder.json`;
  await client.putObject(bucket, key, ladderDocument.write({ ...renditions.ladder, videoId, attempt }));
  return key;
}
