/** What a purge removes: the media bucket's objects of a video, and the rows behind them. */
import type { Objects } from '@vds/chassis/objects/objects';
import type { PurgeDefinition } from '@vds/chassis/stage/purge';
import { events } from '@vds/proto/events';
import { findWinners } from './encode-rows.ts';

/** @param namedBy reads the keys of all objects that a ladder names */
export function purgeOf(objects: Objects, namedBy: (key: string) => Promise<readonly string[]>): PurgeDefinition {
  return {
    event: events.transcodeVideoPurged,
    objects,
    findWinners,
    documentsInUse: ({ ladderKey }) => [ladderKey],
    namedBy,
    tables: ['plans', 'job_results', 'ladders'],
  };
}
