/** How close encoded pictures are to those that the encoder was given: VMAF where ffmpeg has it, and SSIM. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limitsOnly } from '@vds/chassis/sandbox/sandbox';
import { createLogger } from '@vds/chassis/telemetry/log';
import { findTools, type MediaTools } from '../src/outbound/media-tools.ts';
import { run } from './clip-encoder.ts';

export type Quality = {
  /** Of the luma, mean of all pictures, 0 to 1. */
  readonly ssim: number;
  /** 0 to 100, mean of all pictures; undefined if ffmpeg lacks libvmaf. */
  readonly vmaf: number | undefined;
};

export type QualityTools = { readonly tools: MediaTools; readonly hasVmaf: boolean };

const VMAF_LOG = 'vmaf.json';
/** VMAF takes far longer than encoding; every third picture gives nearly the same mean. */
const VMAF_EVERY = 3;

/** The ffmpeg at a path, or the one that services use. */
export async function openTools(ffmpegPath: string | undefined): Promise<MediaTools> {
  const sandbox = { sandbox: limitsOnly, memoryBytes: 2 ** 33, log: createLogger('bench', 'warn') };
  return findTools(sandbox, ffmpegPath);
}

export async function withFilters(tools: MediaTools, folder: string): Promise<QualityTools> {
  const filters = await run(tools, folder, ['-hide_banner', '-filters']);
  return { tools, hasVmaf: /\slibvmaf\s/.test(filters) };
}

/** Compares two files picture by picture, in their order: both clocks are replaced, since they round differently. */
export async function measureQuality(
  { tools, hasVmaf }: QualityTools,
  folder: string,
  encoded: string,
  reference: string,
): Promise<Quality> {
  const byNumber = 'settb=1/1000,setpts=N';
  const ssim = 'ssim=stats_file=-';
  const graph = hasVmaf
    ? `[0:v]${byNumber},split[a][c];[1:v]${byNumber},split[b][d];[a][b]${ssim},nullsink;[c][d]libvmaf=log_fmt=json:log_path=${VMAF_LOG}:n_threads=2:n_subsample=${VMAF_EVERY}`
    : `[0:v]${byNumber}[a];[1:v]${byNumber}[b];[a][b]${ssim}`;
  const output = await run(tools, folder, [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-i', encoded, '-i', reference],
    ...['-filter_complex', graph, '-fps_mode', 'passthrough', '-f', 'null', '-'],
  ]);
  const luma = [...output.matchAll(/ Y:([\d.]+) /g)].map(([, value]) => Number(value));
  if (luma.length === 0) throw new Error('ffmpeg compared no pictures');
  return {
    ssim: luma.reduce((sum, value) => sum + value, 0) / luma.length,
    vmaf: hasVmaf ? await readVmaf(join(folder, VMAF_LOG)) : undefined,
  };
}

async function readVmaf(path: string): Promise<number> {
  const log = JSON.parse(await readFile(path, 'utf8')) as { pooled_metrics: { vmaf: { mean: number } } };
  return log.pooled_metrics.vmaf.mean;
}
