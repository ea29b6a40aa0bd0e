/** The last job of the stage: writes the document of a revision from all analyses. */
import { AppError } from '@vds/chassis/errors';
import { getDocument } from '@vds/chassis/objects/documents';
import { trackDocument } from '@vds/proto/documents/track';
import { writeDocument } from '../domain/document.ts';
import type { Transcript } from '../domain/model.ts';
import { readAnalyses, saveDocument } from '../outbound/analyses.ts';
import { stopWordsOf } from '../outbound/stop-words.ts';
import type { Deps, MetadataStageJob } from './deps.ts';

export async function runDocument(job: MetadataStageJob<'document'>, deps: Deps): Promise<void> {
  const { pool, metrics, describe } = deps;
  const { durationMs, transcriptKey } = job.request;
  const document = await metrics.timed('document', async () => {
    const [analyses, description] = await Promise.all([readAnalyses(pool, job), describe(job.videoId)]);
    const transcript = await readTranscript(deps, transcriptKey, description.transcriptKey);
    const stopWords = stopWordsOf(transcript?.language ?? description.languageCode);
    return writeDocument({ durationMs, analyses, description, transcript, stopWords });
  });
  await job.complete(async (client) => {
    if (await job.stage.complete(client, {})) await saveDocument(client, job, document);
  });
}

/**
 * The transcript; undefined while there is none. While the job waited, captions may have replaced and removed the
 * requested one: then the current one is used.
 */
async function readTranscript(
  { captions }: Deps,
  key: string,
  current: string | undefined,
): Promise<Transcript | undefined> {
  if (key === '') return undefined;
  try {
    return await getDocument(captions, key, trackDocument);
  } catch (error) {
    if (!isGone(error) || current === undefined || current === key) throw error;
    return getDocument(captions, current, trackDocument);
  }
}

/** S3 responds with AccessDenied for a missing key where the caller may not list the bucket. */
function isGone(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED');
}
