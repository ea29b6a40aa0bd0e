/** Plans, parts and ladders: what was decided about a title, what its units have made, and what came of it. */
import type { Executor } from '@vds/chassis/database/database';
import { notFound } from '@vds/chassis/errors';
import type { LadderDocument } from '@vds/proto/documents/ladder';
import type { EncodeUnit } from '../domain/plan/units.ts';
import type { TitlePlan } from '../domain/plan/title-plan.ts';
import type { PrismaClient } from './prisma.ts';

export type TitleKey = { readonly videoId: string; readonly attempt: number };

export type SavedLadder = TitleKey & {
  readonly document: LadderDocument;
  readonly ladderKey: string;
  readonly thumbnailKey: string;
};

export async function savePlan(client: Executor, { videoId, attempt }: TitleKey, plan: TitlePlan): Promise<void> {
  await client.query(
    `INSERT INTO plans (video_id, attempt, plan) VALUES ($1, $2, $3)
     ON CONFLICT (video_id, attempt) DO UPDATE SET plan = excluded.plan`,
    [videoId, attempt, JSON.stringify(plan)],
  );
}

/** The plan of an attempt; undefined where its source was not looked at. */
export async function findPlan(client: Executor, { videoId, attempt }: TitleKey): Promise<TitlePlan | undefined> {
  const { rows } = await client.query<{ plan: TitlePlan }>(
    'SELECT plan FROM plans WHERE video_id = $1 AND attempt = $2',
    [videoId, attempt],
  );
  return rows[0]?.plan;
}

export async function addParts(client: Executor, key: TitleKey, units: readonly EncodeUnit[]): Promise<void> {
  for (const { unit, weight } of units)
    await client.query(
      'INSERT INTO parts (video_id, attempt, unit, weight) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      [key.videoId, key.attempt, unit, weight],
    );
}

/** Forgets every piece of an attempt, so that it can be planned anew. */
export async function removePieces(client: Executor, { videoId, attempt }: TitleKey): Promise<void> {
  await client.query(
    `DELETE FROM parts WHERE video_id = $1 AND attempt = $2 AND (unit LIKE 'piece-%' OR unit = 'cut')`,
    [videoId, attempt],
  );
}

/**
 * Keeps what the winning try of a unit has made.
 * @returns how many parts are still to be made
 */
export async function saveMade(client: Executor, key: TitleKey, unit: string, made: unknown): Promise<number> {
  await client.query('UPDATE parts SET made = $4, percent = 100 WHERE video_id = $1 AND attempt = $2 AND unit = $3', [
    key.videoId,
    key.attempt,
    unit,
    JSON.stringify(made),
  ]);
  const { rows } = await client.query<{ left: number }>(
    'SELECT count(*) AS left FROM parts WHERE video_id = $1 AND attempt = $2 AND made IS NULL',
    [key.videoId, key.attempt],
  );
  return rows[0]?.left ?? 0;
}

export async function savePercent(client: Executor, key: TitleKey, unit: string, percent: number): Promise<void> {
  await client.query(
    'UPDATE parts SET percent = $4 WHERE video_id = $1 AND attempt = $2 AND unit = $3 AND made IS NULL',
    [key.videoId, key.attempt, unit, Math.round(percent)],
  );
}

/** What the units of an attempt have made, by unit. */
export async function readMade(client: Executor, key: TitleKey): Promise<Map<string, unknown>> {
  const { rows } = await client.query<{ unit: string; made: unknown }>(
    'SELECT unit, made FROM parts WHERE video_id = $1 AND attempt = $2 AND made IS NOT NULL',
    [key.videoId, key.attempt],
  );
  return new Map(rows.map(({ unit, made }) => [unit, made]));
}

/** Keeps the ladder of the latest attempt. */
export async function saveLadder(client: Executor, ladder: SavedLadder): Promise<void> {
  await client.query(
    `INSERT INTO ladders (video_id, attempt, document, ladder_key, thumbnail_key) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (video_id) DO UPDATE SET attempt = excluded.attempt, document = excluded.document,
       ladder_key = excluded.ladder_key, thumbnail_key = excluded.thumbnail_key, created_at = now()
     WHERE ladders.attempt <= excluded.attempt`,
    [ladder.videoId, ladder.attempt, JSON.stringify(ladder.document), ladder.ladderKey, ladder.thumbnailKey],
  );
}

/** @throws AppError NOT_FOUND before encode has completed and after a purge */
export async function findLadder(prisma: PrismaClient, videoId: string): Promise<SavedLadder> {
  const row = await prisma.ladder.findUnique({ where: { videoId } });
  if (!row) throw notFound(`a ladder of ${videoId}`);
  return { ...row, document: row.document as unknown as LadderDocument };
}
