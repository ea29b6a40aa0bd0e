/** What a purge removes: the media bucket's objects of a video, and the rows behind them. */
import type { Objects } from '@vds/chassis/objects/objects';
import type { PurgeDefinition } from '@vds/chassis/stage/purge';
import { events } from '@vds/proto/events';
import { findWinners } from './encode-rows.ts';

export function purgeOf(objects: Objects): PurgeDefinition {
  return { event: events.transcodeVideoPurged, objects, findWinners, tables: ['plans', 'job_results', 'ladders'] };
}
