/** Where the stages of an attempt stand, what they have made, and how one is asked for once more. */
import type { Inputs, Stage } from './stage.ts';
import { stages } from './stages.ts';

/** Where a stage of one attempt stands. */
export type StageState = 'requested' | 'started' | 'completed' | 'failed' | 'closed';

export type StageStatus = {
  readonly stage: string;
  readonly attempt: number;
  /** Which asking within the attempt this is: 0 the first. */
  readonly revision: number;
  /** The edition of its inputs that it was asked with. */
  readonly inputsRevision: number;
  readonly state: StageState;
  /** 0 to 100, of this stage alone. */
  readonly progress: number;
  readonly requestedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Its deadline, once started. */
  readonly dueAt: Date | null;
  /** Milestones that its owner has told. */
  readonly reached: readonly string[];
  /** What it made, as its owner's facts said. */
  readonly outputs: Outputs;
};

/** What stages hand on to later ones and to the video. */
export type Outputs = {
  readonly sourceKey?: string;
  readonly sourceBytes?: number;
  readonly digest?: string;
  readonly durationMs?: number;
  readonly hasAudio?: boolean;
  readonly audioPlaylistKey?: string;
  readonly ladderKey?: string;
  readonly thumbnailKey?: string;
};

/** One asking of a stage. */
export type StageRequest = Pick<StageStatus, 'stage' | 'revision' | 'inputsRevision'>;

/** Whether the stage has ended, now or before it was asked for once more. */
export function hasEnded(status: Pick<StageStatus, 'state' | 'revision'>): boolean {
  return !isOpen(status) || status.revision > 0;
}

export function isOpen(status: Pick<StageStatus, 'state'>): boolean {
  return status.state === 'requested' || status.state === 'started';
}

/** The next asking of a stage, with the inputs as they are now. */
export function nextRequest(stage: Stage, status: StageStatus | undefined, inputs: Inputs): StageRequest {
  return {
    stage: stage.name,
    revision: status === undefined ? 0 : status.revision + 1,
    inputsRevision: stage.inputsRevision?.(inputs) ?? 0,
  };
}

/** An ended stage as it is when it has been asked for once more. What it told on the way stays true. */
export function reopened(status: StageStatus, asking: StageRequest, now: Date): StageStatus {
  return {
    ...status,
    ...asking,
    state: 'requested',
    progress: 0,
    requestedAt: now,
    startedAt: null,
    finishedAt: null,
    dueAt: null,
  };
}

/** The stages with `status` in the place of its former self. */
export function replaced(statuses: readonly StageStatus[], status: StageStatus): readonly StageStatus[] {
  return statuses.map((other) => (other.stage === status.stage ? status : other));
}

/** Everything that the stages of one attempt have made; where two say the same thing, the later stage of the list counts. */
export function outputsOf(statuses: readonly StageStatus[], list: readonly Stage[] = stages): Outputs {
  return Object.assign(
    {},
    ...list.map((stage) => statuses.find((status) => status.stage === stage.name)?.outputs),
  ) as Outputs;
}
