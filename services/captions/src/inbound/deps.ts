/** Dependencies of the stage's jobs. */
import type { Pool } from '@vds/chassis/database/database';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Objects } from '@vds/chassis/objects/objects';
import type { FailedJob, StageHandle, StageJob, StageLimits } from '@vds/chassis/stage/define-stage';
import type { VideosInUse } from '@vds/chassis/stage/videos-in-use';
import type { stageEvents } from '@vds/proto/events';
import type { QueuedJob } from '../domain/queued-jobs.ts';
import type { Coverage } from '../outbound/coverage.ts';
import type { SpeechEngine } from '../outbound/engines/speech-engine.ts';
import type { TranslationEngine } from '../outbound/engines/translation-engine.ts';
import type { CaptionsMetrics } from '../outbound/metrics.ts';
import type { SoundTools } from '../outbound/sound.ts';

export type Deps = StageLimits & {
  readonly pool: Pool;
  readonly media: Objects;
  readonly captions: Objects;
  /** What catalog uses of videos. */
  readonly inUse: Pick<VideosInUse, 'of'>;
  readonly speech: Pick<SpeechEngine, 'transcribe' | 'toEnglish'>;
  readonly translate: TranslationEngine['translate'];
  readonly coverage: Coverage;
  /** The operator's list, BCP 47. */
  readonly targets: readonly string[];
  readonly sound: SoundTools;
  readonly metrics: CaptionsMetrics;
  readonly log: Logger;
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
