/**
 * THE table of stages: who runs each, and the milestones that its owner publishes on the way, each with its event.
 * Events, catalog's requests and handlers, and the confirmations of purges derive from it (events.ts). What a stage needs
 * and what waits for it is catalog's: services/catalog/src/domain/stages.ts.
 *
 * The messages of a stage `grade` of `lens` are `GradeRequested` and `GradeCompleted` of proto/vds/lens/v1/lens_events.proto.
 */
export type StageRow = {
  readonly owner: string;
  /** Milestone → its event: `headStored` is `<owner>.head.stored.v1` with the message `HeadStored` of its owner. */
  readonly milestones: Readonly<Record<string, string>>;
};

/** In the order of the pipeline. */
export const stages = {
  fetch: { owner: 'ingest', milestones: { head: 'headStored' } },
  inspect: { owner: 'transcode', milestones: {} },
  encode: { owner: 'transcode', milestones: { audio: 'audioCompleted' } },
  captions: { owner: 'captions', milestones: {} },
  metadata: { owner: 'metadata', milestones: {} },
} as const satisfies Readonly<Record<string, StageRow>>;

export type StageName = keyof typeof stages;
export type StageOwner<S extends StageName = StageName> = (typeof stages)[S]['owner'];

export const stageNames = Object.keys(stages) as StageName[];

/** The services that run stages. */
export const stageOwners: readonly string[] = [...new Set(stageNames.map((name) => stages[name].owner))];

/** A service that keeps data of a video, and confirms its purge. */
export type PurgeOwner = StageOwner | 'indexer';
export const purgeOwners: readonly string[] = [...stageOwners, 'indexer' satisfies PurgeOwner];
