/**
 * The intervals of a span that text is read from, once each: text stays for a while, and where it appears or disappears
 * in the middle of a shot, small sharp parts of the picture change that were still before and are still afterwards.
 */
import type { AnalyzedShot } from '../analysis.ts';
import { sampleHeight, sampleWidth, type Sample } from '../picture/sample.ts';
import type { Span } from '../span.ts';

export type TextInterval = Span & {
  /** True where the picture behind the text moves: still parts are then found by overlaying pictures. */
  readonly moving: boolean;
};

const cell = 10;
const across = sampleWidth / cell;
const cells = across * (sampleHeight / cell);

const still = 4;
/** Least change of a cell where text appears; key pictures every other second change it less. */
const changed = 12;
const sharp = 4;

/** The shortest stay: shorter text is unreadable for viewers. */
const leastMs = 750;
/** A longer stay is read more than once. */
const mostMs = 20_000;
/** Change per second from which the picture counts as moving. */
const movingFrom = 10;

/** Even a short video may have several cards. */
const leastReadings = 6;

/**
 * The stays to read, in chronological order.
 * @param most the most readings; stays with still sharp parts go first, then the longest
 */
export function textIntervals(
  shots: readonly AnalyzedShot[],
  samples: readonly Sample[],
  most: number,
): readonly TextInterval[] {
  const seen: Sample[] = [];
  const fresh = shots
    .flatMap((shot) => staysOfShot(shot, samples))
    .filter((stay) => {
      const sample = sampleAt(samples, middleOf(stay));
      const letters = sample !== undefined && sharpCells(sample).includes(true);
      if (!letters || seen.some((other) => !differs(other, sample))) return false;
      seen.push(sample);
      return true;
    });
  return fresh
    .map((stay) => ({ stay, first: hasStillParts(samples, stay) ? 1 : 0, length: stay.endMs - stay.startMs }))
    .sort((a, b) => b.first - a.first || b.length - a.length)
    .slice(0, most)
    .map(({ stay }) => stay)
    .sort((a, b) => a.startMs - b.startMs);
}

function staysOfShot(shot: AnalyzedShot, samples: readonly Sample[]): TextInterval[] {
  const inside = samples.filter(({ atMs }) => atMs >= shot.startMs && atMs < shot.endMs);
  const marks = [shot.startMs, ...turnsWithin(inside), shot.endMs];
  return marks
    .slice(1)
    .flatMap((endMs, place) => partsOf({ startMs: marks[place] ?? shot.startMs, endMs }))
    .filter((stay) => stay.endMs - stay.startMs >= leastMs)
    .map((stay) => ({ ...stay, moving: shot.motion >= movingFrom }));
}

/** Moments inside a shot at which sharp, still parts appear or disappear. */
function turnsWithin(samples: readonly Sample[]): number[] {
  const changes = samples.slice(1).map((sample, place) => cellChanges(samples[place] ?? sample, sample));
  return changes.flatMap((now, place) => {
    const [before, behind] = [changes[place - 1], changes[place + 1]];
    const [old, fresh] = [samples[place], samples[place + 1]];
    if (!before || !behind || !old || !fresh) return [];
    const [oldEdges, edges] = [cellEdges(old), cellEdges(fresh)];
    const turned = now.filter(
      (change, at) =>
        change >= changed &&
        (before[at] ?? 0) < still &&
        (behind[at] ?? 0) < still &&
        Math.max(edges[at] ?? 0, oldEdges[at] ?? 0) >= sharp,
    ).length;
    return turned >= 2 ? [fresh.atMs] : [];
  });
}

/** Mean difference of a cell in two pictures, for every cell. */
function cellChanges(a: Sample, b: Sample): Float64Array {
  const changes = new Float64Array(cells);
  for (let at = 0; at < a.luma.length; at++) {
    const place = Math.floor(at / sampleWidth / cell) * across + Math.floor((at % sampleWidth) / cell);
    changes[place] = (changes[place] ?? 0) + Math.abs((a.luma[at] ?? 0) - (b.luma[at] ?? 0)) / (cell * cell);
  }
  return changes;
}

/** Mean step from pixel to pixel along the rows of every cell: high for letters. */
function cellEdges({ luma }: Sample): Float64Array {
  const edges = new Float64Array(cells);
  for (let at = 1; at < luma.length; at++) {
    if (at % sampleWidth === 0) continue;
    const place = Math.floor(at / sampleWidth / cell) * across + Math.floor((at % sampleWidth) / cell);
    edges[place] = (edges[place] ?? 0) + Math.abs((luma[at] ?? 0) - (luma[at - 1] ?? 0)) / (cell * cell);
  }
  return edges;
}

/** Divides a long stay into equal parts. */
function partsOf({ startMs, endMs }: Span): Span[] {
  const count = Math.max(1, Math.ceil((endMs - startMs) / mostMs));
  return Array.from({ length: count }, (_part, index) => ({
    startMs: startMs + ((endMs - startMs) * index) / count,
    endMs: startMs + ((endMs - startMs) * (index + 1)) / count,
  }));
}

/** The sample that is shown at a moment. */
export function sampleAt(samples: readonly Sample[], atMs: number): Sample | undefined {
  return samples.findLast((sample) => sample.atMs <= atMs) ?? samples[0];
}

function middleOf({ startMs, endMs }: Span): number {
  return (startMs + endMs) / 2;
}

/** Cells of a picture that could contain letters; without any, nothing is read. */
function sharpCells(sample: Sample): boolean[] {
  return [...cellEdges(sample)].map((edge) => edge >= sharp);
}

function differs(a: Sample, b: Sample): boolean {
  return cellChanges(a, b).some((change) => change >= changed);
}

/** Whether sharp parts are still, as letters are. */
function hasStillParts(samples: readonly Sample[], stay: TextInterval): boolean {
  const [sample, next] = [sampleAt(samples, middleOf(stay)), sampleAt(samples, middleOf(stay) + 250)];
  if (!sample || !next) return false;
  const changes = cellChanges(sample, next);
  return sharpCells(sample).filter((is, place) => is && (changes[place] ?? 0) < still).length >= 2;
}

/** The most readings of a span. */
export function readingsFor({ startMs, endMs }: Span, perMinute: number): number {
  return perMinute === 0 ? 0 : Math.max(leastReadings, Math.ceil(((endMs - startMs) / 60_000) * perMinute));
}
