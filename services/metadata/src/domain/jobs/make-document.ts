/** The last job of the stage: the document of a revision from all analyses, the description and the transcript. */
import { AppError } from '@vds/chassis/errors';
import type { Analysis } from '../analysis.ts';
import { writeDocument } from '../document.ts';
import type { Description, Transcript } from '../model.ts';

export type DocumentPorts = {
  readonly analyses: () => Promise<readonly Analysis[]>;
  readonly description: () => Promise<Description>;
  readonly transcript: (key: string) => Promise<Transcript>;
  readonly stopWords: (language: string) => ReadonlySet<string>;
};

/** @param transcriptKey of the revision; '' while there is no transcript */
export async function makeDocument(
  ports: DocumentPorts,
  { durationMs, transcriptKey }: { readonly durationMs: number; readonly transcriptKey: string },
) {
  const [analyses, description] = await Promise.all([ports.analyses(), ports.description()]);
  const transcript = await findTranscript(ports, transcriptKey, description.transcriptKey);
  const stopWords = ports.stopWords(transcript?.language ?? description.languageCode);
  return writeDocument({ durationMs, analyses, description, transcript, stopWords });
}

/**
 * The transcript; undefined while there is none. While the job waited, captions may have replaced and removed the
 * requested one: then the current one is used.
 */
async function findTranscript(
  { transcript }: DocumentPorts,
  key: string,
  current: string | undefined,
): Promise<Transcript | undefined> {
  if (key === '') return undefined;
  try {
    return await transcript(key);
  } catch (error) {
    if (!isGone(error) || current === undefined || current === key) throw error;
    return transcript(current);
  }
}

/** S3 responds with AccessDenied for a missing key where the caller may not list the bucket. */
function isGone(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED');
}
