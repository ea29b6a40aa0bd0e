/** The jobs that a title's encoding is divided into, and how much of it each is. */
import { durationMs, type TitlePlan } from './title-plan.ts';

export type EncodeJob =
  /** The source is inspected once more, as there is no plan: a database was restored. */
  | { readonly kind: 'plan' }
  | { readonly kind: 'audio' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'piece'; readonly index: number }
  | { readonly kind: 'assemble' };

export type PlannedJob = {
  readonly name: string;
  readonly payload: EncodeJob;
  /** Seconds of one core, roughly, on a title of one second; only proportions count. */
  readonly weight: number;
};

/** What must be made before the title can be assembled. */
export function allJobs(plan: TitlePlan): PlannedJob[] {
  return [...audioJob(plan), ...cutJob(plan), ...pieceJobs(plan)];
}

/** What can be done at once. */
export function firstJobs(plan: TitlePlan): PlannedJob[] {
  return [...audioJob(plan), ...(plan.pieces.length > 1 ? cutJob(plan) : pieceJobs(plan))];
}

export function audioJob(plan: TitlePlan): PlannedJob[] {
  return plan.facts.audio ? [{ name: 'audio', payload: { kind: 'audio' }, weight: seconds(plan) * 0.05 }] : [];
}

export function cutJob(plan: TitlePlan): PlannedJob[] {
  return plan.pieces.length > 1 ? [{ name: 'cut', payload: { kind: 'cut' }, weight: seconds(plan) * 0.03 }] : [];
}

/** Jobs of pieces are named `whole` where a title was first cut and then could not be joined. */
export function pieceJobs(plan: TitlePlan, replanned = false): PlannedJob[] {
  return plan.pieces.map(({ index, from, until }) => ({
    name: replanned ? 'whole' : `piece-${index}`,
    payload: { kind: 'piece', index },
    weight: until - (from ?? 0),
  }));
}

export function assembleJob(replanned = false): PlannedJob {
  return { name: replanned ? 'assemble-whole' : 'assemble', payload: { kind: 'assemble' }, weight: 0 };
}

/** As the queue takes them: among one publisher's titles the shortest goes first, within a title what others wait for. */
export function withCosts(jobs: readonly PlannedJob[], plan: TitlePlan) {
  return jobs.map(({ name, payload, weight }) => ({
    name,
    payload,
    cost: payload.kind === 'piece' ? seconds(plan) : weight,
  }));
}

function seconds(plan: TitlePlan): number {
  return durationMs(plan.timeline) / 1_000;
}
