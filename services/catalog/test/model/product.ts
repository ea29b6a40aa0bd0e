/** The subject of the model: production's decisions, and the rules of the other services. Mutants have others. */
import { decideStageEvent, decideTime } from '../../src/domain/stage-events.ts';
import { decideCommand } from '../../src/domain/plan.ts';
import type { Message, PurgeRequest, World, Written } from './world.ts';

export type Product = {
  readonly decideCommand: typeof decideCommand;
  readonly decideStageEvent: typeof decideStageEvent;
  readonly decideTime: typeof decideTime;
  /** The index after a write (outbound/documents.ts of indexer: external versions). */
  readonly written: (index: Written, write: Written) => Written;
  /** Whether a purge removes the objects of an attempt (`ofPurgedAttempts` of the chassis). */
  readonly removes: (purge: Pick<PurgeRequest, 'scope' | 'keep'>, attempt: number) => boolean;
  /** Republished messages (outbound/republish.ts). */
  readonly republished: (due: readonly Message[]) => readonly Message[];
  /** Whether a request is accepted (outbound/stages.ts of transcode: not once there is a tombstone). */
  readonly accepts: (world: World) => boolean;
  /** Whether a purge sweeps once more, after the longest lease. */
  readonly sweepsAgain: boolean;
};

export const production: Product = {
  decideCommand,
  decideStageEvent,
  decideTime,
  written: (index, write) => (write.version > index.version ? write : index),
  removes: ({ scope, keep }, attempt) => scope === 'VIDEO' || attempt < keep,
  republished: (due) => due,
  accepts: ({ tombstone }) => !tombstone,
  sweepsAgain: true,
};
