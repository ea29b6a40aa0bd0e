/**
 * How candidates from several sources become one list: by the sum of what each source says, weighted; never two copies of
 * one video, and few of one publisher. Weights were chosen on one part of a simulated year and judged on the other
 * (`npm run bench -- recommend`).
 */
import type { ItemOut } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { normalizeText } from './normalize-text.ts';

/** A live video, and its vector as a whole, where it has one. */
export type Item = ItemOut & { readonly vector?: Int8Array };
/** A video that a viewer has watched, newest first. */
export type Seed = {
  readonly videoId: string;
  /** Watched share, 0 to 1. */
  readonly share: number;
};
export type ReasonKind = 'watched_together' | 'similar' | 'same_sport' | 'fresh';
/** `videoId`: the seed that it follows from; '' for fresh. */
export type Reason = { readonly kind: ReasonKind; readonly videoId: string };
export type Source = 'together' | 'meaning' | 'words' | 'sport' | 'fresh';
/** What one source says of one video, 0 to 1, and because of which seed. */
export type Finding = { readonly source: Source; readonly score: number; readonly seed: string };
export type Candidate = { readonly item: Item; readonly findings: readonly Finding[] };
export type Recommended = { readonly item: Item; readonly score: number; readonly reason: Reason };

export const weights: Readonly<Record<Source, number>> = { together: 6, meaning: 3, words: 2, sport: 1.5, fresh: 1 };
const kinds: Readonly<Record<Source, ReasonKind>> = {
  ...{ together: 'watched_together', meaning: 'similar', words: 'similar', sport: 'same_sport', fresh: 'fresh' },
};
/** Each seed counts so much of the one that was watched after it. */
const NEXT_SEED = 0.95;
/** In so many neighbours of a list a publisher has so many. */
export const [WINDOW, MOST_OF_PUBLISHER] = [10, 2];
/** Two files of one video differ by less, in milliseconds. */
const SAME_DURATION_MS = 1_000;
/** Cosine: parts of a series are near one another, two texts of one video nearer. */
const SAME_MEANING = 0.998;

/** How much each seed counts, above 0 to 1. A video that was left at once says little. */
export function seedWeights(seeds: readonly Seed[]): ReadonlyMap<string, number> {
  return new Map(seeds.map(({ videoId, share }, at) => [videoId, Math.max(0.02, share) * NEXT_SEED ** at]));
}

/** What is left after an age, 1 to 0. */
export function freshness(ageMs: number, halfLifeMs: number): number {
  return 2 ** (-Math.max(0, ageMs) / halfLifeMs);
}

/** Companions of seeds, each with its lift. */
export type Companions = ReadonlyMap<string, readonly { readonly videoId: string; readonly lift: number }[]>;

/**
 * What co-views say of each companion: evidence of several seeds adds up as the logarithms of lifts, and saturates.
 * @returns findings by video, each with the seed that says most
 */
export function togetherFindings(companions: Companions, seeds: ReadonlyMap<string, number>): Map<string, Finding> {
  const found = new Map<string, { evidence: number; most: number; seed: string }>();
  for (const [seed, list] of companions)
    for (const { videoId, lift } of list) {
      const evidence = (seeds.get(seed) ?? 0) * Math.log2(Math.max(1, lift));
      const before = found.get(videoId) ?? { evidence: 0, most: -1, seed };
      found.set(videoId, {
        evidence: before.evidence + evidence,
        ...(evidence > before.most ? { most: evidence, seed } : { most: before.most, seed: before.seed }),
      });
    }
  return new Map(
    [...found].map(([videoId, { evidence, seed }]) => [
      videoId,
      { source: 'together', score: evidence / (evidence + 2), seed },
    ]),
  );
}

/** How much of the seeds is of this sport, and which says so first. */
export function sportFinding(sport: string, seeds: readonly Item[], of: ReadonlyMap<string, number>): Finding {
  const weightOf = ({ videoId }: Item): number => of.get(videoId) ?? 0;
  const same = seeds.filter((seed) => seed.sport === sport);
  const all = sum(seeds.map(weightOf));
  return { source: 'sport', score: all === 0 ? 0 : sum(same.map(weightOf)) / all, seed: same[0]?.videoId ?? '' };
}

/**
 * How near each of the nearest is, 0 to 1: by how much more alike it is than the last of them, as models differ in what
 * they call alike.
 * @param similarities of at most `count`, 0 to 1, the greatest first
 */
