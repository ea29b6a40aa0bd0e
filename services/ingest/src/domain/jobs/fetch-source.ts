/** One try to fetch a source into the bucket: resumes after the last stored part, or starts over. */
import { AppError } from '@vds/chassis/errors';
import type { Wanted } from '../source-response.ts';
import { bytesOf, isComplete, type Stored, type StoredPart, type Upload } from '../stored-source.ts';

/** The bytes of an opened source, from `offset` on. */
export type SourceReader = {
  readonly offset: number;
  readonly total: number | undefined;
  readonly validator: string | undefined;
  /** The next 1 to `max` bytes, or undefined at the end of the file. */
  readonly take: (max: number) => Promise<Buffer | undefined>;
  readonly close: () => Promise<void>;
};

/** Its number, and where in the source it begins. */
export type NextPart = { readonly number: number; readonly from: number };

export type FetchPorts = {
  /** @throws a source fault */
  readonly open: (wanted: Wanted) => Promise<SourceReader>;
  readonly begin: () => Promise<Upload>;
  /** Records an upload in place of what was stored before. */
  readonly recordUpload: (upload: Upload | undefined, file: Pick<SourceReader, 'validator' | 'total'>) => Promise<void>;
  /** Stores the next part, or returns undefined when the reader is at its end. @throws NOT_FOUND for a lost upload */
  readonly storePart: (upload: Upload, next: NextPart, reader: SourceReader) => Promise<StoredPart | undefined>;
  readonly recordPart: (part: StoredPart) => Promise<void>;
  /** @throws NOT_FOUND for a lost upload */
  readonly complete: (upload: Upload, parts: readonly StoredPart[]) => Promise<void>;
  /** Best effort: leftovers are removed with the video at the latest. */
  readonly abort: (upload: Upload) => Promise<void>;
};

/** A try that is running. */
export type FetchTry = {
  readonly stored: Stored;
  /** The upload in progress. */
  upload: Upload | undefined;
  /** Whether this try has stored a part. */
  hasStored: boolean;
};
export type FetchedSource = { readonly key: string; readonly parts: readonly StoredPart[]; readonly bytes: number };

/**
 * @returns the object's key, parts and size once it is complete in the bucket
 * @throws a source fault, or what the bucket and the database throw; stored parts then remain for the next try
 */
export async function fetchSource(ports: FetchPorts, current: FetchTry): Promise<FetchedSource> {
  const { stored } = current;
  try {
    const { upload, parts } = isComplete(stored) ? stored : await storeRest(ports, current);
    await ports.complete(upload, parts);
    return { key: upload.key, parts, bytes: bytesOf(parts) };
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'NOT_FOUND') throw cause;
    await ports.recordUpload(undefined, { validator: undefined, total: undefined });
    await abandonUpload(ports, current);
    throw new AppError('UNAVAILABLE', 'the upload was removed while it was in progress; it starts over', { cause });
  }
}

/** Reads to the end of the source; a file that has changed is fetched from its beginning. */
async function storeRest(ports: FetchPorts, current: FetchTry) {
  const { stored } = current;
  const from = stored.upload ? bytesOf(stored.parts) : 0;
  const wanted = { from, validator: stored.validator, total: from > 0 ? stored.total : undefined };
  const reader = await ports.open(wanted);
  try {
    const resumed = from > 0 && reader.offset === from ? stored.upload : undefined;
    const upload = resumed ?? (await beginUpload(ports, current, reader));
    const parts = resumed ? [...stored.parts] : [];
    for (;;) {
      const part = await ports.storePart(upload, { number: parts.length + 1, from: bytesOf(parts) }, reader);
      if (!part) return { upload, parts };
      await ports.recordPart(part);
      current.hasStored = true;
      parts.push(part);
    }
  } finally {
    await reader.close();
  }
}

/** Begins a new upload for an opened file; what was stored before is discarded. */
async function beginUpload(ports: FetchPorts, current: FetchTry, file: SourceReader): Promise<Upload> {
  const upload = await ports.begin();
  try {
    await ports.recordUpload(upload, file);
  } catch (error) {
    await ports.abort(upload);
    throw error;
  }
  await abandonUpload(ports, current);
  current.upload = upload;
  return upload;
}

/** Aborts the upload in progress, if any. */
export async function abandonUpload(ports: Pick<FetchPorts, 'abort'>, current: FetchTry): Promise<void> {
  if (current.upload) await ports.abort(current.upload);
  current.upload = undefined;
}
