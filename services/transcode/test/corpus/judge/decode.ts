/** Pictures and sound as ffmpeg decodes them, each with its presentation time on the file's clock. */
import { spawn } from 'node:child_process';
import { asInput } from '../../clips.ts';
import { isHidden, type Packet } from './packets.ts';

export type DecodedPictures = {
  /** Seconds, in presentation order. */
  readonly times: readonly number[];
  /** Planes of yuv420p, one picture each. */
  readonly pictures: readonly Buffer[];
  readonly width: number;
  readonly height: number;
  /** Pictures carry captions of television. */
  readonly closedCaptions: boolean;
  readonly decoderErrors: readonly string[];
};

export const SOUND_RATE = 8_000;

export type DecodedSound = {
  /** One sample every 1/8000 s from `start` on; silence where the file has none. */
  readonly samples: Float32Array;
  /** Seconds at which the first sound begins and the last one ends. */
  readonly start: number;
  readonly end: number;
  /** Seconds of all blocks together: players that do not look at times play so much. */
  readonly length: number;
  /** Blocks of sound overlap repeatedly: the file is wrong. At the seam of two edits they may. */
  readonly overlapping: boolean;
};

type PictureOptions = {
  readonly width: number;
  readonly height: number;
  readonly filters: string;
  /** Filters before the times are read. */
  readonly before?: readonly string[];
  /** Options of the file that is read. */
  readonly input?: readonly string[];
};

const decoder = 'ffmpeg';

/**
 * Every picture that a file shows, scaled by `filters`, in yuv420p.
 * @param packets determine which pictures are hidden
 */
export async function decodePictures(
  path: string,
  track: string,
  { width, height, filters, before = [], input = [] }: PictureOptions,
  packets: readonly Packet[] = [],
): Promise<DecodedPictures> {
  const how = [
    ...['-fps_mode', 'passthrough', '-vf', [...before, 'showinfo=checksum=0', filters].join(',')],
    ...['-enc_time_base', '1:90000', '-pix_fmt', 'yuv420p', '-f', 'rawvideo', 'pipe:1'],
  ];
  const { output, log } = await decode(path, track, how, input);
  const bytes = width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
  const shown = timesIn(log, /\bn: *\d+ pts: *(-?\d+|NOPTS)/)
    .map((time, index) => ({ time, picture: output.subarray(index * bytes, (index + 1) * bytes) }))
    .filter(({ time, picture }) => picture.length === bytes && !isHidden(packets, time));
  return {
    times: shown.map(({ time }) => time),
    pictures: shown.map(({ picture }) => picture),
    width,
    height,
    closedCaptions: /side data - A.?53 closed captions/i.test(log),
    decoderErrors: errorsIn(log),
  };
}

async function decode(path: string, track: string, how: readonly string[], input: readonly string[] = []) {
  const reading = ['-hide_banner', '-nostdin', '-v', 'level+info', '-copyts', ...input, ...asInput(path)];
  const args = [...reading, '-map', `0:${track}`];
  const child = spawn(decoder, [...args, ...how], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, log]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk));
  await new Promise((resolve) => child.once('close', resolve));
  return { output: Buffer.concat(output), log: Buffer.concat(log).toString('utf8') };
}

/**
 * Times of the pictures that pass the filter; its time base is logged once before them, and again at changes of size.
 */
function timesIn(log: string, shown: RegExp): number[] {
  const times: number[] = [];
  let tick = Number.NaN;
  for (const line of log.split('\n')) {
    const clock = /config in time_base: (\d+)\/(\d+)/.exec(line);
    if (clock) tick = Number(clock[1]) / Number(clock[2]);
    const found = shown.exec(line);
    if (found) times.push(Number(found[1]) * tick);
  }
  return times;
}

function errorsIn(log: string): string[] {
  return log.split('\n').filter((line) => /\[(error|fatal|panic)\]/.test(line));
}

/**
 * All sound of a track, mixed to one channel, each block at its own time.
 * @param mix filter that mixes; by default as the layout defines it
 */
export async function decodeSound(path: string, track: string, mix = 'anull'): Promise<DecodedSound | undefined> {
  const { output, log } = await decode(path, track, [
    ...['-af', `${mix},aformat=sample_fmts=flt:channel_layouts=mono,ashowinfo`, '-f', 'f32le', 'pipe:1'],
  ]);
  const blocks = [...log.matchAll(/\bn:\d+ pts:(-?\d+) pts_time.* rate:(\d+) nb_samples:(\d+)/g)].map((match) => ({
    at: Number(match[1]) / Number(match[2]),
    rate: Number(match[2]),
    samples: Number(match[3]),
  }));
  smooth(blocks);
  const [first] = blocks;
  if (!first) return undefined;
  const start = Math.min(...blocks.map(({ at }) => at));
  const end = Math.max(...blocks.map(({ at, rate, samples }) => at + samples / rate));
  const overlaps = blocks.filter(({ at }, index) => {
    const before = blocks[index - 1];
    return before !== undefined && at < before.at + before.samples / before.rate - 0.004;
  });
  const sums = new Float32Array(Math.ceil((end - start) * SOUND_RATE) + 1);
  const counts = new Float32Array(sums.length);
  let offset = 0;
  for (const { at, rate, samples } of blocks)
    for (let index = 0; index < samples && offset + 4 <= output.length; index++, offset += 4) {
      const place = Math.floor((at - start + index / rate) * SOUND_RATE);
      sums[place] = (sums[place] ?? 0) + output.readFloatLE(offset);
      counts[place] = (counts[place] ?? 0) + 1;
    }
  return {
    samples: sums.map((sum, place) => sum / Math.max(1, counts[place] ?? 1)),
    start,
    end,
    length: blocks.reduce((sum, { rate, samples }) => sum + samples / rate, 0),
    overlapping: overlaps.length > 2,
  };
}

/** Joins blocks whose times are apart only because the container rounds them to milliseconds. */
function smooth(blocks: { at: number; readonly rate: number; readonly samples: number }[]): void {
  blocks.forEach((block, index) => {
    const before = blocks[index - 1];
    if (!before) return;
    const ends = before.at + before.samples / before.rate;
    if (Math.abs(block.at - ends) < 0.004) block.at = ends;
  });
}
