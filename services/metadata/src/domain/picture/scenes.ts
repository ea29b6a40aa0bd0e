/** Joins the shots of all spans, and groups them into scenes: runs of similar shots. */
import type { AnalyzedShot } from '../analysis.ts';
import { lengthOf, type Span } from '../span.ts';
import { colourDistance } from './sample.ts';

export type Scene = Span & { readonly thumbnailMs: number };

export type SceneRules = {
  /** Shorter scenes are joined to a neighbour. */
  readonly leastMs: number;
  /** A scene of several shots is no longer. */
  readonly mostMs: number;
  /** Largest distance of the colours of two shots of one scene, 0 to 1. */
  readonly apart: number;
};

/** A shot belongs to a scene when it resembles one of its last few shots, as when two speakers alternate. */
const COMPARED_SHOTS = 4;

const THOUSANDTHS = 1_000;

/**
 * The shots of a whole video: those that continue over the end of a span are joined, the first begins at 0, the last
 * ends with the video, and there are at most `most`: the least certain cuts are dropped first.
 */
export function joinShots(found: readonly AnalyzedShot[], durationMs: number, most: number): readonly AnalyzedShot[] {
  const inside = found.filter(({ startMs }) => startMs < durationMs);
  const kept = new Set(
    inside
      .filter(({ cut }, index) => cut && index > 0)
      .sort((a, b) => b.certainty - a.certainty)
      .slice(0, most - 1),
  );
  const shots: AnalyzedShot[] = [];
  for (const shot of inside) {
    const last = shots.at(-1);
    if (last && !kept.has(shot)) shots[shots.length - 1] = mergeShots(last, shot);
    else shots.push(shot);
  }
  return shots.map((shot, index) => ({
    ...shot,
    startMs: index === 0 ? 0 : shot.startMs,
    endMs: shots[index + 1]?.startMs ?? durationMs,
  }));
}

/** Joins two parts of one shot, weighted by their length. */
function mergeShots(a: AnalyzedShot, b: AnalyzedShot): AnalyzedShot {
  const share = lengthOf(a) / Math.max(1, lengthOf(a) + lengthOf(b));
  const mix = (x: number, y: number): number => x * share + y * (1 - share);
  const better = a.thumbnailWorth >= b.thumbnailWorth ? a : b;
  return {
    ...a,
    endMs: b.endMs,
    colours: a.colours.map((value, bin) => mix(value, b.colours[bin] ?? 0)),
    motion: mix(a.motion, b.motion),
    pan: mix(a.pan, b.pan),
    flat: mix(a.flat, b.flat),
    repeats: mix(a.repeats ?? 0, b.repeats ?? 0),
    brightness: mix(a.brightness, b.brightness),
    thumbnailMs: better.thumbnailMs,
    thumbnailWorth: better.thumbnailWorth,
  };
}

/** Scenes without gap or overlap over the whole of the shots. A scene of a single shot may be longer than `mostMs`. */
export function groupScenes(shots: readonly AnalyzedShot[], { leastMs, mostMs, apart }: SceneRules): Scene[] {
  const groups: AnalyzedShot[][] = [];
  for (const shot of shots) {
    const group = groups.at(-1);
    const fits = group && shot.endMs - (group[0]?.startMs ?? 0) <= mostMs && distanceTo(group, shot) <= apart;
    if (fits) group.push(shot);
    else groups.push([shot]);
  }
  return absorbShort(groups, leastMs).map((group) => ({ ...spanOfGroup(group), thumbnailMs: thumbnailOf(group) }));
}

/** The distance of a shot from a group: from the nearest of its last few shots. */
function distanceTo(group: readonly AnalyzedShot[], shot: AnalyzedShot): number {
  const distances = group.slice(-COMPARED_SHOTS).map((other) => colourDistance(other.colours, shot.colours));
  return Math.min(...distances) / THOUSANDTHS;
}

/** Joins groups that are too short to the more similar neighbour. */
function absorbShort(groups: readonly (readonly AnalyzedShot[])[], leastMs: number): (readonly AnalyzedShot[])[] {
  const all = [...groups];
  for (let index = 0; index < all.length;) {
    const group = all[index] ?? [];
    if (all.length === 1 || lengthOf(spanOfGroup(group)) >= leastMs) {
      index++;
      continue;
    }
    const [before, after] = [all[index - 1], all[index + 1]];
    const first = group[0];
    const toBefore = before && first ? distanceTo(before, first) : Infinity;
    const toAfter = after?.[0] ? distanceTo(group, after[0]) : Infinity;
    if (before && toBefore <= toAfter) all.splice(index - 1, 2, [...before, ...group]);
    else all.splice(index, 2, [...group, ...(after ?? [])]);
    index = Math.max(0, index - 1);
  }
  return all;
}

function spanOfGroup(group: readonly AnalyzedShot[]): Span {
  return { startMs: group[0]?.startMs ?? 0, endMs: group.at(-1)?.endMs ?? 0 };
}

function thumbnailOf(group: readonly AnalyzedShot[]): number {
  const { startMs, endMs } = spanOfGroup(group);
  const [best] = [...group].sort((a, b) => b.thumbnailWorth - a.thumbnailWorth);
  return Math.min(Math.max(best?.thumbnailMs ?? startMs, startMs), Math.max(startMs, endMs - 1));
}
