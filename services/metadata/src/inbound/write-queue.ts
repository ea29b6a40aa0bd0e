/** The door through which the last unit of a stage comes: all that was found becomes the document of a revision. */
import { AppError } from '@vds/chassis/errors';
import { getDocument } from '@vds/chassis/objects/documents';
import { trackDocument } from '@vds/proto/documents/track';
import { stageOfUnit } from '@vds/chassis/stage/stages';
import type { Job, Queue } from '@vds/chassis/work/work';
import { writeDocument } from '../domain/document.ts';
import type { Transcript } from '../domain/model.ts';
import { readAnalyses, saveDocument } from '../outbound/analyses.ts';
import { stopWordsOf } from '../outbound/stop-words.ts';
import { failStage } from './failing.ts';
import type { Deps } from './deps.ts';

export function writeQueue(deps: Deps, slots: number): Queue {
  return {
    slots,
    run: (job) => perform(deps, job),
    failed: (client, job, error) => failStage(deps, client, job, error),
  };
}

async function perform(deps: Deps, job: Job): Promise<void> {
  const { stages, pool, meters, describe } = deps;
  const key = stageOfUnit(job);
  const asked = await stages.enter(key);
  if (!asked) return job.complete();
  const { durationMs, transcriptKey } = asked.request;
  const document = await meters.timed('document', async () => {
    const [found, description] = await Promise.all([readAnalyses(pool, key), describe(key.groupKey)]);
    const transcript = await readTranscriptOf(deps, transcriptKey, description.transcriptKey);
    const stopWords = stopWordsOf(transcript?.language ?? description.language);
    return writeDocument({ durationMs, found, description, transcript, stopWords });
  });
  await job.complete(async (client) => {
    if (await stages.complete(client, key, {})) await saveDocument(client, key, document);
  });
}

/**
 * The transcript; undefined while there is none. While the unit waited, captions may have put another in the place of the
 * one that it was asked with, and tidied that away: then the one of now counts.
 */
async function readTranscriptOf(
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

/** Who may not list a bucket is told AccessDenied of a missing key. */
function isGone(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED');
}
