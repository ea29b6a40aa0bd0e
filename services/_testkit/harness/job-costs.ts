/** The cost of the tries of a service's jobs so far. */
import type { Pool } from 'pg';

export type JobCosts = { readonly tries: number; readonly crashes: number; readonly failed: number };

/** Sums over the jobs of some videos, or of all. */
export async function jobCosts(pool: Pool, videoIds?: readonly string[]): Promise<JobCosts> {
  const text = `SELECT coalesce(sum(tries), 0)::int AS tries, coalesce(sum(crashes), 0)::int AS crashes,
      (count(*) FILTER (WHERE state = 'failed'))::int AS failed
    FROM chassis.jobs WHERE $1::text[] IS NULL OR video_id = ANY ($1)`;
  const { rows } = await pool.query<JobCosts>(text, [videoIds ?? null]);
  return rows[0] ?? { tries: 0, crashes: 0, failed: 0 };
}
