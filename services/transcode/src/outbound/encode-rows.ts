/**
 * Rows of plans, job results and ladders: the decisions about a video, the results of its jobs, and the finished
 * ladder.
 */
import type { Executor } from '@vds/chassis/database/database';
import { notFound } from '@vds/chassis/errors';
import { folderOf } from '@vds/chassis/objects/keys';
import type { LadderDocument } from '@vds/proto/documents/ladder';
import { groupResults, type JobResult, type JobResults } from '../domain/plan/job-results.ts';
import type { PlannedJob } from '../domain/plan/encode-jobs.ts';
import type { EncodePlan } from '../domain/plan/encode-plan.ts';

export type AttemptKey = { readonly videoId: string; readonly attempt: number };

export type SavedLadder = AttemptKey & {
  readonly document: LadderDocument;
  readonly ladderKey: string;
  readonly thumbnailKey: string;
};

/** The plan of an attempt. */
export type SavedPlan = {
  readonly plan: EncodePlan;
  readonly sourceKey: string;
  /** Until its source was inspected as a whole. */
  readonly provisional: boolean;
  /** Rises with every change. */
  readonly version: number;
  /** Since the first one of the attempt. */
  readonly ageMs: number;
};

/** Saves a plan; false where that would replace a confirmed plan by a provisional one. */
export async function savePlan(
  client: Executor,
  { videoId, attempt }: AttemptKey,
  { plan, sourceKey, provisional }: Pick<SavedPlan, 'plan' | 'sourceKey' | 'provisional'>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO plans (video_id, attempt, plan, source_key, provisional) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (video_id, attempt) DO UPDATE SET plan = excluded.plan, source_key = excluded.source_key,
       provisional = excluded.provisional, version = plans.version + 1
     WHERE plans.provisional OR NOT excluded.provisional`,
    [videoId, attempt, JSON.stringify(plan), sourceKey, provisional],
  );
  return rowCount === 1;
}

/** Undefined before anything of the source was inspected, and after a purge. */
export async function findPlan(client: Executor, { videoId, attempt }: AttemptKey): Promise<SavedPlan | undefined> {
  const { rows } = await client.query<SavedPlan>(
    `SELECT plan, source_key AS "sourceKey", provisional, version,
       extract(epoch FROM now() - created_at)::float8 * 1000 AS "ageMs"
     FROM plans WHERE video_id = $1 AND attempt = $2`,
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

/** Whether it is recorded which jobs of an attempt must deliver a result. */
export async function hasBegun(client: Executor, { videoId, attempt }: AttemptKey): Promise<boolean> {
  const text = 'SELECT 1 FROM job_results WHERE video_id = $1 AND attempt = $2 LIMIT 1';
  return (await client.query(text, [videoId, attempt])).rowCount === 1;
}

/** Names of the jobs of an attempt that must deliver a result still. */
export function findMissing(client: Executor, key: AttemptKey): Promise<ReadonlySet<string>> {
  return findJobs(client, key, 'result IS NULL');
}

async function findJobs(client: Executor, { videoId, attempt }: AttemptKey, which: string): Promise<Set<string>> {
  const text = `SELECT job FROM job_results WHERE video_id = $1 AND attempt = $2 AND ${which}`;
  const { rows } = await client.query<{ job: string }>(text, [videoId, attempt]);
  return new Set(rows.map(({ job }) => job));
}

/** Forgets what an attempt was to make, and has made, but for the jobs in `kept`. */
export async function removeResults(
  client: Executor,
  { videoId, attempt }: AttemptKey,
  kept: ReadonlySet<string>,
): Promise<void> {
  const text = 'DELETE FROM job_results WHERE video_id = $1 AND attempt = $2 AND job <> ALL ($3)';
  await client.query(text, [videoId, attempt, [...kept]]);
}

/** Saves the result of the winning try of a job. */
export async function saveResult(client: Executor, key: AttemptKey, job: string, result: JobResult): Promise<void> {
  await client.query(
    'UPDATE job_results SET result = $4, percent = 100 WHERE video_id = $1 AND attempt = $2 AND job = $3',
    [key.videoId, key.attempt, job, JSON.stringify(result)],
  );
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
