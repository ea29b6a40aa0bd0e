/** What a purge removes: the sources of a video, and the rows of their fetches. */
import type { Executor } from '@vds/chassis/database/database';
import type { Objects } from '@vds/chassis/objects/objects';
import type { Purge, PurgeDefinition } from '@vds/chassis/stage/purge';
import { attemptStates, type StageState } from '@vds/chassis/stage/stage-rows';
import { events } from '@vds/proto/events';

export function purgeOf(objects: Objects): PurgeDefinition {
  return { event: events.ingestVideoPurged, objects, alsoRemoves: sourcesToRemove, tables: ['fetches'] };
}

async function sourcesToRemove(purge: Purge, client: Executor) {
  const { videoId, keepAttempt } = purge;
  const states = await attemptStates(client, 'fetch', videoId);
  const text = 'SELECT upload_key FROM fetches WHERE video_id = $1 AND attempt = $2';
  const { rows } = await client.query<{ upload_key: string | null }>(text, [videoId, keepAttempt]);
  return staleSources(purge, states, rows[0]?.upload_key ?? undefined);
}

/**
 * Returns the test for a source that a later one has replaced. An attempt that is being fetched is spared.
 * @param keptKey the upload of the attempt to keep
 */
export function staleSources(
  { scope, keepAttempt, upTo }: Purge,
  states: ReadonlyMap<number, StageState>,
  keptKey: string | undefined,
) {
  return (key: string, attempt: number): boolean => {
    if (scope === 'PURGE_SCOPE_SOURCE')
      return attempt <= upTo && (keepAttempt === 0 || attempt < keepAttempt) && states.get(attempt) !== 'open';
    // Of the attempt to keep: uploads of other tries.
    return attempt === keepAttempt && states.get(attempt) === 'completed' && keptKey !== undefined && key !== keptKey;
  };
}
