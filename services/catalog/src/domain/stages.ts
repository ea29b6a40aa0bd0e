/**
 * What each stage of proto/stages.ts needs, and whether the video waits for it; and the statuses of an attempt's stages.
 * How long a stage may take is up to its owner.
 */
import { stageNames, stages as table, type StageName } from '@vds/proto/stages';

/** One stage of the pipeline. */
export type Stage = {
  readonly name: string;
  /** The service that runs it. */
  readonly owner: string;
  readonly needs: readonly Need[];
  /** True: the video fails with this stage. False: the video becomes ready without it. */
  readonly blocksReady: boolean;
  /**
   * Of a stage that does not block: how long after the last blocking stage the video waits for it, in milliseconds.
   * Left out: not at all. A stage that has ended once is not awaited again.
   */
  readonly awaitedMs?: (durationMs: number | null, limits: Limits) => number;
  /**
   * Of a stage that does not block: the revision of its inputs. When it rises after the stage has ended, the stage is
   * requested again. Left out: its inputs never change.
   */
  readonly inputsRevision?: (inputs: Inputs) => number;
  /** Share of the overall progress, relative to the other stages. */
  readonly weight: number;
};

/**
 * What another stage must have reached: `completed`, a milestone that its owner publishes on the way (`head`, `audio`) and
 * that completion implies, or `settled`: completed, failed, or no longer awaited.
 */
export type Need = { readonly stage: string; readonly reached: string };

/** Inputs of stages besides other stages' outputs. */
export type Inputs = {
  readonly durationMs: number | null;
  /** Rises when the transcript's text changed; 0 while there is none. */
  readonly transcriptRevision: number;
};

/** Longest times, in milliseconds; settings. */
export type Limits = {
  /** A video waits at least this long after its ladder for stages that do not block; longer ones a quarter of their duration. */
  readonly minAwaitMs: number;
};

/** The status of a stage in one attempt. */
export type StageStatus = {
  readonly stage: string;
  readonly attempt: number;
  /** Number of its request within the attempt: 0 the first. */
  readonly revision: number;
  /** Revision of the inputs that it was requested with. */
  readonly inputsRevision: number;
  readonly state: 'requested' | 'started' | 'completed' | 'failed' | 'closed';
  /** 0 to 100, of only this stage. */
  readonly progress: number;
  readonly requestedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Milestones that its owner has published. */
  readonly reached: readonly string[];
  /** Its outputs, by its owner's events. */
  readonly outputs: Outputs;
  /** The failure code with which a try ended that is repeated; null: it goes on. */
  readonly waiting: string | null;
};

/**
 * Outputs of stages for later ones and for the video, by the names that they have in their owners' events. `storedBytes`:
 * of everything that viewers may load.
 */
export type Outputs = {
  readonly sourceKey?: string;
  readonly sourceBytes?: number;
  readonly digest?: string;
  readonly durationMs?: number;
  readonly hasAudio?: boolean;
  readonly audioPlaylistKey?: string;
  readonly textsKey?: string;
  readonly textLanguages?: readonly string[];
  readonly ladderKey?: string;
  readonly thumbnailKey?: string;
  readonly storedBytes?: number;
};

const outputNames: Readonly<Record<keyof Outputs, true>> = {
  ...{ sourceKey: true, sourceBytes: true, digest: true, durationMs: true, hasAudio: true, audioPlaylistKey: true },
  ...{ textsKey: true, textLanguages: true },
  ...{ ladderKey: true, thumbnailKey: true, storedBytes: true },
};

/** The outputs among the fields of an event; those that it lacks are left out. */
export function outputsIn(message: Outputs & { readonly videoId: string }): Outputs {
  return Object.fromEntries(
    Object.entries(message).filter(([name, value]) => name in outputNames && value !== undefined),
  );
}

/** One request to a stage. */
export type StageRequest = Pick<StageStatus, 'stage' | 'revision' | 'inputsRevision'>;

