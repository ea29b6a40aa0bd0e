/** What a purge removes: the media bucket's objects of a video, and the rows behind them. */
import type { Objects } from '@vds/chassis/objects/objects';
import type { Purge, PurgeDefinition } from '@vds/chassis/stage/purge';
import { events } from '@vds/proto/events';
import { videoPrefix } from '../domain/hls/object-keys.ts';
import { purgedKeys } from '../domain/purge-scope.ts';

export function purgeOf(media: Objects): PurgeDefinition {
  return {
    event: events.transcodeVideoPurged,
    store: { objects: media, prefix: videoPrefix, matches: (purge: Purge) => purgedKeys(purge) },
    tables: ['plans', 'job_results', 'ladders'],
  };
}
