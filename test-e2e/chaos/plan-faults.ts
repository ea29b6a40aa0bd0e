/** Which faults a run makes, when and for how long: everything follows from the seed. */
import { randomOf } from '@vds/testkit/random';

export const faultKinds = [
  'kill',
  'pause',
  'postgres',
  'nats',
  's3',
  'opensearch',
  'wipe-jetstream',
  'roll-back-jetstream',
  'delete-consumers',
  'mute',
  'fill-disk',
  'move-clock',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export type PlannedFault = {
  readonly kind: FaultKind;
  /** Since the start of the run. */
  readonly atMs: number;
  readonly forMs: number;
  /** Chooses among the candidates, which only the run knows: their list's length is the divisor. */
  readonly target: number;
};

type Range = readonly [fromMs: number, toMs: number];

/** Runs of at least this length have outages that outlast every retry of a job. */
const LONG_MS = 300_000;
/** Workers hold leases of 6 s here: a paused one has lost its own when it continues. */
const PAUSE: Range = [7_000, 10_000];
const lengths: Readonly<Record<FaultKind, { readonly short: Range; readonly long: Range }>> = {
  kill: { short: [100, 1_500], long: [100, 5_000] },
  pause: { short: PAUSE, long: [7_000, 20_000] },
  postgres: { short: [500, 3_000], long: [5_000, 30_000] },
  nats: { short: [500, 4_000], long: [5_000, 30_000] },
  s3: { short: [1_000, 5_000], long: [95_000, 150_000] },
  opensearch: { short: [500, 2_000], long: [5_000, 20_000] },
  'wipe-jetstream': { short: [0, 0], long: [0, 5_000] },
  'roll-back-jetstream': { short: [2_000, 4_000], long: [5_000, 30_000] },
  'delete-consumers': { short: [0, 0], long: [0, 0] },
  mute: { short: [2_000, 5_000], long: [5_000, 50_000] },
  'fill-disk': { short: [2_000, 4_000], long: [10_000, 40_000] },
  'move-clock': { short: [2_000, 4_000], long: [10_000, 40_000] },
};
const FIRST_MS = 2_000;
const GAP: Range = [500, 2_500];

/**
 * One fault after another, each kind once before any repeats, until the time is over.
 * @param totalMs length of the run
 */
export function planFaults(seed: number, totalMs: number, kinds: readonly FaultKind[] = faultKinds): PlannedFault[] {
  const random = randomOf(seed);
  const length = totalMs >= LONG_MS ? 'long' : 'short';
  const planned: PlannedFault[] = [];
  let atMs = FIRST_MS;
  while (kinds.length > 0) {
    for (const kind of random.shuffled(kinds)) {
      const forMs = random.integer(...lengths[kind][length]);
      if (atMs + forMs > totalMs) return planned;
      planned.push({ kind, atMs, forMs, target: random.integer(0, 9_999) });
      atMs += forMs + random.integer(...GAP);
    }
  }
  return planned;
}
