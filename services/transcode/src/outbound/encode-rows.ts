/**
 * Rows of plans, job results and ladders: the decisions about a video, the results of its jobs, and the finished
 * ladder.
 */
import type { Executor } from '@vds/chassis/database/database';
import { notFound } from '@vds/chassis/errors';
import { folderOf } from '@vds/chassis/objects/keys';
import type { LadderDocument } from '@vds/proto/documents/ladder';
import { groupResults, type JobResult, type JobResults } from '../domain/jobs/job-results.ts';
import type { PlannedJob } from '../domain/plan/encode-jobs.ts';
import type { EncodePlan } from '../domain/plan/encode-plan.ts';

export type AttemptKey = { readonly videoId: string; readonly attempt: number };

export type SavedLadder = AttemptKey & {
  readonly document: LadderDocument;
  readonly ladderKey: string;
  readonly thumbnailKey: string;
};

export async function savePlan(client: Executor, { videoId, attempt }: AttemptKey, plan: EncodePlan): Promise<void> {
  await client.query(
    `INSERT INTO plans (video_id, attempt, plan) VALUES ($1, $2, $3)
     ON CONFLICT (video_id, attempt) DO UPDATE SET plan = excluded.plan, provisional = false`,
    [videoId, attempt, JSON.stringify(plan)],
  );
}

/** Reads the plan of an attempt; undefined if its source was not inspected as a whole. */
export async function findPlan(client: Executor, key: AttemptKey): Promise<EncodePlan | undefined> {
  const found = await findAnyPlan(client, key);
  return found?.provisional ? undefined : found?.plan;
}

/** The plan of an attempt; provisional until its source was inspected as a whole. */
export type AnyPlan = { readonly plan: EncodePlan; readonly provisional: boolean };

export async function findAnyPlan(client: Executor, { videoId, attempt }: AttemptKey): Promise<AnyPlan | undefined> {
  const { rows } = await client.query<AnyPlan>(
    'SELECT plan, provisional FROM plans WHERE video_id = $1 AND attempt = $2',
    [videoId, attempt],
  );
  return rows[0];
}

/** Records which jobs of an attempt must deliver a result. */
export async function addResults(client: Executor, key: AttemptKey, jobs: readonly PlannedJob[]): Promise<void> {
  for (const { name, weight } of jobs)
    await client.query(
      'INSERT INTO job_results (video_id, attempt, job, weight) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [key.videoId, key.attempt, name, weight],
    );
}

/** Names of the jobs of an attempt that have a result. */
export function findDone(client: Executor, key: AttemptKey): Promise<ReadonlySet<string>> {
  return findJobs(client, key, 'result IS NOT NULL');
}

/** Names of those that must deliver one. */
export function findMissing(client: Executor, key: AttemptKey): Promise<ReadonlySet<string>> {
  return findJobs(client, key, 'result IS NULL');
}

async function findJobs(client: Executor, { videoId, attempt }: AttemptKey, which: string): Promise<Set<string>> {
  const text = `SELECT job FROM job_results WHERE video_id = $1 AND attempt = $2 AND ${which}`;
  const { rows } = await client.query<{ job: string }>(text, [videoId, attempt]);
  return new Set(rows.map(({ job }) => job));
}

/** Forgets what an attempt was to make, and has made. */
export async function removeResults(client: Executor, { videoId, attempt }: AttemptKey): Promise<void> {
  await client.query('DELETE FROM job_results WHERE video_id = $1 AND attempt = $2', [videoId, attempt]);
}

/** Removes the results of every piece of an attempt, so that it can be planned again. */
export async function removePieces(client: Executor, { videoId, attempt }: AttemptKey): Promise<void> {
  await client.query(
    `DELETE FROM job_results WHERE video_id = $1 AND attempt = $2 AND (job LIKE 'piece-%' OR job = 'cut')`,
    [videoId, attempt],
  );
}

/**
 * Saves the result of the winning try of a job.
 * @returns how many results are still missing
 */
export async function saveResult(client: Executor, key: AttemptKey, job: string, result: JobResult): Promise<number> {
  await client.query(
    'UPDATE job_results SET result = $4, percent = 100 WHERE video_id = $1 AND attempt = $2 AND job = $3',
    [key.videoId, key.attempt, job, JSON.stringify(result)],
  );
  const { rows } = await client.query<{ left: number }>(
    'SELECT count(*) AS left FROM job_results WHERE video_id = $1 AND attempt = $2 AND result IS NULL',
    [key.videoId, key.attempt],
  );
  return rows[0]?.left ?? 0;
}

