/** One try to fetch a source into the bucket: resumes after the last stored part, or starts over. */
import { AppError } from '@vds/chassis/errors';
import type { Wanted } from './source-answer.ts';

/** Every part but the last has this many bytes; a download resumes at a part boundary. */
export const PART_BYTES = 32 * 1024 * 1024;

export type Upload = { readonly key: string; readonly uploadId: string };
export type StoredPart = {
  readonly number: number;
  readonly bytes: number;
  readonly sha256: Buffer;
  readonly etag: string;
};

/** What is already stored of a source. */
export type Stored = {
  readonly upload: Upload | undefined;
  readonly parts: readonly StoredPart[];
  readonly validator: string | undefined;
  readonly total: number | undefined;
};

/** The bytes of an opened source, from `offset` on. */
export type SourceReader = {
  readonly offset: number;
  readonly total: number | undefined;
  readonly validator: string | undefined;
  /** The next 1 to `max` bytes, or undefined at the end of the file. */
  readonly take: (max: number) => Promise<Buffer | undefined>;
  readonly close: () => Promise<void>;
};

export type FetchPorts = {
  readonly openSource: (wanted: Wanted) => Promise<SourceReader>;
  /** Begins a new upload for the file that the reader opened; what was stored before is discarded. */
  readonly beginUpload: (file: Pick<SourceReader, 'validator' | 'total'>) => Promise<Upload>;
  /** Stores the next part; undefined when the reader is at its end. NOT_FOUND when the upload is gone. */
  readonly storePart: (upload: Upload, number: number, reader: SourceReader) => Promise<StoredPart | undefined>;
  /** Records the part, which is not fetched again. */
  readonly keepPart: (part: StoredPart) => Promise<void>;
  /** Completes the upload. NOT_FOUND when the upload, or a part of it, is gone. */
  readonly assemble: (upload: Upload, parts: readonly StoredPart[]) => Promise<void>;
  /** Forgets the upload and its parts. */
  readonly discard: () => Promise<void>;
};

export type FetchedSource = { readonly key: string; readonly parts: readonly StoredPart[]; readonly bytes: number };

/**
 * @returns the object's key, parts and size once it is complete in the bucket
 * @throws a source fault, or what the bucket and the database throw; stored parts then remain for the next try
 */
export async function fetchSource(ports: FetchPorts, stored: Stored): Promise<FetchedSource> {
  const isWhole = stored.upload !== undefined && stored.total !== undefined && bytesOf(stored.parts) === stored.total;
  try {
    const { upload, parts } =
      isWhole && stored.upload ? { upload: stored.upload, parts: stored.parts } : await storeRest(ports, stored);
    await ports.assemble(upload, parts);
    return { key: upload.key, parts, bytes: bytesOf(parts) };
  } catch (cause) {
    if (!isGone(cause)) throw cause;
    await ports.discard();
    throw new AppError('UNAVAILABLE', 'the upload was removed while it was being made; it starts over', { cause });
  }
}

function bytesOf(parts: readonly StoredPart[]): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0);
}

/** Reads to the end of the source; a file that has changed is fetched from its beginning. */
async function storeRest(ports: FetchPorts, stored: Stored): Promise<{ upload: Upload; parts: StoredPart[] }> {
  const from = stored.upload ? bytesOf(stored.parts) : 0;
  const reader = await ports.openSource({
    from,
    validator: stored.validator,
    total: from > 0 ? stored.total : undefined,
  });
  try {
    const goesOn = stored.upload !== undefined && from > 0 && reader.offset === from;
    const upload = goesOn && stored.upload ? stored.upload : await ports.beginUpload(reader);
    const parts = goesOn ? [...stored.parts] : [];
    for (;;) {
      const part = await ports.storePart(upload, parts.length + 1, reader);
      if (!part) return { upload, parts };
      await ports.keepPart(part);
      parts.push(part);
    }
  } finally {
    await reader.close();
  }
}

function isGone(error: unknown): boolean {
  return error instanceof AppError && error.code === 'NOT_FOUND';
}