const rows: Readonly<Record<StageName, Omit<Stage, 'name' | 'owner'>>> = {
  fetch: {
    needs: [],
    blocksReady: true,
    weight: 15,
  },
  inspect: {
    needs: [{ stage: 'fetch', reached: 'completed' }],
    blocksReady: true,
    weight: 5,
  },
  encode: {
    // By a provisional plan; its owner ends it only when `inspect` has confirmed that.
    needs: [{ stage: 'fetch', reached: 'head' }],
    blocksReady: true,
    weight: 60,
  },
  captions: {
    needs: [{ stage: 'encode', reached: 'audio' }],
    blocksReady: false,
    // The rest of the time is for metadata, which reads the transcript.
    awaitedMs: (durationMs, limits) => 0.75 * awaitedMs(durationMs, limits),
    weight: 12,
  },
  metadata: {
    needs: [
      { stage: 'encode', reached: 'completed' },
      { stage: 'captions', reached: 'settled' },
    ],
    blocksReady: false,
    awaitedMs,
    inputsRevision: ({ transcriptRevision }) => transcriptRevision,
    weight: 8,
  },
};

/** In the order of the pipeline. */
export const stages: readonly Stage[] = stageNames.map((name) => ({ name, owner: table[name].owner, ...rows[name] }));

/** The service that keeps the partner's file. */
export const sourceOwner = table.fetch.owner;

/** Whether the stage has ended, now or before it was requested again. */
export function hasEnded(status: Pick<StageStatus, 'state' | 'revision'>): boolean {
  return !isOpen(status) || status.revision > 0;
}

export function isOpen(status: Pick<StageStatus, 'state'>): boolean {
  return status.state === 'requested' || status.state === 'started';
}

/** The next request to a stage, with the inputs as they are now. */
export function nextRequest(stage: Stage, status: StageStatus | undefined, inputs: Inputs): StageRequest {
  return {
    stage: stage.name,
    revision: status === undefined ? 0 : status.revision + 1,
    inputsRevision: stage.inputsRevision?.(inputs) ?? 0,
  };
}

/** An ended stage after it was requested again. Its milestones and outputs stay. */
export function reopened(status: StageStatus, request: StageRequest, now: Date): StageStatus {
  return {
    ...status,
    ...request,
    state: 'requested',
    progress: 0,
    requestedAt: now,
    startedAt: null,
    finishedAt: null,
    waiting: null,
  };
}

/** The stages with `status` in the place of its predecessor. */
export function replaced(statuses: readonly StageStatus[], status: StageStatus): readonly StageStatus[] {
  return statuses.map((other) => (other.stage === status.stage ? status : other));
}

/** All outputs of the stages of one attempt; if two stages have the same one, that of the later stage in the list. */
export function outputsOf(statuses: readonly StageStatus[], list: readonly Stage[] = stages): Outputs {
  return Object.assign(
    {},
    ...list.map((stage) => statuses.find((status) => status.stage === stage.name)?.outputs),
  ) as Outputs;
}

type Progress = Pick<StageStatus, 'stage' | 'state' | 'progress' | 'revision'>;

/**
 * Progress of a video that is processing, 0 to 99, from the stages of one attempt; whole numbers, rounded down. It is 100
 * only once the video is no longer processing.
 */
export function overallProgress(statuses: readonly Progress[], list: readonly Stage[] = stages): number {
  const total = list.reduce((sum, stage) => sum + stage.weight, 0);
  const done = list.reduce((sum, stage) => {
    const status = statuses.find((candidate) => candidate.stage === stage.name);
    return sum + stage.weight * percentOf(stage, status);
  }, 0);
  return total === 0 ? 0 : Math.min(99, Math.floor(done / total));
}

/** 0 to 100 of one stage. A stage that does not block counts as complete once it has ended, however it ended. */
function percentOf(stage: Stage, status: Progress | undefined): number {
  if (status === undefined) return 0;
  if (status.state === 'completed' || (!stage.blocksReady && hasEnded(status))) return 100;
  return Math.min(99, Math.max(0, status.progress));
}

function awaitedMs(durationMs: number | null, { minAwaitMs }: Limits): number {
  return Math.max(minAwaitMs, (durationMs ?? 0) / 4);
}
