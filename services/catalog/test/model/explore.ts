/** Breadth-first search of every reachable state, and back from every state of rest. */
import type { Stage } from '../../src/domain/stages.ts';
import { brokenByState, brokenByRest, brokenByStep, type Kind } from './invariants.ts';
import { movesOf, settled } from './moves.ts';
import type { Product } from './product.ts';
import { acceptedWorld, keyOf, type Budget, type World } from './world.ts';

export type Violation = {
  readonly kind: Kind;
  /** The moves from acceptance on; no shorter path leads there. */
  readonly path: readonly string[];
};
export type Explored = {
  readonly states: number;
  readonly transitions: number;
  readonly rests: number;
  readonly seconds: number;
  /** The first of each kind, and so the one with the shortest path. */
  readonly violations: readonly Violation[];
};
type Found = { readonly from: number; readonly label: string };
type Options = { readonly product: Product; readonly list: readonly Stage[]; readonly left: Budget };

/**
 * @param options.left how often each command may be given and each fault may happen
 * @param until stops at the first violation of this kind; left out: explores everything
 */
export function explore({ product, list, left }: Options, until?: Kind): Explored {
  const began = performance.now();
  const first = acceptedWorld(list, left);
  const map = openMap(first);
  const back = new Map<number, number[]>();
  const violations = new Map<Kind, Violation>();
  const note = (kind: Kind | undefined, at: number, ...more: readonly string[]): void => {
    if (kind && !violations.has(kind)) violations.set(kind, { kind, path: [...map.path(at), ...more] });
  };
  const rests: number[] = [];
  let transitions = 0;
  let layer: (readonly [number, World])[] = [[0, first]];
  while (layer.length > 0 && !(until && violations.has(until))) {
    const next: (readonly [number, World])[] = [];
    for (const [at, world] of layer) {
      note(brokenByState(world), at);
      const moves = movesOf(world, product, list);
      if (!moves.some(({ spontaneous }) => spontaneous)) {
        const broken = brokenByRest(world);
        note(broken, at);
        if (broken !== 'every accepted video ends') rests.push(at);
      }
      for (const move of moves) {
        transitions += 1;
        note(brokenByStep(world, move.next), at, move.label);
        if (move.followed === false) continue;
        const then = settled(move.next, product);
        const [to, isNew] = map.place(then, at, move.label);
        if (isNew) next.push([to, then]);
        if (!move.spontaneous) continue;
        const known = back.get(to);
        if (known) known.push(at);
        else back.set(to, [at]);
      }
    }
    layer = next;
  }
  if (layer.length === 0) {
    const dead = stuck(map.size(), back, rests);
    if (dead !== -1) note('every accepted video ends', dead);
  }
  const seconds = (performance.now() - began) / 1_000;
  return { states: map.size(), transitions, rests: rests.length, seconds, violations: [...violations.values()] };
}

function openMap(first: World) {
  const numbers = new Map<string, number>([[keyOf(first), 0]]);
  const found: Found[] = [{ from: -1, label: 'accepted' }];
  const path = (at: number): string[] => {
    const labels: string[] = [];
    for (let state = found[at]; state; state = found[state.from]) labels.unshift(state.label);
    return labels;
  };
  /** The number of a state, and whether it is new. */
  const place = (world: World, from: number, label: string): readonly [number, boolean] => {
    const key = keyOf(world);
    const known = numbers.get(key);
    if (known !== undefined) return [known, false];
    numbers.set(key, found.length);
    return [found.push({ from, label }) - 1, true];
  };
  return { path, place, size: () => found.length };
}

/** States from which no rest can be reached by moves that happen by themselves. */
function stuck(size: number, back: ReadonlyMap<number, readonly number[]>, rests: readonly number[]): number {
  const ends = new Uint8Array(size);
  const open = [...rests];
  for (const rest of rests) ends[rest] = 1;
  for (let state = open.pop(); state !== undefined; state = open.pop())
    for (const from of back.get(state) ?? []) {
      if (ends[from] === 1) continue;
      ends[from] = 1;
      open.push(from);
    }
  return ends.indexOf(0);
}
