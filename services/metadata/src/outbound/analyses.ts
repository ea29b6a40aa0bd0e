/** Rows of the analyses of an attempt's spans, and of the documents written from them. */
import type { Executor } from '@vds/chassis/database/database';
import { notFound } from '@vds/chassis/errors';
import type { ChapterOut } from '@vds/proto/generated/vds/metadata/v1/Chapter.ts';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { PassageOut } from '@vds/proto/generated/vds/metadata/v1/Passage.ts';
import type { Analysis } from '../domain/analysis.ts';
import type { MetadataDocument, Vectors } from '../domain/model.ts';
import { spanCount } from '../domain/span.ts';

export type AttemptKey = { readonly videoId: string; readonly attempt: number };

/** Saves the analysis of a span; one that another try has already saved stays. */
export async function saveAnalysis(
  client: Executor,
  { videoId, attempt }: AttemptKey,
  span: number,
  analysis: Analysis,
): Promise<void> {
  await client.query(
    'INSERT INTO analyses (video_id, attempt, span, analysis) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [videoId, attempt, span, JSON.stringify(analysis)],
  );
}

/** The spans of an attempt without an analysis. */
export async function missingSpans(
  client: Executor,
  { videoId, attempt }: AttemptKey,
  durationMs: number,
): Promise<number[]> {
  const text = 'SELECT span FROM analyses WHERE video_id = $1 AND attempt = $2';
  const { rows } = await client.query<{ span: number }>(text, [videoId, attempt]);
  const analyzed = new Set(rows.map(({ span }) => span));
  return Array.from({ length: spanCount(durationMs) }, (_span, index) => index).filter((index) => !analyzed.has(index));
}

/** All analyses, in the order of their spans. */
export async function readAnalyses(client: Executor, { videoId, attempt }: AttemptKey): Promise<readonly Analysis[]> {
  const { rows } = await client.query<{ analysis: Analysis }>(
    'SELECT analysis FROM analyses WHERE video_id = $1 AND attempt = $2 ORDER BY span',
    [videoId, attempt],
  );
  return rows.map(({ analysis }) => analysis);
}

/** Rows of earlier releases lack some of it. */
type StoredDocument = Omit<MetadataDocument, keyof Vectors | 'chapters' | 'keyMoments'> & {
  readonly chapters?: readonly (Omit<ChapterOut, 'origin' | 'titles'> & Partial<ChapterOut>)[];
  readonly keyMoments?: MetadataDocument['keyMoments'];
  readonly passages?: readonly ReturnType<typeof storedPassage>[];
  readonly embeddingModel?: string;
};

/** JSON has no bytes. */
function storedPassage({ vector, ...where }: PassageOut) {
  return { ...where, vector: vector.toString('base64') };
}

/** Saves the document of a revision. */
export async function saveDocument(
  client: Executor,
  { videoId, attempt, revision }: AttemptKey & { readonly revision: number },
  document: MetadataDocument,
): Promise<void> {
  await client.query(
    `INSERT INTO revisions (video_id, attempt, revision, document) VALUES ($1, $2, $3, $4)
     ON CONFLICT (video_id, attempt, revision) DO UPDATE SET document = excluded.document, created_at = now()`,
    [videoId, attempt, revision, JSON.stringify({ ...document, passages: document.passages.map(storedPassage) })],
  );
}

/**
 * The newest revision of the latest attempt.
 * @throws AppError NOT_FOUND before there is one and after a purge
 */
export async function findDocument(client: Executor, videoId: string): Promise<MetadataOut> {
  const { rows } = await client.query<{ attempt: number; revision: number; document: StoredDocument }>(
    `SELECT attempt, revision, document FROM revisions
     WHERE video_id = $1 ORDER BY attempt DESC, revision DESC LIMIT 1`,
    [videoId],
  );
  if (!rows[0]) throw notFound(`metadata of ${videoId}`);
  const { attempt, revision, document } = rows[0];
  const { passages: stored = [], embeddingModel = '', chapters: ofStored = [], keyMoments = [] } = document;
  const chapters = ofStored.map((chapter) => ({ origin: 'file', titles: [], ...chapter }));
  const passages = stored.map(({ vector, ...where }) => ({
    ...where,
    vector: Buffer.from(vector, 'base64'),
  }));
  return { videoId, attempt, revision, ...document, passages, embeddingModel, chapters, keyMoments };
}
