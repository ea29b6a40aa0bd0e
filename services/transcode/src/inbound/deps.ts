/** Dependencies of the jobs of all stages. */
import type { Pool } from '@vds/chassis/database/database';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Objects } from '@vds/chassis/objects/objects';
import type { StageJob, StageLimits } from '@vds/chassis/stage/define-stage';
import type { stageEvents } from '@vds/proto/events';
import type { Effort } from '../domain/plan/effort.ts';
import type { EncodeJob } from '../domain/plan/encode-jobs.ts';
import type { PlanRules } from '../domain/plan/encode-plan.ts';
import type { Machine } from '../domain/plan/work-estimate.ts';
import type { Limits } from '../domain/source/policy.ts';
import type { MediaTools } from '../outbound/media-tools.ts';

export type Deps = StageLimits & {
  readonly pool: Pool;
  readonly sources: Objects;
  readonly media: Objects;
  readonly tools: MediaTools;
  readonly log: Logger;
  readonly scratchDir: string;
  readonly limits: Limits;
  readonly planRules: PlanRules;
  readonly effort: Effort;
  readonly machine: Machine;
  /** Counts videos whose pieces could not be joined. */
  readonly encodedAsOne: { readonly inc: () => void };
};

/** A claimed job of the encode stage. */
export type EncodeStageJob<Kind extends EncodeJob['kind'] = EncodeJob['kind']> = StageJob<
  EncodeJob,
  typeof stageEvents.encode,
  Kind
>;
