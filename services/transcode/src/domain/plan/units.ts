/** Into which units of work the encoding of a title is divided, and how much of it each is. */
import { durationMs, type TitlePlan } from './title-plan.ts';

export type UnitPayload = { readonly kind: 'plan' | 'audio' | 'cut' | 'piece' | 'assemble'; readonly index?: number };

export type EncodeUnit = {
  readonly unit: string;
  readonly payload: UnitPayload;
  /** Seconds of one core, roughly, on a title of one second; only proportions count. */
  readonly weight: number;
};

const seconds = (plan: TitlePlan): number => durationMs(plan.timeline) / 1_000;

export const audioUnit = (plan: TitlePlan): EncodeUnit[] =>
  plan.facts.audio ? [{ unit: 'audio', payload: { kind: 'audio' }, weight: seconds(plan) * 0.05 }] : [];

export const cutUnit = (plan: TitlePlan): EncodeUnit[] =>
  plan.pieces.length > 1 ? [{ unit: 'cut', payload: { kind: 'cut' }, weight: seconds(plan) * 0.03 }] : [];

/** Units of pieces carry `whole` where a title was first cut and then could not be joined. */
export const pieceUnits = (plan: TitlePlan, replanned = false): EncodeUnit[] =>
  plan.pieces.map(({ index, from, until }) => ({
    unit: replanned ? 'whole' : `piece-${index}`,
    payload: { kind: 'piece', index },
    weight: until - (from ?? 0),
  }));

export const assembleUnit = (replanned = false): EncodeUnit => ({
  unit: replanned ? 'assemble-whole' : 'assemble',
  payload: { kind: 'assemble' },
  weight: 0,
});

/** What can be done at once. */
export const firstUnits = (plan: TitlePlan): EncodeUnit[] => [
  ...audioUnit(plan),
  ...(plan.pieces.length > 1 ? cutUnit(plan) : pieceUnits(plan)),
];

/** What must be made before the title can be assembled. */
export const allParts = (plan: TitlePlan): EncodeUnit[] => [...audioUnit(plan), ...cutUnit(plan), ...pieceUnits(plan)];