export async function savePercent(client: Executor, key: AttemptKey, job: string, percent: number): Promise<void> {
  await client.query(
    'UPDATE job_results SET percent = $4 WHERE video_id = $1 AND attempt = $2 AND job = $3 AND result IS NULL',
    [key.videoId, key.attempt, job, Math.round(percent)],
  );
}

/** Progress of an attempt as a whole, 0 to 100. */
export async function percentOf(client: Executor, { videoId, attempt }: AttemptKey): Promise<number> {
  const { rows } = await client.query<{ percent: number | null }>(
    `SELECT (sum(weight * percent) / nullif(sum(weight), 0))::float8 AS percent
     FROM job_results WHERE video_id = $1 AND attempt = $2`,
    [videoId, attempt],
  );
  return rows[0]?.percent ?? 0;
}

/** Reads the results of an attempt's jobs. */
export async function readResults(client: Executor, { videoId, attempt }: AttemptKey): Promise<JobResults> {
  const { rows } = await client.query<{ result: JobResult }>(
    'SELECT result FROM job_results WHERE video_id = $1 AND attempt = $2 AND result IS NOT NULL',
    [videoId, attempt],
  );
  return groupResults(rows.map(({ result }) => result));
}

/** The plan of a video's latest attempt, and the results that it has so far. */
export type Begun = { readonly attempt: number; readonly plan: EncodePlan; readonly results: JobResults };

/** Undefined before the head of its source was inspected, and after a purge. */
export async function findBegun(client: Executor, videoId: string): Promise<Begun | undefined> {
  const { rows } = await client.query<{ attempt: number; plan: EncodePlan }>(
    'SELECT attempt, plan FROM plans WHERE video_id = $1 ORDER BY attempt DESC LIMIT 1',
    [videoId],
  );
  const [latest] = rows;
  return latest && { ...latest, results: await readResults(client, { videoId, attempt: latest.attempt }) };
}

/** Saves the ladder of the latest attempt. */
export async function saveLadder(client: Executor, ladder: SavedLadder): Promise<void> {
  await client.query(
    `INSERT INTO ladders (video_id, attempt, document, ladder_key, thumbnail_key) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (video_id) DO UPDATE SET attempt = excluded.attempt, document = excluded.document,
       ladder_key = excluded.ladder_key, thumbnail_key = excluded.thumbnail_key, created_at = now()
     WHERE ladders.attempt <= excluded.attempt`,
    [ladder.videoId, ladder.attempt, JSON.stringify(ladder.document), ladder.ladderKey, ladder.thumbnailKey],
  );
}

/**
 * The folders that the ladder of an attempt consists of: its own, and those of audio and pieces. Copies of the source's
 * pieces have served their purpose.
 * @returns undefined while the attempt has no ladder
 */
export async function findWinners(
  client: Executor,
  { videoId, attempt }: AttemptKey,
): Promise<ReadonlySet<string> | undefined> {
  const { rows } = await client.query<{ ladderKey: string; folders: string[] }>(
    `SELECT ladder_key AS "ladderKey", array(
       SELECT result ->> 'folder' FROM job_results
       WHERE (video_id, attempt) = (ladders.video_id, ladders.attempt) AND result ->> 'kind' <> 'cut') AS folders
     FROM ladders WHERE video_id = $1 AND attempt = $2`,
    [videoId, attempt],
  );
  const [ladder] = rows;
  return ladder && new Set([folderOf(ladder.ladderKey) ?? '', ...ladder.folders]);
}

/** @throws AppError NOT_FOUND before encode has completed and after a purge */
export async function findLadder(client: Executor, videoId: string): Promise<SavedLadder> {
  const { rows } = await client.query<SavedLadder>(
    `SELECT video_id AS "videoId", attempt, document, ladder_key AS "ladderKey", thumbnail_key AS "thumbnailKey"
     FROM ladders WHERE video_id = $1`,
    [videoId],
  );
  if (!rows[0]) throw notFound(`a ladder of ${videoId}`);
  return rows[0];
}
