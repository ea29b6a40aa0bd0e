/** How a fault is planted into production, and what must catch it. */
import type { Plan, Snapshot } from '../../src/domain/plan.ts';
import type { Video } from '../../src/domain/video.ts';
import type { Kind } from './invariants.ts';
import type { Product } from './product.ts';
import { nothingAllowed, type Budget } from './world.ts';

export type Planted = {
  readonly fault: string;
  /** What it must be caught by. */
  readonly kind: Kind;
  /** The least that must be allowed to happen for it. */
  readonly left: Budget;
  readonly product: Product;
};
/** A decision with something of its plan changed. */
type Outcome = ReturnType<Product['decideStageEvent']>;

export function allowing(left: Partial<Budget>): Budget {
  return { ...nothingAllowed, ...left };
}

export function seenAs({ video, stages }: Snapshot, changes: Partial<Video>): Snapshot {
  return {
    video: { ...video, ...changes },
    stages,
  };
}

/** The plan with its video changed. */
export function video(change: (plan: Plan) => Partial<Video>) {
  return (plan: Plan): Partial<Plan> => ({
    video: { ...plan.video, ...change(plan) },
  });
}

export function but<O extends Outcome>(outcome: O, change: (plan: Plan) => Partial<Plan>): O {
  return outcome.kind === 'plan' ? { ...outcome, ...change(outcome) } : outcome;
}
