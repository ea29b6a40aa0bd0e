/** What a purge removes: the sources of a video, and the rows of their fetches. */
import { getDocument } from '@vds/chassis/objects/documents';
import type { Objects } from '@vds/chassis/objects/objects';
import type { PurgeDefinition } from '@vds/chassis/stage/purge';
import { partKey, partsOf, sourceManifest } from '@vds/proto/documents/source';
import { events } from '@vds/proto/events';
import { findWinners, removeParts } from './fetch-rows.ts';

export function purgeOf(objects: Objects): PurgeDefinition {
  return {
    event: events.ingestVideoPurged,
    objects,
    findWinners,
    documentsInUse: ({ sourceKey }) => [sourceKey],
    removeSourceRows: ({ videoId, keepAttempt }, client) => removeParts(client, videoId, keepAttempt),
    tables: ['fetches'],
  };
}

/** Keys of a source: its manifest, and the parts that it names. */
export async function keysOfSource(objects: Pick<Objects, 'getBytes'>, key: string): Promise<string[]> {
  const manifest = await getDocument(objects, key, sourceManifest);
  const parts = partsOf(manifest, { from: 0, to: manifest.bytes });
  return [key, ...parts.map(({ number }) => partKey(key, number))];
}
