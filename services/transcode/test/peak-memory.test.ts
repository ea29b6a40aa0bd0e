/** What ffmpeg takes for the product's own command lines is below what the sandbox lets it take. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Readable } from 'node:stream';
import type { Preset } from '../src/domain/plan/effort.ts';
import { encodeArguments, sourceName } from '../src/domain/plan/encode-arguments.ts';
import { planEncode } from '../src/domain/plan/encode-plan.ts';
import { encodeNeeds } from '../src/domain/plan/work-estimate.ts';
import type { VideoStream } from '../src/domain/source/probe.ts';
import { ffmpeg, makeFolder, picture, removeFolder } from './clips.ts';
import { isLong, usualOf, type Row } from './long-runs.ts';
import { probeOf, scanOf } from './domain/probe-of.ts';

const MIB = 2 ** 20;
/** As the sandbox sets it: the stacks of threads count as memory. */
const STACK = '--stack=2097152';
/** Enough to fill what an encoder looks ahead at. */
const PICTURES = 50;

type Kind = Row & {
  readonly name: string;
  readonly size?: string;
  readonly rate?: number;
  readonly coder?: readonly string[];
  readonly video?: Partial<VideoStream>;
  readonly preset?: Preset;
  readonly pictures?: number;
  readonly threads: readonly number[];
};

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
/** As many pictures as a decoder may have to keep. */
const manyReferences = [...h264, '-preset', 'superfast', '-refs', '16', '-bf', '8', '-b_strategy', '0'];
const tenBits = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error'];
const ten = { coder: [...tenBits, '-pix_fmt', 'yuv420p10le'] };
const tenBit = { codec: 'hevc', pixelFormat: 'yuv420p10le' } as const;
const pq = { ...tenBit, transfer: 'smpte2084', matrix: 'bt2020nc', primaries: 'bt2020' } as const;
const hlg = { ...pq, transfer: 'arib-std-b67' } as const;
const [uhd, eightK] = ['3840x2160', '7680x4320'];

const kinds: readonly Kind[] = [
  { name: 'HDR10', ...ten, video: pq, threads: [2], usual: true },
  { name: 'fields', video: { interlaced: true, wronglyMarked: true }, threads: [2], usual: true },
  { name: 'a wide picture', size: '4096x1080', threads: [2] },
  { name: 'the slowest preset', preset: 'medium', threads: [2] },
  { name: 'a longer piece', size: '640x360', pictures: 900, threads: [2], usual: true },
  { name: 'HDR10 with other numbers of threads', ...ten, video: pq, threads: [1, 16] },
  { name: 'HLG', ...ten, video: hlg, threads: [2] },
  { name: 'SDR', threads: [1, 2, 16] },
  { name: 'SDR with the fastest preset', preset: 'ultrafast', threads: [1, 16] },
  { name: 'SDR with many references', coder: manyReferences, threads: [1, 16] },
  { name: '10 bits', ...ten, video: tenBit, threads: [1, 8] },
  { name: 'wide colours', ...ten, video: { ...pq, transfer: 'bt2020-10' }, threads: [1, 8] },
  {
    name: 'full range in 4:4:4',
    coder: [...h264, '-pix_fmt', 'yuv444p'],
    video: { pixelFormat: 'yuv444p' },
    threads: [2],
  },
  { name: 'HDR10, turned', ...ten, video: { ...pq, upright: ['clock'] }, threads: [1, 8] },
  { name: 'HDR10 with the slowest preset', ...ten, preset: 'medium', video: pq, threads: [1, 2] },
  { name: 'HDR10 at 120 a second', ...ten, rate: 120, video: pq, threads: [2] },
  { name: 'sizes that change', video: { resized: true }, threads: [2] },
  { name: 'a small picture', size: '320x180', threads: [1, 16] },
  { name: '4K', size: uhd, threads: [1, 16] },
  { name: '4K with many references', size: uhd, coder: manyReferences, threads: [1, 8] },
  { name: 'HDR10 of 4K at 120 a second', ...ten, size: uhd, rate: 120, video: pq, threads: [1, 8] },
  { name: 'HDR10 of 8K', ...ten, size: eightK, video: pq, threads: [1, 8] },
];

describe('the memory of an encoder', function () {
  this.timeout(180_000);
  let folder: string;
  before(async () => {
    folder = await makeFolder();
  });
  after(() => removeFolder(folder));

  /** The most that it may have written to at once, by the count that its limit is compared with; in MiB. */
  async function peakOf(args: readonly string[], outputs: number): Promise<number> {
    const stdio = ['ignore', 'ignore', 'inherit', ...Array.from({ length: outputs }, () => 'pipe' as const)] as const;
    const child = spawn('prlimit', [STACK, 'ffmpeg', ...args], { cwd: folder, stdio: [...stdio] });
    for (const pipe of child.stdio.slice(3)) (pipe as Readable).resume();
    const ended = once(child, 'close');
    let peak = 0;
    while (child.exitCode === null) {
      // It may have ended since.
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      peak = Math.max(peak, Number(/^VmData:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024);
      await sleep(5);
    }
    expect((await ended)[0]).to.equal(0);
    return peak;
  }

  for (const {
    name,
    size = '1920x1080',
    rate = 30,
    coder = h264,
    preset = 'veryfast',
    pictures = PICTURES,
    ...kind
  } of usualOf(kinds))
    it(`what ffmpeg takes is below its limit, and not far below it: ${name}`, async () => {
      const [width = 0, height = 0] = size.split('x').map(Number);
      const seconds = pictures / rate;
      await ffmpeg(...picture(size, rate, seconds), ...coder, '-f', 'mp4', join(folder, sourceName));
      const times = Float64Array.from({ length: pictures }, (_, index) => index / rate);
      const probed = probeOf({ width, height, pixelFormat: 'yuv420p', tick: 1 / 90_000, ...kind.video });
      const scan = scanOf({ times, keys: times.slice(0, 1), end: seconds });
      const rules = { wholeBelowSeconds: 120, pieceSeconds: 60 };
      const plan = planEncode(probed, scan, { bytes: 1_000_000, trailing: false }, rules);
      const [piece] = plan.pieces;
      if (!piece) throw new Error('the plan has no piece');
      for (const wanted of kind.threads) {
        const machine = { cores: wanted, memoryBytes: 2 ** 40 };
        const needs = encodeNeeds(plan, { preset, threads: 0 }, machine);
        const effort = { preset, crf: 23, threads: needs.threads };
        const peak = await peakOf(encodeArguments(plan, piece, effort), plan.rungs.length);
        const limit = needs.memoryBytes / MIB;
        expect(peak, `${wanted} threads, limit ${limit.toFixed()} MiB`).to.be.within(limit / 2 - 256, limit);
        if (isLong)
          process.stdout.write(`      ${name}, ${wanted} threads: ${peak.toFixed()} of ${limit.toFixed()} MiB\n`);
      }
    });
});
