/** What the conductor knows of a stage: a row of the list in stages.ts. */
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
