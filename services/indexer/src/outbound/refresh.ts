/** Reads what is true of a video now and writes it: the one way into the index. */
import type { Versioned } from '../domain/document.ts';
import { documentOf, tombstone } from '../domain/document.ts';
import type { Documents, WriteOptions } from './documents.ts';
import type { openCatalog, openMetadata, openSpoken } from './service-clients.ts';

export type SourceRecord = {
  readonly catalog: Pick<ReturnType<typeof openCatalog>, 'getIndexable' | 'list'>;
  readonly metadata: Pick<ReturnType<typeof openMetadata>, 'get'>;
  readonly spoken: ReturnType<typeof openSpoken>;
};

export function openRefresh(truth: SourceRecord, documents: Documents) {
  return async (videoId: string, knownVersion: number, options?: WriteOptions): Promise<void> =>
    documents.write([await readSourceRecord(truth, videoId, knownVersion)], options);
}

/**
 * Catalog is asked first, so that what the others add is never older than the version that it is written with.
 * @param knownVersion written for a video that catalog does not know
 */
export async function readSourceRecord(truth: SourceRecord, videoId: string, knownVersion: number): Promise<Versioned> {
  const now = new Date();
  const indexable = await truth.catalog.getIndexable(videoId);
  if (!indexable) return { version: Math.max(1, knownVersion), document: tombstone(videoId, now) };
  if (!indexable.live) return { version: indexable.version, document: tombstone(videoId, now) };
  const [metadata, spoken] = await Promise.all([truth.metadata.get(videoId), truth.spoken.of(indexable.tracks)]);
  return { version: indexable.version, document: documentOf({ indexable, metadata, spoken, now }) };
}
