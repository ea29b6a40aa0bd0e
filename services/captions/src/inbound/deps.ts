/** What all queues and handlers of this process share. */
import type { Pool } from '@vds/chassis/database/database';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Objects } from '@vds/chassis/objects/objects';
import type { StageKey, Stages } from '@vds/chassis/stage/stages';
import type { CaptionJob, CaptionRequest } from '../domain/caption-job.ts';
import type { TrackState } from '../domain/track.ts';
import type { Coverage } from '../outbound/coverage.ts';
import type { SpeechEngine } from '../outbound/engines/speech-engine.ts';
import type { TranslationEngine } from '../outbound/engines/translation-engine.ts';
import type { CaptionsMetrics } from '../outbound/metrics.ts';
import type { SoundTools } from '../outbound/sound.ts';

export type Deps = {
  readonly pool: Pool;
  readonly media: Objects;
  readonly captions: Objects;
  readonly stages: Stages<CaptionRequest, TrackState>;
  readonly hear: SpeechEngine['hear'];
  readonly translate: TranslationEngine['translate'];
  readonly coverage: Coverage;
  /** The operator's list, BCP 47. */
  readonly targets: readonly string[];
  readonly sound: SoundTools;
  readonly meters: CaptionsMetrics;
  readonly log: Logger;
  /** Something was committed: look at the outbox and for work. */
  readonly wake: () => void;
  readonly scratchDir: string;
  /** Length of what is heard at a time. */
  readonly pieceMs: number;
  /** When what lost tries and replaced tracks left is removed. */
  readonly tidyAfterMs: number;
};

export function stageOf({ videoId, attempt, stageRevision }: CaptionJob): StageKey {
  return {
    groupKey: videoId,
    attempt,
    revision: stageRevision,
  };
}