export function nearness(similarities: readonly number[], count: number): number[] {
  const last = similarities.at(-1) ?? 0;
  const floor = similarities.length < count ? 2 * last - 1 : last;
  return similarities.map((one) => (floor >= 1 ? 1 : Math.min(1, Math.max(0, (one - floor) / (1 - floor)))));
}

/** The seed that has most words of a video's title, tags and topics. */
export function mostAlike(item: Item, seeds: readonly Item[]): string {
  const words = wordsOf(item);
  const shared = seeds.map((seed) => [...wordsOf(seed)].filter((word) => words.has(word)).length);
  return seeds[shared.indexOf(Math.max(...shared))]?.videoId ?? '';
}

function wordsOf({ title, tags, topics }: Item): ReadonlySet<string> {
  const text = [title, ...tags, ...topics].join(' ').slice(0, 4_000);
  return new Set(
    normalizeText(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
}

/** Best first; videos of the same score by their ids, so that the order is one. */
export function ranked(candidates: readonly Candidate[]): Recommended[] {
  return candidates
    .map(({ item, findings }) => {
      const parts = bestOfEach(findings).map((one) => ({ ...one, part: weights[one.source] * one.score }));
      const most = parts.reduce<(typeof parts)[number] | undefined>(
        (best, one) => (best === undefined || one.part > best.part ? one : best),
        undefined,
      );
      const kind = most === undefined || most.part === 0 ? 'fresh' : kinds[most.source];
      const reason = { kind, videoId: kind === 'fresh' ? '' : (most?.seed ?? '') };
      return { item, score: sum(parts.map(({ part }) => part)), reason };
    })
    .toSorted((a, b) => b.score - a.score || compare(a.item.videoId, b.item.videoId));
}

/** A source that says something twice, as of two seeds, counts once. */
function bestOfEach(findings: readonly Finding[]): Finding[] {
  const best = new Map<Source, Finding>();
  for (const finding of findings)
    if (finding.score > (best.get(finding.source)?.score ?? -1)) best.set(finding.source, finding);
  return [...best.values()];
}

/**
 * The next of a list.
 * @param shown what the list has before, in its order
 * @param known videos of which no copy may follow: the seeds
 * @param strict whether the list rather ends than has more of a publisher
 * @returns at most `limit`, and those that can still follow
 */
export function choose(
  candidates: readonly Recommended[],
  limit: number,
  shown: readonly Item[],
  known: readonly Item[],
  strict: boolean,
): { readonly chosen: readonly Recommended[]; readonly left: readonly Recommended[] } {
  const taken = [...known, ...shown];
  const list = [...shown];
  const chosen: Recommended[] = [];
  let left = candidates.filter(({ item }) => !taken.some((other) => isCopy(item, other)));
  while (chosen.length < limit) {
    const full = fullPublishers(list);
    const next = left.find(({ item }) => !full.has(item.publisherId)) ?? (strict ? undefined : left[0]);
    if (next === undefined) break;
    chosen.push(next);
    list.push(next.item);
    left = left.filter(({ item }) => item !== next.item && !isCopy(item, next.item));
  }
  return { chosen, left };
}

/** Publishers of which the next entry of a list may be none. */
export function fullPublishers(list: readonly Item[]): ReadonlySet<string> {
  const near = list.slice(1 - WINDOW).map(({ publisherId }) => publisherId);
  return new Set(near.filter((one) => near.filter((other) => other === one).length >= MOST_OF_PUBLISHER));
}

/** Whether two files seem to be of one video: the same duration, and the same words as title or nearly the same vector. */
export function isCopy(one: Item, other: Item): boolean {
  if (one.videoId === other.videoId) return true;
  const difference = Math.abs(one.durationMs - other.durationMs);
  if (difference >= SAME_DURATION_MS) return false;
  return (plain(one) !== '' && plain(one) === plain(other)) || cosine(one.vector, other.vector) >= SAME_MEANING;
}

/** 0 where either has none, or they are of two models. */
function cosine(one: Int8Array | undefined, other: Int8Array | undefined): number {
  if (one === undefined || one.length !== other?.length) return 0;
  const dot = (a: Int8Array, b: Int8Array): number => a.reduce((total, value, at) => total + value * (b[at] ?? 0), 0);
  const lengths = Math.sqrt(dot(one, one) * dot(other, other));
  return lengths === 0 ? 0 : dot(one, other) / lengths;
}

function plain({ title }: Item): string {
  return normalizeText(title)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
