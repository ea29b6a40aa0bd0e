/** The last job of the stage: the document of a revision from all analyses, the description and the transcript. */
import { AppError } from '@vds/chassis/errors';
import type { LadderChapter } from '@vds/proto/documents/ladder';
import type { Analysis } from '../analysis.ts';
import { makeChapters } from '../chapters.ts';
import { writeDocument, type DocumentInput } from '../document.ts';
import type { Description, MetadataDocument, Transcript, Vectors } from '../model.ts';
import { passagesOf } from '../passages.ts';

export type DocumentPorts = {
  readonly analyses: () => Promise<readonly Analysis[]>;
  readonly description: () => Promise<Description>;
  readonly transcript: (key: string) => Promise<Transcript>;
  /** Those of the file, in their order. */
  readonly chapters: () => Promise<readonly LadderChapter[]>;
  readonly stopWords: (language: string) => ReadonlySet<string>;
  /** A vector a text, in their order; undefined where there is no engine, or it is away. */
  readonly embed: (
    texts: readonly string[],
  ) => Promise<{ readonly model: string; readonly vectors: readonly Int8Array[] } | undefined>;
};

/** @param transcriptKey of the revision; '' while there is no transcript */
export async function makeDocument(
  ports: DocumentPorts,
  { durationMs, transcriptKey }: { readonly durationMs: number; readonly transcriptKey: string },
): Promise<MetadataDocument> {
  const [analyses, description] = await Promise.all([ports.analyses(), ports.description()]);
  const transcript = await findTranscript(ports, transcriptKey, description.transcriptKey);
  const english = await findEnglish(ports, description.englishKey);
  const input = { durationMs, analyses, description, transcript, english, stopWordsOf: ports.stopWords };
  const document = writeDocument(input);
  const chapters = await findChapters(ports, { ...input, ...document });
  return { ...document, chapters, ...(await embedPassages(ports, description, transcript)) };
}

type ChapterSources = Pick<DocumentInput, 'durationMs' | 'transcript' | 'stopWordsOf'> &
  Pick<MetadataDocument, 'scenes' | 'intervals' | 'topics'>;

/** Those of the file, each until the next one begins; else what can be made of the document and the transcript. */
async function findChapters(ports: DocumentPorts, sources: ChapterSources): Promise<MetadataDocument['chapters']> {
  const { durationMs, transcript, stopWordsOf } = sources;
  const ofFile = await ports.chapters();
  if (ofFile.length > 0)
    return ofFile.map((chapter, index) => ({
      ...chapter,
      endMs: ofFile[index + 1]?.startMs ?? Math.max(durationMs, chapter.startMs),
      ...{ origin: 'file', titles: [] },
    }));
  return transcript ? makeChapters({ ...sources, transcript, stopWords: stopWordsOf(transcript.language) }) : [];
}

async function embedPassages(
  { embed }: DocumentPorts,
  description: Description,
  transcript: Transcript | undefined,
): Promise<Vectors> {
  const passages = passagesOf(description, transcript?.sentences ?? []);
  const embedded = await embed(passages.map(({ text }) => text));
  if (embedded === undefined) return { passages: [], embeddingModel: '' };
  return {
    passages: embedded.vectors.map((vector, index) => ({
      ...(passages[index]?.atMs !== undefined && { atMs: passages[index].atMs }),
      vector: Buffer.from(vector.buffer, vector.byteOffset, vector.length),
    })),
    embeddingModel: embedded.model,
  };
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

/** The English translation; undefined where there is none, or it was replaced and removed while the job waited. */
async function findEnglish({ transcript }: DocumentPorts, key: string | undefined): Promise<Transcript | undefined> {
  if (key === undefined) return undefined;
  try {
    return await transcript(key);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** S3 responds with AccessDenied for a missing key where the caller may not list the bucket. */
export function isGone(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED');
}
