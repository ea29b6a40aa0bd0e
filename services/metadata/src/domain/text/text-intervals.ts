/**
 * The intervals of a span that text is read from, once each: text stays for a while, and where it appears or disappears
 * in the middle of a shot, small sharp parts of the picture change that were still before and are still afterwards.
 */
import type { AnalyzedShot } from '../analysis.ts';
import { SAMPLE_HEIGHT, SAMPLE_WIDTH, type Sample } from '../picture/sample.ts';
import { lengthOf, middleOf, within, type Span } from '../span.ts';

export type TextInterval = Span & {
  /** True where the picture behind the text moves: still parts are then found by overlaying pictures. */
  readonly moving: boolean;
};

const CELL = 10;
const across = SAMPLE_WIDTH / CELL;
const cells = across * (SAMPLE_HEIGHT / CELL);

const STILL = 4;
/** Least change of a cell where text appears; key pictures every other second change it less. */
const CHANGED = 12;
const SHARP = 4;

/** The shortest interval: shorter text is unreadable for viewers. */
const MIN_MS = 750;
/** A longer interval is read more than once. */
const MAX_MS = 20_000;
/** Change per second from which the picture counts as moving. */
const MOVING_FROM = 10;

/** Even a short video may have several cards. */
const MIN_READINGS = 6;

/**
 * The intervals to read, in chronological order.
 * @param most the most readings; intervals with still sharp parts go first, then the longest
 */
export function textIntervals(
  shots: readonly AnalyzedShot[],
  samples: readonly Sample[],
  most: number,
): readonly TextInterval[] {
  const distinct: Sample[] = [];
  return shots
    .flatMap((shot) => intervalsOfShot(shot, samples))
    .filter((interval) => {
      const sample = sampleAt(samples, middleOf(interval));
      const hasLetters = sample !== undefined && sharpCells(sample).includes(true);
      if (!hasLetters || distinct.some((other) => !differs(other, sample))) return false;
      distinct.push(sample);
      return true;
    })
    .map((interval) => ({ interval, priority: hasStillParts(samples, interval) ? 1 : 0 }))
    .sort((a, b) => b.priority - a.priority || lengthOf(b.interval) - lengthOf(a.interval))
    .slice(0, most)
    .map(({ interval }) => interval)
    .sort((a, b) => a.startMs - b.startMs);
}

function intervalsOfShot(shot: AnalyzedShot, samples: readonly Sample[]): TextInterval[] {
  const edges = [shot.startMs, ...changesWithin(within(shot, samples)), shot.endMs];
  return edges
    .slice(1)
    .flatMap((endMs, index) => partsOf({ startMs: edges[index] ?? shot.startMs, endMs }))
    .filter((interval) => lengthOf(interval) >= MIN_MS)
    .map((interval) => ({ ...interval, moving: shot.motion >= MOVING_FROM }));
}

/** Moments inside a shot at which sharp, still parts appear or disappear. */
function changesWithin(samples: readonly Sample[]): number[] {
  const changes = samples.slice(1).map((sample, index) => cellChanges(samples[index] ?? sample, sample));
  return changes.flatMap((now, index) => {
    const [before, after] = [changes[index - 1], changes[index + 1]];
    const [old, fresh] = [samples[index], samples[index + 1]];
    if (!before || !after || !old || !fresh) return [];
    const [oldEdges, edges] = [cellEdges(old), cellEdges(fresh)];
    const changedCells = now.filter(
      (change, at) =>
        change >= CHANGED &&
        (before[at] ?? 0) < STILL &&
        (after[at] ?? 0) < STILL &&
        Math.max(edges[at] ?? 0, oldEdges[at] ?? 0) >= SHARP,
    ).length;
    return changedCells >= 2 ? [fresh.atMs] : [];
  });
}

/** Mean difference of a cell in two pictures, for every cell. */
function cellChanges(a: Sample, b: Sample): Float64Array {
  return meanOfCells(a, (at) => Math.abs((a.luma[at] ?? 0) - (b.luma[at] ?? 0)));
}

/** Mean step from pixel to pixel along the rows of every cell: high for letters. */
function cellEdges(sample: Sample): Float64Array {
  const { luma } = sample;
  return meanOfCells(sample, (at) => (at % SAMPLE_WIDTH === 0 ? 0 : Math.abs((luma[at] ?? 0) - (luma[at - 1] ?? 0))));
}

/** The mean of a value of every pixel, for every cell. */
function meanOfCells({ luma }: Sample, valueAt: (pixel: number) => number): Float64Array {
  const means = new Float64Array(cells);
  for (let at = 0; at < luma.length; at++) {
    const index = Math.floor(at / SAMPLE_WIDTH / CELL) * across + Math.floor((at % SAMPLE_WIDTH) / CELL);
    means[index] = (means[index] ?? 0) + valueAt(at) / (CELL * CELL);
  }
  return means;
}

/** Divides a long interval into equal parts. */
function partsOf(interval: Span): Span[] {
  const count = Math.max(1, Math.ceil(lengthOf(interval) / MAX_MS));
  const edgeAt = (index: number): number => interval.startMs + (lengthOf(interval) * index) / count;
  return Array.from({ length: count }, (_part, index) => ({ startMs: edgeAt(index), endMs: edgeAt(index + 1) }));
}

/** The sample that is shown at a moment. */
function sampleAt(samples: readonly Sample[], atMs: number): Sample | undefined {
  return samples.findLast((sample) => sample.atMs <= atMs) ?? samples[0];
}

/** Cells of a picture that could contain letters; without any, nothing is read. */
function sharpCells(sample: Sample): boolean[] {
  return [...cellEdges(sample)].map((edge) => edge >= SHARP);
}

function differs(a: Sample, b: Sample): boolean {
  return cellChanges(a, b).some((change) => change >= CHANGED);
}

/** Whether sharp parts are still, as letters are. */
function hasStillParts(samples: readonly Sample[], interval: TextInterval): boolean {
  const [sample, next] = [sampleAt(samples, middleOf(interval)), sampleAt(samples, middleOf(interval) + 250)];
  if (!sample || !next) return false;
  const changes = cellChanges(sample, next);
  return sharpCells(sample).filter((isSharp, index) => isSharp && (changes[index] ?? 0) < STILL).length >= 2;
}

/** The most readings of a span. */
export function mostReadings(span: Span, perMinute: number): number {
  return perMinute === 0 ? 0 : Math.max(MIN_READINGS, Math.ceil((lengthOf(span) / 60_000) * perMinute));
}
