/** Dependencies of the stage's jobs. */
import type { Pool } from '@vds/chassis/database/database';
import type { FailedJob, StageHandle, StageJob, StageLimits } from '@vds/chassis/stage/define-stage';
import type { VideosInUse } from '@vds/chassis/stage/videos-in-use';
import type { stageEvents } from '@vds/proto/events';
import type { QueuedJob } from '../domain/queued-jobs.ts';
import type { PortDeps } from '../outbound/job-ports.ts';
import type { CaptionsMetrics } from '../outbound/metrics.ts';

export type Deps = StageLimits &
  PortDeps & {
    readonly pool: Pool;
    /** What catalog uses of videos. */
    readonly inUse: Pick<VideosInUse, 'of'>;
    /** The operator's list, BCP 47. */
    readonly targets: readonly string[];
    /** A category whose captions name sounds; `all`, or `none`. */
    readonly soundCues: string;
    readonly metrics: CaptionsMetrics;
    readonly scratchDir: string;
    /** Length of what is transcribed at a time. */
    readonly chunkMs: number;
    /** When files of lost tries and replaced tracks are removed. */
    readonly garbageAfterMs: number;
  };

type Events = typeof stageEvents.captions;
type Kind = QueuedJob['kind'];

export type Stage = StageHandle<QueuedJob, Events>;
export type CaptionsStageJob<K extends Kind = Kind> = StageJob<QueuedJob, Events, K>;
export type FailedCaptionsJob<K extends Kind> = FailedJob<QueuedJob, Events, K>;
