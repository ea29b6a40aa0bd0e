/** One order of the videos that words found and of those that are near in meaning. */

export type ByWords = {
  readonly id: string;
  /** Its title, a topic or a tag has the query as a phrase. */
  readonly named: boolean;
};
export type ByMeaning = { readonly id: string };
export type Fused = { readonly id: string; readonly score: number };

/** As in the paper. */
const K = 60;

/**
 * Reciprocal rank fusion (Cormack et al. 2009, https://doi.org/10.1145/1571941.1572114): each list gives a video
 * 1 / (60 + its rank). Named videos come first, in the order of words alone: no meaning is nearer than the name itself.
 * @param words best first, each video once
 * @param meaning nearest first, each video once
 * @returns every video of both lists, best first
 */
export function fuse(words: readonly ByWords[], meaning: readonly ByMeaning[]): readonly Fused[] {
  const fused = new Map<string, Fused>();
  for (const [at, { id, named }] of words.entries()) fused.set(id, { id, score: Number(named) + reciprocal(at) });
  const named = new Set(words.filter((hit) => hit.named).map(({ id }) => id));
  for (const [at, { id }] of meaning.entries()) {
    const score = fused.get(id)?.score ?? 0;
    fused.set(id, { id, score: named.has(id) ? score : score + reciprocal(at) });
  }
  return [...fused.values()].toSorted((a, b) => b.score - a.score); // at the same score words first
}

function reciprocal(at: number): number {
  return 1 / (K + 1 + at);
}
