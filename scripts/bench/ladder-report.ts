/** Tables of the ladder bench, and the conclusions that follow from all of its clips. */
import { today, type Setting } from '@vds/transcode/bench/clip-encoder';
import type { Quality } from '@vds/transcode/bench/picture-quality';
import { costAt, geometricMean, kneeOf, marginalCosts, settle, type Point } from './knee.ts';

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
type ClipCost = { readonly clip: string; readonly cost: number };
type CurvePoint = Point & { readonly of: Measurement };

/** What the service makes of a clip: its bits follow the content, up to the rung's peak rate. */
export function todayTable({ name, seconds, frameRate, size, codec, ladder }: ClipResult): string[] {
  const share = ladder.processorSeconds / seconds;
  return [
    `${name}: ${seconds.toFixed(1)} s of ${codec}, ${size} at ${Number(frameRate.toFixed(2))}`,
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
  const lines = curvesOf(result).flatMap(({ preset, points }) => {
    const knee = preset === today.preset ? kneeOf(points) : undefined;
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
  const qualities = curves.flatMap(({ points }) => points.map(({ of }) => of.crf));
  return [
    `quality from CRF ${Math.min(...qualities)} to ${Math.max(...qualities)}: the knees of ${knees.length} curves are at CRF ${knees.join(', ')}; today ${today.crf}, and ${settle(today.crf, knees)} follows`,
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
    `presets at the quality of today's setting, in multiples of it; \`←\` marks the knee:`,
    ...table([
      ['preset', 'curves', 'bits', 'processor', 'knee'],
      ...summary.map((one) => [
        one.preset,
        String(one.curves),
        one.bits.toFixed(2),
        one.cost.toFixed(2),
        one === knee ? '←' : '',
      ]),
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

/** The cheapest and the dearest clip of each rung that several have, and of all: bits and time follow the content. */
function contentLines(results: readonly ClipResult[]): string[] {
  const rungs = results.flatMap(({ ladder }) => ladder.rungs).sort((one, other) => other.pixels - one.pixels);
  const names = [...new Set(rungs.map(({ name }) => name))];
  const bitsOf = (name: string): ClipCost[] =>
    results.flatMap(({ name: clip, frameRate, ladder }) => {
      const rung = ladder.rungs.find((one) => one.name === name);
      return rung ? [{ clip, cost: rung.average / (rung.pixels * frameRate) }] : [];
    });
  const processor = results.map(({ name: clip, seconds, frameRate, ladder }) => {
    const pixels = ladder.rungs.reduce((sum, rung) => sum + rung.pixels, 0) * seconds * frameRate;
    return { clip, cost: ladder.processorSeconds / (pixels / 1e9) };
  });
  const lines = [
    ...names.flatMap((name) => spread(`bits a pixel of ${name}`, bitsOf(name), 3)),
    ...spread('seconds of processor for a thousand million pixels of the ladder', processor, 1),
  ];
  // A single clip has nothing to be compared with.
  return lines.length === 0 ? [] : ["from the cheapest to the dearest clip with today's setting:", ...lines];
}

function spread(what: string, costs: readonly ClipCost[], digits: number): string[] {
  const sorted = costs.toSorted((one, other) => one.cost - other.cost);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (!least || !most || least === most) return [];
  const [from, to] = [least, most].map(({ clip, cost }) => `${cost.toFixed(digits)} (${clip})`);
  return [`  ${what}: ${from} to ${to}, ${(most.cost / least.cost).toFixed(1)} ×`];
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
