/** Which stages to request now, and whether the video is complete, from the statuses of an attempt's stages. */
import type { DecisionContext } from './commands.ts';
import {
  hasEnded,
  nextRequest,
  stages as allStages,
  type Inputs,
  type Limits,
  type Need,
  type Stage,
  type StageRequest,
  type StageStatus,
} from './stages.ts';
import { after } from './video.ts';

export type Schedule = {
  /** Stages whose needs are met, and ended ones whose inputs now have a later revision. */
  readonly requests: readonly StageRequest[];
  /** Every blocking stage has completed, and no other is awaited any more. */
  readonly complete: boolean;
  /** Until when the video waits for stages that do not block; null when it does not. */
  readonly awaitedUntil: Date | null;
};

type Deps = {
  readonly list: readonly Stage[];
  readonly statuses: ReadonlyMap<string, StageStatus>;
  readonly inputs: Inputs;
  readonly limits: Limits;
  readonly now: Date;
};

/** @param statuses the stages of the current attempt */
export function scheduleStages(
  statuses: readonly StageStatus[],
  inputs: Inputs,
  context: Limits & Pick<DecisionContext, 'now' | 'list'>,
): Schedule {
  const { list = allStages, now } = context;
  const byName = new Map(statuses.map((status) => [status.stage, status]));
  const deps: Deps = { list, statuses: byName, inputs, limits: context, now };
  const requests = list.flatMap((stage) => requestFor(stage, deps) ?? []);
  if (blockingDoneAt(deps) === null) return { requests, complete: false, awaitedUntil: null };
  const awaited = list.filter((stage) => !stage.blocksReady && !isSettled(stage, deps));
  // The nearest end counts, not the last: another stage may be waiting for it.
  const ends = awaited.flatMap((stage) => awaitedUntil(stage, deps) ?? []).toSorted((a, b) => Number(a) - Number(b));
  return { requests, complete: awaited.length === 0, awaitedUntil: ends[0] ?? null };
}

/** The due request to a stage; undefined: none. A closed stage is never requested again. */
function requestFor(stage: Stage, deps: Deps): StageRequest | undefined {
  const status = deps.statuses.get(stage.name);
  const request = nextRequest(stage, status, deps.inputs);
  if (status === undefined) return stage.needs.every((need) => isMet(need, deps)) ? request : undefined;
  const ended = status.state === 'completed' || status.state === 'failed';
  return ended && request.inputsRevision > status.inputsRevision ? request : undefined;
}

function isMet(need: Need, deps: Deps): boolean {
  const status = deps.statuses.get(need.stage);
  if (need.reached !== 'settled')
    return status?.state === 'completed' || (status?.reached.includes(need.reached) ?? false);
  const stage = deps.list.find((candidate) => candidate.name === need.stage);
  return stage === undefined || isSettled(stage, deps);
}

/** When the last blocking stage completed; null before. */
function blockingDoneAt({ list, statuses }: Deps): Date | null {
  const blocking = list.filter((stage) => stage.blocksReady).map((stage) => statuses.get(stage.name));
  const ends = blocking.map((status) => (status?.state === 'completed' ? status.finishedAt : null));
  if (ends.some((end) => end === null)) return null;
  return new Date(Math.max(...ends.map((end) => end?.getTime() ?? 0)));
}

/** Until when the video waits for this stage; null until the blocking stages have completed. */
function awaitedUntil(stage: Stage, deps: Deps): Date | null {
  const doneAt = blockingDoneAt(deps);
  return doneAt && after(doneAt, stage.awaitedMs?.(deps.inputs.durationMs, deps.limits) ?? 0);
}

/** Whether the stage has ended or is no longer awaited. */
function isSettled(stage: Stage, deps: Deps): boolean {
  const status = deps.statuses.get(stage.name);
  if (status && hasEnded(status)) return true;
  const until = stage.blocksReady ? null : awaitedUntil(stage, deps);
  return until !== null && until <= deps.now;
}
