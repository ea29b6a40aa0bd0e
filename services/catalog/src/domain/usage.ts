/** What a decision adds to its publisher's usage, and the operator's budgets. */
import { AppError } from '@vds/chassis/errors';
import type { Snapshot } from './plan.ts';
import { outputsOf, type StageStatus } from './stages.ts';

export type Usage = {
  /** Milliseconds of video that were inspected, and bytes that were fetched. */
  readonly mediaMs: number;
  readonly fetchedBytes: number;
  /** Bytes that are stored more, or less. */
  readonly storedBytes: number;
};

/** Null: none. */
export type Budgets = {
  /** Minutes of video a day. */
  readonly mediaMinutes: number | null;
  /** Bytes a day. */
  readonly fetchedBytes: number | null;
  readonly storedBytes: number | null;
};

/** Budgets to set; 0 removes one, an omitted one stays. */
export type BudgetChanges = { readonly [B in keyof Budgets]?: number | undefined };

/**
 * Every attempt counts once: a decision completes a stage once, however often its event is delivered. Storage counts
 * from the end of encoding until the video is deleted or has failed.
 */
export function usageOf(before: Snapshot, after: Snapshot): Usage {
  const completed = (name: string): StageStatus | undefined =>
    after.stages.find((one) => one.stage === name && one.state === 'completed' && !hadCompleted(before.stages, one));
  return {
    mediaMs: completed('inspect')?.outputs.durationMs ?? 0,
    fetchedBytes: completed('fetch')?.outputs.sourceBytes ?? 0,
    storedBytes: storedBytes(after) - storedBytes(before),
  };
}

function hadCompleted(stages: readonly StageStatus[], { stage, attempt }: StageStatus): boolean {
  return stages.some((one) => one.stage === stage && one.attempt === attempt && one.state === 'completed');
}

function storedBytes({ video, stages }: Snapshot): number {
  return video.state === 'ready' || video.state === 'archived' ? (outputsOf(stages).storedBytes ?? 0) : 0;
}

/**
 * The budgets after a change.
 * @throws AppError INVALID_ARGUMENT for no change, or for a number that is not whole
 */
export function changeBudgets(budgets: Budgets, changes: BudgetChanges): Budgets {
  const given = Object.entries(changes).filter((entry): entry is [string, number] => entry[1] !== undefined);
  if (given.length === 0) throw new AppError('INVALID_ARGUMENT', 'give at least one budget');
  if (given.some(([, value]) => !Number.isSafeInteger(value) || value < 0))
    throw new AppError('INVALID_ARGUMENT', 'a budget must be a whole number, or 0 for none');
  return { ...budgets, ...Object.fromEntries(given.map(([name, value]) => [name, value === 0 ? null : value])) };
}

/** Budgets as the audit shows them. */
export function describeBudgets({ mediaMinutes, fetchedBytes, storedBytes }: Budgets): string {
  const parts = [
    ...(mediaMinutes === null ? [] : [`${mediaMinutes} minutes of video a day`]),
    ...(fetchedBytes === null ? [] : [`${fetchedBytes} bytes fetched a day`]),
    ...(storedBytes === null ? [] : [`${storedBytes} bytes stored`]),
  ];
  return parts.length === 0 ? 'no budgets' : parts.join(', ');
}
