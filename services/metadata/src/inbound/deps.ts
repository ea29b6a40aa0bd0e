/** What all queues of this process share. */
import type { Pool } from '@vds/chassis/database/database';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Objects } from '@vds/chassis/objects/objects';
import type { Stages } from '@vds/chassis/stage/stages';
import type { Description } from '../domain/description.ts';
import type { Request } from '../domain/request.ts';
import type { MetadataMetrics } from '../outbound/metrics.ts';
import type { Done } from '../outbound/publisher.ts';
import type { Tools } from '../outbound/tools.ts';

export type Deps = {
  readonly pool: Pool;
  readonly media: Objects;
  readonly captions: Objects;
  readonly tools: Tools;
  readonly log: Logger;
  readonly meters: MetadataMetrics;
  readonly stages: Stages<Request, Done>;
  readonly describe: (videoId: string) => Promise<Description>;
  readonly scratchDir: string;
  readonly readingsPerMinute: number;
};
