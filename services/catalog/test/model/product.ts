/** What is examined: production's decisions, and the rules that its neighbours keep. A naive house has others. */
import { decideStageEvent, decideTime } from '../../src/domain/stage-events.ts';
import { decideCommand } from '../../src/domain/plan.ts';
import type { Message, Removal, World, Written } from './world.ts';

export type Product = {
  readonly decideCommand: typeof decideCommand;
  readonly decideStageEvent: typeof decideStageEvent;
  readonly decideTime: typeof decideTime;
  /** The index as it is after a write (outbound/documents.ts of indexer: external versions). */
  readonly written: (index: Written, write: Written) => Written;
  /** Whether a removal takes the objects of an attempt (domain/purge-scope.ts of transcode). */
  readonly removes: (purge: Pick<Removal, 'scope' | 'keep'>, attempt: number) => boolean;
  /** What is said again for want of an answer (outbound/republish.ts). */
  readonly reminders: (due: readonly Message[]) => readonly Message[];
  /** Whether a request is taken up (outbound/stages.ts of transcode: not once there is a tombstone). */
  readonly takes: (world: World) => boolean;
  /** Whether a removal looks once more, after the longest lease. */
  readonly looksAgain: boolean;
};

export const production: Product = {
  decideCommand,
  decideStageEvent,
  decideTime,
  written: (index, write) => (write.version > index.version ? write : index),
  removes: ({ scope, keep }, attempt) => scope === 'VIDEO' || attempt < keep,
  reminders: (due) => due,
  takes: ({ tombstone }) => !tombstone,
  looksAgain: true,
};
