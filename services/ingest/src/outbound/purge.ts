/** What a purge removes: the sources of a video, and the rows of their fetches. */
import type { Executor } from '@vds/chassis/database/database';
import type { Objects } from '@vds/chassis/objects/objects';
import type { PurgeDefinition } from '@vds/chassis/stage/purge';
import { events } from '@vds/proto/events';
import { coveredBy, type KnownFetch } from '../domain/purge-scope.ts';
import { videoPrefix } from '../domain/source-layout.ts';

export function purgeOf(objects: Objects): PurgeDefinition {
  return {
    event: events.ingestVideoPurged,
    store: {
      objects,
      prefix: videoPrefix,
      matches: async (purge, client) => coveredBy(purge, await knownFetches(client, purge.videoId)),
    },
    tables: ['fetches'],
  };
}

async function knownFetches(client: Executor, videoId: string): Promise<KnownFetch[]> {
  const { rows } = await client.query<KnownFetch>(
    `SELECT attempt, state, upload_key AS "uploadKey" FROM chassis.stages LEFT JOIN fetches USING (video_id, attempt)
     WHERE stage = 'fetch' AND video_id = $1`,
    [videoId],
  );
  return rows;
}
