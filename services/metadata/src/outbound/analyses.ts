/** Rows of what was found in each span of an attempt's title, and of the documents that were put together out of it. */
import type { Executor } from '@vds/chassis/database/database';
import { notFound } from '@vds/chassis/errors';
import type { PurgeRequest } from '@vds/chassis/stage/purge';
import type { MetadataDocument } from '../domain/document.ts';
import type { Analysis } from '../domain/analysis.ts';
import type { PrismaClient } from './prisma.ts';

export type TitleKey = { readonly groupKey: string; readonly attempt: number };

export type SavedDocument = {
  readonly videoId: string;
  readonly attempt: number;
  readonly revision: number;
  readonly document: MetadataDocument;
};

/** Keeps what was found in a span; what another try has kept already stays. */
export async function saveAnalysis(
  client: Executor,
  { groupKey, attempt }: TitleKey,
  span: number,
  found: Analysis,
): Promise<void> {
  await client.query(
    'INSERT INTO looks (video_id, attempt, span, found) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [groupKey, attempt, span, JSON.stringify(found)],
  );
}

/** The spans of an attempt that were looked at. */
export async function analyzedSpans(client: Executor, { groupKey, attempt }: TitleKey): Promise<ReadonlySet<number>> {
  const { rows } = await client.query<{ span: number }>('SELECT span FROM looks WHERE video_id = $1 AND attempt = $2', [
    groupKey,
    attempt,
  ]);
  return new Set(rows.map(({ span }) => span));
}

/** Everything that was found, in the order of time. */
export async function readAnalyses(client: Executor, { groupKey, attempt }: TitleKey): Promise<readonly Analysis[]> {
  const { rows } = await client.query<{ found: Analysis }>(
    'SELECT found FROM looks WHERE video_id = $1 AND attempt = $2 ORDER BY span',
    [groupKey, attempt],
  );
  return rows.map(({ found }) => found);
}

/** Keeps the document of a revision. */
export async function saveDocument(
  client: Executor,
  { groupKey, attempt, revision }: TitleKey & { readonly revision: number },
  document: MetadataDocument,
): Promise<void> {
  await client.query(
    `INSERT INTO revisions (video_id, attempt, revision, document) VALUES ($1, $2, $3, $4)
     ON CONFLICT (video_id, attempt, revision) DO UPDATE SET document = excluded.document, created_at = now()`,
    [groupKey, attempt, revision, JSON.stringify(document)],
  );
}

/**
 * The newest revision of the latest attempt.
 * @throws AppError NOT_FOUND before there is one and after a purge
 */
export async function findDocument(prisma: PrismaClient, videoId: string): Promise<SavedDocument> {
  const row = await prisma.revision.findFirst({
    where: { videoId },
    orderBy: [{ attempt: 'desc' }, { revision: 'desc' }],
  });
  if (!row) throw notFound(`metadata of ${videoId}`);
  return { ...row, document: row.document as unknown as MetadataDocument };
}

/** Removes what is kept of a video that a purge is about. */
export async function forgetRows(client: Executor, { groupKey, scope, keepAttempt }: PurgeRequest): Promise<void> {
  const all = scope === 'all' || keepAttempt === 0;
  for (const table of ['looks', 'revisions'])
    await client.query(`DELETE FROM ${table} WHERE video_id = $1 AND ($2 OR attempt < $3)`, [
      groupKey,
      all,
      keepAttempt,
    ]);
}
