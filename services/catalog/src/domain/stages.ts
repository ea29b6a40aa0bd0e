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
   * Left out: not at all.
   */
  readonly awaitedMs?: (durationMs: number | null) => number;
  /** Share of the overall progress, relative to the other stages. */
  readonly weight: number;
};

/**
 * Something another stage must have reached: `completed`, a milestone that its owner says on the way (`audio`), or
 * `settled`: completed, failed, or no longer awaited.
 */
export type Need = { readonly stage: string; readonly reached: string };

/** Longest times, in milliseconds; settings. */
export type Limits = {
  readonly fetchDeadlineMs: number;
  readonly inspectDeadlineMs: number;
  /** At least this for the pictures, whatever the duration. */
  readonly encodeDeadlineMs: number;
  /** Added for putting the pieces together. */
  readonly assembleDeadlineMs: number;
};

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
    weight: 80,
  },
];

/** Every service that keeps something of a video. */
export const owners: readonly string[] = [...new Set(stages.map((stage) => stage.owner))];

/** Who keeps the partner's file. */
export const sourceOwner = 'ingest';

/** Where a stage of one attempt stands. */
export type StageState = 'requested' | 'started' | 'completed' | 'failed' | 'closed';

export type StageStatus = {
  readonly stage: string;
  readonly attempt: number;
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

/** Everything that the stages of one attempt have made; where two say the same thing, the later stage of the list counts. */
export const outputsOf = (statuses: readonly StageStatus[], list: readonly Stage[] = stages): Outputs =>
  Object.assign({}, ...list.map((stage) => statuses.find((status) => status.stage === stage.name)?.outputs)) as Outputs;

/**
 * Progress of the whole, 0 to 100, from the stages of one attempt; whole numbers, rounded down, and 100 only when
 * every stage that the video cannot do without is complete.
 */
export const overallProgress = (
  statuses: readonly Pick<StageStatus, 'stage' | 'state' | 'progress'>[],
  list: readonly Stage[] = stages,
): number => {
  const blocking = list.filter((stage) => stage.blocksReady);
  const whole = blocking.reduce((sum, stage) => sum + stage.weight, 0);
  const done = blocking.reduce((sum, stage) => {
    const status = statuses.find((candidate) => candidate.stage === stage.name);
    const percent = status?.state === 'completed' ? 100 : Math.min(99, Math.max(0, status?.progress ?? 0));
    return sum + stage.weight * percent;
  }, 0);
  return whole === 0 ? 0 : Math.floor(done / whole);
};
