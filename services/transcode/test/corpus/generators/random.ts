/** Pseudo-random numbers, repeatable by their seed: `VDS_SEED`, else 1; in long runs a new one every day. */

export type Random = {
  /** An integer, both ends included. */
  readonly whole: (from: number, to: number) => number;
  readonly pick: <T>(from: readonly [T, ...T[]]) => T;
};

/** The seed of this run, printed with every failure. */
export function seedOfRun(): number {
  const usual = process.env['VDS_LONG'] === '1' ? Math.floor(Date.now() / 86_400_000) : 1;
  return Number(process.env['VDS_SEED'] ?? usual);
}

/** A separate stream of numbers for each name, so that a file stays the same whichever others are made. */
export function randomOf(name: string, seed: number): Random {
  const next = mulberry32(hashOf(`${seed} ${name}`));
  return {
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (from) => from[Math.floor(next() * from.length)] ?? from[0],
  };
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  return [...Buffer.from(text)].reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}
