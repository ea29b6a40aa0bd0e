/** Tables of the ladder bench, and the conclusions that follow from all of its clips. */
import { today, type Setting } from '@vds/transcode/bench/clip-encoder';
import type { Quality } from '@vds/transcode/bench/picture-quality';
import { costAt, geometricMean, kneeOf, marginalCosts, type Point } from './knee.ts';

export type Measurement = Setting &
  Quality & {
    readonly rung: string;
    /** Bits a second. */
    readonly average: number;
    /** Of the encoder alone: without decoding, scaling and stills. */
    readonly processorSeconds: number;
  };

/** The whole ladder in one run with the service's own setting. */
export type LadderRun = {
  readonly processorSeconds: number;
  readonly rungs: readonly {
    readonly name: string;
    readonly pixels: number;
    readonly average: number;
    readonly peak: number;
    readonly maxRate: number;
  }[];
};

export type ClipResult = {
  readonly name: string;
  readonly seconds: number;
  readonly frameRate: number;
  readonly size: string;
  readonly codec: string;
  readonly ladder: LadderRun;
  readonly measurements: readonly Measurement[];
};

type Curve = { readonly rung: string; readonly preset: string; readonly points: readonly CurvePoint[] };
type CurvePoint = Point & { readonly of: Measurement };

/** What the service makes of a clip: its bits follow the content, up to the rung's peak rate. */
export function todayTable({ name, seconds, frameRate, size, codec, ladder }: ClipResult): string[] {
  const share = ladder.processorSeconds / seconds;
  return [
    `${name}: ${seconds.toFixed(1)} s of ${codec}, ${size} at ${frameRate}`,
    `  today (${today.preset}, CRF ${today.crf}), the ladder in one run: ${ladder.processorSeconds.toFixed(1)} s of processor, ${share.toFixed(2)} a second of video`,
    ...table([
      ['rung', 'kb/s', 'peak kb/s', 'cap kb/s', 'of the cap', 'bits/pixel'],
      ...ladder.rungs.map((rung) => [
        rung.name,
        kilobits(rung.average),
        kilobits(rung.peak),
        kilobits(rung.maxRate),
        percent(rung.average / rung.maxRate),
        (rung.average / (rung.pixels * frameRate)).toFixed(3),
      ]),
    ]),
  ];
}

/** Every setting, and what its last step up in quality costs; `←` marks the knee of a rung's curve. */
export function curveTable(result: ClipResult): string[] {
  const unit = qualityName(result);
  const lines = curvesOf(result).flatMap(({ points }) => {
    const knee = points.length > 3 ? kneeOf(points) : undefined;
    const marginal = marginalCosts(points);
    return points.map((point, index) => {
      const { of, cost } = point;
      const step = marginal[index];
      return [
        of.rung,
        of.preset,
        String(of.crf),
        kilobits(cost),
        of.ssim.toFixed(4),
        of.vmaf?.toFixed(1) ?? '–',
        of.processorSeconds.toFixed(2),
        (result.seconds / of.processorSeconds).toFixed(1),
        step === undefined ? '–' : (step / 1_000).toFixed(1),
        point === knee ? '←' : '',
      ];
    });
  });
  const heads = [
    'rung',
    'preset',
    'CRF',
    'kb/s',
    'SSIM',
    'VMAF',
    'processor s',
    '× realtime',
    `kb/s a ${unit}`,
    'knee',
  ];
  return table([heads, ...lines]);
}

/** What follows from all clips together for quality and preset, and how far cost follows content. */
export function conclusions(results: readonly ClipResult[]): string[] {
  const curves = results.flatMap(curvesOf).filter(({ preset }) => preset === today.preset);
  const knees = curves.flatMap(({ points }) => kneeOf(points)?.of.crf ?? []).sort((one, other) => one - other);
  const middle = knees[knees.length >> 1];
  return [
    `quality: knees of ${knees.length} curves at CRF ${knees.join(', ')}; median ${middle ?? 'none'}, today ${today.crf}`,
    ...presetLines(results),
    ...contentLines(results),
  ];
}

