/** What a purge removes: the sources of a video, and the rows of their fetches. */
import type { Objects } from '@vds/chassis/objects/objects';
import type { PurgeDefinition } from '@vds/chassis/stage/purge';
import { events } from '@vds/proto/events';
import { findUploads, findWinners, removeParts } from './fetch-rows.ts';

export function purgeOf(objects: Objects): PurgeDefinition {
  return {
    event: events.ingestVideoPurged,
    objects,
    findWinners,
    documentsInUse: ({ sourceKey }) => [sourceKey],
    removeSourceRows: ({ videoId, keepAttempt }, client) => removeParts(client, videoId, keepAttempt),
    findUploads,
    tables: ['fetches'],
  };
}
