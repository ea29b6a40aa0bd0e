/** Dependencies of the stage's jobs. */
import type { Pool } from '@vds/chassis/database/database';
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Objects } from '@vds/chassis/objects/objects';
import type { StageJob, StageLimits } from '@vds/chassis/stage/define-stage';
import type { stageEvents } from '@vds/proto/events';
import type { Description } from '../domain/model.ts';
import type { MetadataMetrics } from '../outbound/metrics.ts';
import type { Tools } from '../outbound/tools.ts';

export type MetadataJob =
  /** Analyzes one span of a video's pictures and sound. */
  | { readonly kind: 'analyze'; readonly span: number }
  /** Writes the document of a revision from all analyses. */
  | { readonly kind: 'document' };
export type MetadataStageJob<Kind extends MetadataJob['kind']> = StageJob<
  MetadataJob,
  typeof stageEvents.metadata,
  Kind
>;

export type Deps = StageLimits & {
  readonly pool: Pool;
  readonly media: Objects;
  readonly captions: Objects;
  readonly tools: Tools;
  readonly log: Logger;
  readonly metrics: MetadataMetrics;
  /** Undefined: there is no engine, and documents have no vectors. */
  readonly embedder: Embedder | undefined;
  readonly describe: (videoId: string) => Promise<Description>;
  readonly scratchDir: string;
  readonly readingsPerMinute: number;
};