/** Presets at equal quality: what today's setting reaches on each rung. */
function presetLines(results: readonly ClipResult[]): string[] {
  const presets = [...new Set(results.flatMap(({ measurements }) => measurements.map(({ preset }) => preset)))];
  const summary = presets.map((preset) => {
    const pairs = results.flatMap((result) => atEqualQuality(result, preset));
    const bits = geometricMean(pairs.map((pair) => pair.bits)) ?? Number.NaN;
    const processor = geometricMean(pairs.map((pair) => pair.processor)) ?? Number.NaN;
    return { preset, bits, cost: processor, gain: -Math.log(bits), curves: pairs.length };
  });
  const knee = kneeOf(summary);
  return [
    `presets at the quality of today's setting, in multiples of it (mean of ${summary[0]?.curves ?? 0} curves); \`←\` marks the knee:`,
    ...table([
      ['preset', 'bits', 'processor', 'knee'],
      ...summary.map((one) => [one.preset, one.bits.toFixed(2), one.cost.toFixed(2), one === knee ? '←' : '']),
    ]),
  ];
}

function atEqualQuality(result: ClipResult, preset: string): { readonly bits: number; readonly processor: number }[] {
  const curves = curvesOf(result);
  return curves
    .filter((curve) => curve.preset === preset)
    .flatMap(({ rung, points }) => {
      const own = curves.find((curve) => curve.rung === rung && curve.preset === today.preset);
      const goal = own?.points.find(({ of }) => of.crf === today.crf);
      const bits = goal && costAt(points, goal.gain);
      const processor = goal && costAt(points.map(inSeconds), goal.gain);
      if (!goal || bits === undefined || processor === undefined) return [];
      return [{ bits: bits / goal.cost, processor: processor / goal.of.processorSeconds }];
    });
}

function inSeconds({ gain, of }: CurvePoint): Point {
  return { gain, cost: of.processorSeconds };
}

/** The cheapest and the dearest clip of each rung that several have. */
function contentLines(results: readonly ClipResult[]): string[] {
  const names = [...new Set(results.flatMap(({ ladder }) => ladder.rungs.map(({ name }) => name)))];
  const lines = names.flatMap((name) => {
    const costs = results
      .flatMap((result) => {
        const rung = result.ladder.rungs.find((one) => one.name === name);
        return rung ? [{ clip: result.name, bits: rung.average / (rung.pixels * result.frameRate) }] : [];
      })
      .sort((one, other) => one.bits - other.bits);
    const [least, most] = [costs[0], costs.at(-1)];
    if (!least || !most || least === most) return [];
    const times = (most.bits / least.bits).toFixed(1);
    return [
      `  ${name}: ${least.bits.toFixed(3)} (${least.clip}) to ${most.bits.toFixed(3)} (${most.clip}), ${times} ×`,
    ];
  });
  return [`bits a pixel with today's setting follow the content:`, ...lines];
}

function curvesOf({ measurements }: ClipResult): Curve[] {
  const grouped = Map.groupBy(measurements, ({ rung, preset }) => `${rung} ${preset}`);
  return [...grouped.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const points = group.map((of) => ({ cost: of.average, gain: of.vmaf ?? 100 * of.ssim, of }));
    return [{ rung: first.rung, preset: first.preset, points }];
  });
}

function qualityName({ measurements }: ClipResult): string {
  return measurements.some(({ vmaf }) => vmaf !== undefined) ? 'point' : 'percent';
}

function kilobits(bits: number): string {
  return (bits / 1_000).toFixed(0);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

/** The first column from the left, all others from the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number): number => Math.max(...rows.map((cells) => cells[column]?.length ?? 0));
  return rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? `  ${cell.padEnd(width(0))}` : cell.padStart(width(column) + 3)))
      .join('')
      .trimEnd(),
  );
}
