/**
 * THE list of stages: who runs each, what it waits for, whether the video waits for it, and how long it may take.
 * A new stage enters by a row here, a row in outbound/messages.ts and its facts in inbound/events.ts.
 */
export type Stage = {
  readonly name: string;
  /** The service that runs it. */
  readonly owner: string;
  readonly needs: readonly Need[];
  /** True: no stage, no video; its failure is the video's. False: it never fails the video. */
  readonly blocksReady: boolean;
  /** Longest time from `started` to the last fact, in milliseconds; past it the stage has failed. */
  readonly deadlineMs: (durationMs: number | null, limits: Limits) => number;
  /**
   * Of a stage that does not block: how long after the last blocking stage the video waits for it, in milliseconds.
   * Left out: not at all. A stage that has ended once is not awaited again.
   */
  readonly awaitedMs?: (durationMs: number | null, limits: Limits) => number;
  /**
   * Of a stage that does not block: which edition of its inputs there is. When it rises after the stage has ended, the
   * stage is asked for once more. Left out: what it is asked with never changes.
   */
  readonly inputsRevision?: (inputs: Inputs) => number;
  /** Share of the overall progress, relative to the other stages. */
  readonly weight: number;
};

/**
 * Something another stage must have reached: `completed`, a milestone that its owner says on the way (`audio`), or
 * `settled`: completed, failed, or no longer awaited.
 */
export type Need = { readonly stage: string; readonly reached: string };

/** What stages are asked with, beside what other stages made. */
export type Inputs = {
  readonly durationMs: number | null;
  /** Rises when the transcript's text changed; 0 while there is none. */
  readonly transcriptRevision: number;
};

/** Longest times, in milliseconds; settings. */
export type Limits = {
  readonly fetchDeadlineMs: number;
  readonly inspectDeadlineMs: number;
  /** At least this for the pictures, whatever the duration. */
  readonly encodeDeadlineMs: number;
  /** Added for putting the pieces together. */
  readonly assembleDeadlineMs: number;
  /** At least this for captions and for metadata, whatever the duration. */
  readonly captionsDeadlineMs: number;
  readonly metadataDeadlineMs: number;
  /** A video waits at least this long after its ladder for what it can do without; longer titles a quarter of their duration. */
  readonly awaitLeastMs: number;
};

const awaitedMs = (durationMs: number | null, { awaitLeastMs }: Limits): number =>
  Math.max(awaitLeastMs, (durationMs ?? 0) / 4);

export const stages: readonly Stage[] = [
  {
    name: 'fetch',
    owner: 'ingest',
    needs: [],
    blocksReady: true,
    deadlineMs: (_durationMs, limits) => limits.fetchDeadlineMs,
    weight: 15,
  },
  {
    name: 'inspect',
    owner: 'transcode',
    needs: [{ stage: 'fetch', reached: 'completed' }],
    blocksReady: true,
    deadlineMs: (_durationMs, limits) => limits.inspectDeadlineMs,
    weight: 5,
  },
  {
    name: 'encode',
    owner: 'transcode',
    needs: [{ stage: 'inspect', reached: 'completed' }],
    blocksReady: true,
    deadlineMs: (durationMs, limits) =>
      Math.max(limits.encodeDeadlineMs, 8 * (durationMs ?? 0)) + limits.assembleDeadlineMs,
    weight: 60,
  },
  {
    name: 'captions',
    owner: 'captions',
    needs: [{ stage: 'encode', reached: 'audio' }],
    blocksReady: false,
    deadlineMs: (durationMs, limits) => Math.max(limits.captionsDeadlineMs, 4 * (durationMs ?? 0)),
    // The rest of the time is for metadata, which reads the transcript.
    awaitedMs: (durationMs, limits) => 0.75 * awaitedMs(durationMs, limits),
    weight: 12,
  },
  {
    name: 'metadata',
    owner: 'metadata',
    needs: [
      { stage: 'encode', reached: 'completed' },
      { stage: 'captions', reached: 'settled' },
    ],
    blocksReady: false,
    deadlineMs: (durationMs, limits) => Math.max(limits.metadataDeadlineMs, 2 * (durationMs ?? 0)),
    awaitedMs,
    inputsRevision: ({ transcriptRevision }) => transcriptRevision,
    weight: 8,
  },
];

/** Every service that keeps what its stages made, attempt by attempt. */
export const stageOwners: readonly string[] = [...new Set(stages.map((stage) => stage.owner))];

/** Every service that keeps something of a video. */
export const owners: readonly string[] = [...stageOwners, 'indexer'];

/** Who keeps the partner's file. */
export const sourceOwner = 'ingest';

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

export const isOpen = (status: Pick<StageStatus, 'state'>): boolean =>
  status.state === 'requested' || status.state === 'started';

/** Whether the stage has ended, now or before it was asked for once more. */
export const hasEnded = (status: Pick<StageStatus, 'state' | 'revision'>): boolean =>
  !isOpen(status) || status.revision > 0;

/** One asking of a stage. */
export type Asking = Pick<StageStatus, 'stage' | 'revision' | 'inputsRevision'>;

/** The next asking of a stage, with the inputs as they are now. */
export const nextAsking = (stage: Stage, status: StageStatus | undefined, inputs: Inputs): Asking => ({
  stage: stage.name,
  revision: status === undefined ? 0 : status.revision + 1,
  inputsRevision: stage.inputsRevision?.(inputs) ?? 0,
});

/** An ended stage as it is when it has been asked for once more. What it told on the way stays true. */
export const reopened = (status: StageStatus, asking: Asking, now: Date): StageStatus => ({
  ...status,
  ...asking,
  state: 'requested',
  progress: 0,
  requestedAt: now,
  startedAt: null,
  finishedAt: null,
  dueAt: null,
});

/** The stages with `status` in the place of its former self. */
export const replaced = (stages: readonly StageStatus[], status: StageStatus): readonly StageStatus[] =>
  stages.map((other) => (other.stage === status.stage ? status : other));

/** Everything that the stages of one attempt have made; where two say the same thing, the later stage of the list counts. */
export const outputsOf = (statuses: readonly StageStatus[], list: readonly Stage[] = stages): Outputs =>
  Object.assign({}, ...list.map((stage) => statuses.find((status) => status.stage === stage.name)?.outputs)) as Outputs;
