/** What all queues of this process share. */
import type { Pool } from '@vds/chassis/database/database';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Objects } from '@vds/chassis/objects/objects';
import type { Effort } from '../domain/plan/encode-arguments.ts';
import type { PieceRules } from '../domain/plan/pieces.ts';
import type { Limits } from '../domain/source/policy.ts';
import type { MediaTools } from '../outbound/media-tools.ts';

export type Deps = {
  readonly pool: Pool;
  readonly sources: Objects;
  readonly media: Objects;
  readonly tools: MediaTools;
  readonly log: Logger;
  /** Something was committed: look at the outbox and for work. */
  readonly wake: () => void;
  readonly scratchDir: string;
  readonly limits: Limits;
  readonly pieceRules: PieceRules;
  readonly effort: Effort;
  /** Titles whose pieces could not be joined. */
  readonly encodedAsOne: { readonly inc: () => void };
};
