/** Into which units of work the encoding of a title is divided, and how much of it each is. */
import { durationMs, type TitlePlan } from './title-plan.ts';

export type UnitPayload = { readonly kind: 'plan' | 'audio' | 'cut' | 'piece' | 'assemble'; readonly index?: number };

export type EncodeUnit = {
  readonly unit: string;
  readonly payload: UnitPayload;
  /** Seconds of one core, roughly, on a title of one second; only proportions count. */
  readonly weight: number;
};

export function assembleUnit(replanned = false): EncodeUnit {
  return {
    unit: replanned ? 'assemble-whole' : 'assemble',
    payload: { kind: 'assemble' },
    weight: 0,
  };
}

/** What can be done at once. */
export function firstUnits(plan: TitlePlan): EncodeUnit[] {
  return [...audioUnit(plan), ...(plan.pieces.length > 1 ? cutUnit(plan) : pieceUnits(plan))];
}

export function audioUnit(plan: TitlePlan): EncodeUnit[] {
  return plan.facts.audio ? [{ unit: 'audio', payload: { kind: 'audio' }, weight: seconds(plan) * 0.05 }] : [];
}

function seconds(plan: TitlePlan): number {
  return durationMs(plan.timeline) / 1_000;
}

export function cutUnit(plan: TitlePlan): EncodeUnit[] {
  return plan.pieces.length > 1 ? [{ unit: 'cut', payload: { kind: 'cut' }, weight: seconds(plan) * 0.03 }] : [];
}

/** Units of pieces carry `whole` where a title was first cut and then could not be joined. */
export function pieceUnits(plan: TitlePlan, replanned = false): EncodeUnit[] {
  return plan.pieces.map(({ index, from, until }) => ({
    unit: replanned ? 'whole' : `piece-${index}`,
    payload: { kind: 'piece', index },
    weight: until - (from ?? 0),
  }));
}

/** What must be made before the title can be assembled. */
export function allParts(plan: TitlePlan): EncodeUnit[] {
  return [...audioUnit(plan), ...cutUnit(plan), ...pieceUnits(plan)];
}
