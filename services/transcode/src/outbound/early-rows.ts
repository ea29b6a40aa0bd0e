/**
 * What was begun of an attempt before its source was complete: a provisional plan, and results of pieces. It counts from
 * the moment on at which the complete source was inspected and led to the same plan; else it is discarded.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Executor, PoolClient } from '@vds/chassis/database/database';
import { endRow, lockRow, readRow } from '@vds/chassis/stage/stage-rows';
import { cancelStageJobs, listJobs } from '@vds/chassis/work/job-rows';
import type { EncodePlan } from '../domain/plan/encode-plan.ts';
import { findAnyPlan, removeResults, savePlan, type AttemptKey } from './encode-rows.ts';

const STAGE = 'early';

/** Saves the plan of a source that is not complete; false where there is a plan already. */
export async function saveEarlyPlan(
  client: PoolClient,
  { videoId, attempt }: AttemptKey,
  plan: EncodePlan,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO plans (video_id, attempt, plan, provisional) VALUES ($1, $2, $3, true) ON CONFLICT DO NOTHING`,
    [videoId, attempt, JSON.stringify(plan)],
  );
  return rowCount === 1;
}

/** Locks what was begun early until the transaction ends; false if nothing more of it may count. */
export async function lockEarly(client: PoolClient, key: AttemptKey): Promise<boolean> {
  await lockRow(client, STAGE, { ...key, revision: 0 });
  return (await readRow(client, STAGE, key))?.state === 'open';
}

/**
 * Saves the plan of a complete source. Keeps early results if object and plan match, otherwise discards them; either way
 * no further early job starts.
 * @returns whether early work was discarded
 */
export async function replaceEarlyPlan(
  client: PoolClient,
  key: AttemptKey,
  plan: EncodePlan,
  sourceKey: string,
): Promise<boolean> {
  await lockEarly(client, key);
  const row = await readRow<{ sourceKey: string }, never>(client, STAGE, key);
  const before = await findAnyPlan(client, key);
  const isEarly = before?.provisional === true;
  const isSame = isEarly && row?.request.sourceKey === sourceKey && makeSame(before.plan, plan);
  if (isSame) await cancelStageJobs(client, { ...key, stage: STAGE }, ['ready']);
  else await discardEarly(client, key);
  await savePlan(client, key, plan);
  return isEarly && !isSame;
}

/** Whether two plans make the same of every piece; where they were kept, and what partners are warned of, may differ. */
function makeSame(one: EncodePlan, other: EncodePlan): boolean {
  // As the rows hold them: without what is undefined.
  const made = ({ packetsKey: _key, warnings: _warnings, ...plan }: EncodePlan): unknown =>
    JSON.parse(JSON.stringify(plan));
  return isDeepStrictEqual(made(one), made(other));
}

/** Ends what was begun early, and forgets what it has made. */
export async function discardEarly(client: PoolClient, key: AttemptKey): Promise<void> {
  await lockEarly(client, key);
  await endEarly(client, key);
  await cancelStageJobs(client, { ...key, stage: STAGE });
  if ((await findAnyPlan(client, key))?.provisional) await removeResults(client, key);
}

export async function endEarly(client: PoolClient, { videoId, attempt }: AttemptKey): Promise<void> {
  await endRow(client, STAGE, { videoId, attempt, revision: 0 }, { completed: {} });
}

/** Names of the jobs that are not done yet. */
export async function findEarlyJobs(client: Executor, key: AttemptKey): Promise<string[]> {
  const jobs = await listJobs(client, { ...key, stage: STAGE });
  return jobs.flatMap(({ name, state }) => (state === 'ready' || state === 'running' ? [name] : []));
}
