/** The jobs that a video's encoding is divided into, and their share of the work. */
import { durationMs, type TitlePlan } from './title-plan.ts';

export type EncodeJob =
  /** Inspects the source again, because there is no plan: a database was restored. */
  | { readonly kind: 'plan' }
  | { readonly kind: 'audio' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'piece'; readonly index: number }
  | { readonly kind: 'assemble' };

export type PlannedJob = {
  readonly name: string;
  readonly payload: EncodeJob;
  /** Roughly the seconds of one core for one second of video; only proportions matter. */
  readonly weight: number;
};

/** The jobs that must end before the video can be assembled. */
export function allJobs(plan: TitlePlan): PlannedJob[] {
  return [...audioJob(plan), ...cutJob(plan), ...pieceJobs(plan)];
}

/** The jobs that can start at once. */
export function firstJobs(plan: TitlePlan): PlannedJob[] {
  return [...audioJob(plan), ...(plan.pieces.length > 1 ? cutJob(plan) : pieceJobs(plan))];
}

export function audioJob(plan: TitlePlan): PlannedJob[] {
  return plan.facts.audio ? [{ name: 'audio', payload: { kind: 'audio' }, weight: seconds(plan) * 0.05 }] : [];
}

export function cutJob(plan: TitlePlan): PlannedJob[] {
  return plan.pieces.length > 1 ? [{ name: 'cut', payload: { kind: 'cut' }, weight: seconds(plan) * 0.03 }] : [];
}

/** The job of the only piece is named `whole` where the video was first cut and its pieces could not be joined. */
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

/**
 * Adds the costs that order jobs: of one publisher's videos the shortest goes first, and within a video the jobs that
 * others wait for.
 */
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
