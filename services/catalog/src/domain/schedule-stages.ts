/** Conducting: from where the stages of an attempt stand, which are to be asked for now, and whether the video is whole. */
import type { Inputs, Limits, Need, Stage } from './stage.ts';
import { hasEnded, nextRequest, type StageRequest, type StageStatus } from './stage-status.ts';
import { stages as allStages } from './stages.ts';
import { after } from './video.ts';

export type Schedule = {
  /** What is to be asked for: stages whose needs are met, and ended ones whose inputs are of a later edition now. */
  readonly requests: readonly StageRequest[];
  /** Everything that the video cannot do without is complete, and nothing is awaited any more. */
  readonly whole: boolean;
  /** Until when the video waits for stages that it can do without; null when it does not. */
  readonly awaitedUntil: Date | null;
};

type Deps = {
  readonly list: readonly Stage[];
  readonly statuses: ReadonlyMap<string, StageStatus>;
  readonly inputs: Inputs;
  readonly around: Around;
};

type Around = Limits & { readonly now: Date; readonly list?: readonly Stage[] };

/**
 * @param statuses the stages of the current attempt
 * @param around the time, the limits, and the stages there are; tests pass other lists
 */
export function scheduleStages(statuses: readonly StageStatus[], inputs: Inputs, around: Around): Schedule {
  const { list = allStages } = around;
  const hall: Deps = { list, statuses: new Map(statuses.map((status) => [status.stage, status])), inputs, around };
  const requests = list.flatMap((stage) => askingOf(stage, hall) ?? []);
  if (blockingDoneAt(hall) === null) return { requests, whole: false, awaitedUntil: null };
  const awaited = list.filter((stage) => !stage.blocksReady && !isSettled(stage, hall));
  // The nearest end counts, not the last: it may be what another stage is waiting for.
  const ends = awaited.flatMap((stage) => awaitedUntil(stage, hall) ?? []).toSorted((a, b) => Number(a) - Number(b));
  return { requests, whole: awaited.length === 0, awaitedUntil: ends[0] ?? null };
}

/** What is to be asked of a stage now; undefined: nothing. A closed one was closed for good. */
function askingOf(stage: Stage, hall: Deps): StageRequest | undefined {
  const status = hall.statuses.get(stage.name);
  const asking = nextRequest(stage, status, hall.inputs);
  if (status === undefined) return stage.needs.every((need) => isMet(need, hall)) ? asking : undefined;
  const ended = status.state === 'completed' || status.state === 'failed';
  return ended && asking.inputsRevision > status.inputsRevision ? asking : undefined;
}

function isMet(need: Need, hall: Deps): boolean {
  const status = hall.statuses.get(need.stage);
  if (need.reached === 'completed') return status?.state === 'completed';
  if (need.reached !== 'settled') return status?.reached.includes(need.reached) ?? false;
  const stage = hall.list.find((candidate) => candidate.name === need.stage);
  return stage === undefined || isSettled(stage, hall);
}

/** When the last stage that the video cannot do without was completed; null before. */
function blockingDoneAt({ list, statuses }: Deps): Date | null {
  const blocking = list.filter((stage) => stage.blocksReady).map((stage) => statuses.get(stage.name));
  const ends = blocking.map((status) => (status?.state === 'completed' ? status.finishedAt : null));
  if (ends.some((end) => end === null)) return null;
  return new Date(Math.max(...ends.map((end) => end?.getTime() ?? 0)));
}

/** Until when the video waits for this stage; null as long as that cannot be said. */
function awaitedUntil(stage: Stage, hall: Deps): Date | null {
  const doneAt = blockingDoneAt(hall);
  return doneAt && after(doneAt, stage.awaitedMs?.(hall.inputs.durationMs, hall.around) ?? 0);
}

function isSettled(stage: Stage, hall: Deps): boolean {
  const status = hall.statuses.get(stage.name);
  if (status && hasEnded(status)) return true;
  const until = stage.blocksReady ? null : awaitedUntil(stage, hall);
  return until !== null && until <= hall.around.now;
}
