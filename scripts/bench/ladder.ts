/**
 * What presets and qualities of the encoder cost and give, on real clips: for each rung of a clip's ladder its quality,
 * bit rate and processor time; the knees of these curves; and what the service's own setting makes of each clip.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeRungs, makeReference, openClip, today, type Clip } from '@vds/transcode/bench/clip-encoder';
import { measureQuality, openTools, withFilters, type QualityTools } from '@vds/transcode/bench/picture-quality';
import { step } from '@vds/testkit/servers/progress';
import { conclusions, curveTable, todayTable, type ClipResult, type Measurement } from './ladder-report.ts';

/** Of each clip, from its middle; a clip of up to half as much again is used whole. */
const SECONDS = 10;
/**
 * The default preset is measured closely, for the knee over its qualities; the others as far as bits at equal quality
 * need it. From 17, which hardly anybody tells from the source, to 32, which everybody does.
 */
const QUALITIES = { fine: [17, 20, 23, 26, 29, 32], coarse: [20, 26, 32] } as const;
const PRESETS = ['superfast', 'veryfast', 'medium'] as const;

export async function benchLadder(): Promise<void> {
  const media = process.env['VDS_MEDIA_DIR'];
  const files = media === undefined || !existsSync(media) ? [] : readdirSync(media).filter(isVideo).sort();
  if (media === undefined || files.length === 0) {
    process.stdout.write('skipped: VDS_MEDIA_DIR names no folder with videos\n');
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'vds-bench-ladder-'));
  try {
    const tools = await openTools(process.env['FFMPEG_PATH']);
    const judge = await withFilters(await openTools(process.env['VDS_BENCH_FFMPEG'] ?? tools.ffmpeg), folder);
    const results: ClipResult[] = [];
    for (const file of files) {
      const clip = await openClip(tools, await mkdtemp(join(folder, 'clip-')), join(media, file), SECONDS);
      const result = await step(file, () => benchClip(clip, file, judge));
      await rm(clip.folder, { recursive: true });
      write([...todayTable(result), ...curveTable(result)]);
      results.push(result);
    }
    write(conclusions(results));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isVideo(name: string): boolean {
  return /\.(mp4|m4v|mov|mkv|webm)$/i.test(name);
}

async function benchClip(clip: Clip, name: string, judge: QualityTools): Promise<ClipResult> {
  const { timeline, probe, rungs } = clip.plan;
  const { from = 0, until } = clip.piece;
  const { encoded, processorSeconds } = await encodeRungs(clip, rungs, today);
  const measurements: Measurement[] = [];
  for (const rung of rungs) measurements.push(...(await benchRung(clip, rung, judge)));
  return {
    name,
    seconds: until - from,
    frameRate: timeline.frameRate,
    size: `${probe.video.width}×${probe.video.height}`,
    codec: probe.video.codec,
    ladder: {
      processorSeconds,
      rungs: encoded.map(({ rung, average, peak }) => ({
        ...{ name: rung.name, pixels: rung.width * rung.height, maxRate: rung.maxRate, average, peak },
      })),
    },
    measurements,
  };
}

/** Every setting of one rung, encoded alone, so that its processor time is its own. */
async function benchRung(clip: Clip, rung: Clip['plan']['rungs'][0], judge: QualityTools): Promise<Measurement[]> {
  const reference = await makeReference(clip, rung);
  const measurements: Measurement[] = [];
  for (const preset of PRESETS)
    for (const crf of preset === today.preset ? QUALITIES.fine : QUALITIES.coarse) {
      const { encoded, processorSeconds } = await encodeRungs(clip, [rung], { preset, crf });
      const [one] = encoded;
      if (!one) throw new Error('a rung that is encoded has a rendition');
      const quality = await measureQuality(judge, clip.folder, one.path, reference.path);
      const own = Math.max(0.01, processorSeconds - reference.processorSeconds);
      measurements.push({ rung: rung.name, preset, crf, ...quality, average: one.average, processorSeconds: own });
    }
  return measurements;
}

function write(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
