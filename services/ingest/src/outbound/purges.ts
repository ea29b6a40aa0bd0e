/** Purges as units of work. They are a group of their own, so that cancelling a video's fetches leaves its purges alone. */
import { events } from '@vds/proto/events';
import type { Executor } from '@vds/chassis/database/database';
import { addToOutbox, outgoing } from '@vds/chassis/database/outbox';
import { addTombstone } from '@vds/chassis/stage/tombstones';
import { enqueue } from '@vds/chassis/work/work';
import type { Purge } from '../domain/purge-scope.ts';
import { cancelFetches } from './fetches.ts';

export type PurgeUnit = Purge & {
  readonly videoId: string;
  /** Id of the request to answer; absent for the second run, of which nobody asked. */
  readonly request?: string;
};

/** Writes down what is to be removed and stops what would go on making it. */
export async function requestPurge(
  client: Executor,
  { videoId, scope, keepAttempt }: Pick<PurgeUnit, 'videoId' | 'scope' | 'keepAttempt'>,
  request: string,
): Promise<void> {
  if (scope === 'PURGE_SCOPE_VIDEO') {
    await addTombstone(client, videoId);
    await cancelFetches(client, videoId);
  }
  if (scope === 'PURGE_SCOPE_OTHER_ATTEMPTS') await cancelFetches(client, videoId, keepAttempt);
  const newest = 'SELECT coalesce(max(attempt), 0) AS "upTo" FROM fetches WHERE video_id = $1';
  const { rows } = await client.query<{ upTo: number }>(newest, [videoId]);
  await addUnit(client, { videoId, scope, keepAttempt, upTo: rows[0]?.upTo ?? 0, request }, 0);
}

/** Adds the unit, unless it is waiting or running; one that has ended is done once more. */
async function addUnit(client: Executor, unit: PurgeUnit, delayMs: number): Promise<void> {
  const groupKey = groupOf(unit.videoId);
  await client.query(
    `DELETE FROM chassis.work WHERE queue = 'purge' AND group_key = $1 AND attempt = $2 AND unit = $3
     AND state NOT IN ('ready', 'running')`,
    [groupKey, unit.keepAttempt, unitOf(unit)],
  );
  const row = { queue: 'purge', groupKey, attempt: unit.keepAttempt, unit: unitOf(unit), payload: unit, delayMs };
  await enqueue(client, [row]);
}

function groupOf(videoId: string): string {
  return `purge/${videoId}`;
}

function unitOf({ scope, keepAttempt, request }: PurgeUnit): string {
  return `${scope}.${keepAttempt}${request === undefined ? '.again' : ''}`;
}

/** The second run, for what a worker that was on its way has written after the first. */
export function finalSweep(client: Executor, { videoId, scope, keepAttempt, upTo }: PurgeUnit, delayMs: number) {
  return addUnit(client, { videoId, scope, keepAttempt, upTo }, delayMs);
}

/** Says that nothing is left. */
export function publishPurged(client: Executor, { videoId, scope, keepAttempt, request }: PurgeUnit): Promise<void> {
  const messageId = `purged-${videoId}-${scope}-${keepAttempt}-${request}`;
  return addToOutbox(client, [outgoing(events.ingestVideoPurged, { videoId, scope, keepAttempt }, messageId)]);
}
