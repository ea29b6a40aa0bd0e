/** What is already stored of a source. */

/** Every part but the last has this many bytes; a download resumes at a part boundary. */
export const PART_BYTES = 32 * 1024 * 1024;
/** Of a source whose length is unknown: each part is held in memory. S3 takes 5 MiB and more. */
export const UNSIZED_PART_BYTES = 8 * 1024 * 1024;

export type Upload = { readonly key: string; readonly uploadId: string };
export type StoredPart = {
  readonly number: number;
  readonly bytes: number;
  readonly sha256: Buffer;
  readonly etag: string;
};
export type Stored = {
  readonly upload: Upload | undefined;
  readonly parts: readonly StoredPart[];
  readonly validator: string | undefined;
  readonly total: number | undefined;
};

export function bytesOf(parts: readonly StoredPart[]): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0);
}

/** Whether nothing is left to fetch. */
export function isComplete(stored: Stored): stored is Stored & { readonly upload: Upload } {
  return stored.upload !== undefined && stored.total !== undefined && bytesOf(stored.parts) === stored.total;
}
