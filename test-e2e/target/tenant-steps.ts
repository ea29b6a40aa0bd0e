/** Random streams of commands for many tenants. */
import fc from 'fast-check';
import type { Deed } from './video-model.ts';

export type KeyKind = 'both' | 'reader' | 'writer' | 'dead' | 'strange';
export type Whose = 'own' | 'foreign' | 'invented' | 'malformed';
export type Step = {
  readonly tenant: number;
  readonly gateway: number;
  readonly does: Deed | 'submit' | 'submitBad' | 'rotate' | 'revoke';
  /** With which key; half of the steps with the one that may do everything. */
  readonly key: KeyKind;
  readonly whose: Whose;
  /** Which video, key or id of those that there are. */
  readonly pick: number;
  /** Whether the id is sent with `vid_`. */
  readonly prefixed: boolean;
};

/** The same seed makes the same stream. */
export function streamOf(tenants: number, count: number, seed: number): readonly Step[] {
  return fc.sample(fc.noShrink(steps(tenants)), { numRuns: count, seed });
}

function steps(tenants: number): fc.Arbitrary<Step> {
  return fc.record({
    tenant: fc.nat(tenants - 1),
    gateway: fc.nat(2),
    does: weighted({
      submit: 10,
      submitBad: 3,
      read: 40,
      archive: 14,
      republish: 14,
      delete: 8,
      rotate: 1,
      revoke: 1,
    }),
    key: weighted({ both: 50, reader: 20, writer: 20, dead: 7, strange: 3 }),
    whose: weighted({ own: 55, foreign: 35, invented: 7, malformed: 3 }),
    pick: fc.noBias(fc.nat(2 ** 31 - 1)),
    prefixed: fc.boolean(),
  });
}

function weighted<T extends string>(weights: Readonly<Record<T, number>>): fc.Arbitrary<T> {
  return fc.oneof(
    ...(Object.entries(weights) as [T, number][]).map(([value, weight]) => ({
      arbitrary: fc.constant(value),
      weight,
    })),
  );
}
