/** How a fault is injected into production, and which law must find it. */
import type { Plan, Snapshot } from '../../src/domain/plan.ts';
import type { Stage } from '../../src/domain/stages.ts';
import type { Video } from '../../src/domain/video.ts';
import type { Kind } from './invariants.ts';
import type { Product } from './product.ts';
import { nothingAllowed, type Budget } from './world.ts';

export type InjectedFault = {
  readonly fault: string;
  /** The law that must find it. */
  readonly kind: Kind;
  /** The smallest budget of moves that reveals it. */
  readonly left: Budget;
  readonly product: Product;
  /** The stages that reveal it; only encode unless given. */
  readonly list?: readonly Stage[];
};
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

/** A decision with its plan changed. */
export function but<O extends Outcome>(outcome: O, change: (plan: Plan) => Partial<Plan>): O {
  return outcome.kind === 'plan' ? { ...outcome, ...change(outcome) } : outcome;
}
