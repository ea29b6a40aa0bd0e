/** Writes the document of one video from its owners' current data, or purges it: the only way into the index. */
import { AppError } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { documentOf, tombstone, type Versioned } from '../domain/document.ts';
import type { openCatalogClient } from './catalog-client.ts';
import type { Documents, WriteOptions } from './documents.ts';
import type { Indexes } from './indexes.ts';
import type { openMetadataClient } from './metadata-client.ts';
import type { OpenSearch } from './open-search.ts';
import type { Transcripts } from './transcripts.ts';
import type { Watched } from './watched.ts';

/** The owners of a document's data. */
export type Sources = {
  readonly catalog: Pick<ReturnType<typeof openCatalogClient>, 'getIndexable' | 'list'>;
  readonly metadata: Pick<ReturnType<typeof openMetadataClient>, 'get'>;
  readonly transcripts: Transcripts;
};

type Deps = {
  readonly search: OpenSearch;
  readonly indexes: Indexes;
  readonly documents: Documents;
  readonly sources: Sources;
  readonly watched: Pick<Watched, 'forget'>;
};

export function openVideoWriter({ search, indexes, documents, sources, watched }: Deps) {
  const refresh = async (videoId: string, knownVersion: number, options?: WriteOptions): Promise<void> => {
    const document = await readDocument(sources, videoId, knownVersion);
    await failpoint('indexer.document-read');
    await documents.write([document], options);
    await failpoint('indexer.document-written');
  };
  return {
    refresh,
    /** Replaces a document of the same version too, and resolves once searches find it. */
    refreshNow: (videoId: string): Promise<void> => refresh(videoId, 0, { evenSame: true, refresh: true }),
    /**
     * Leaves only a tombstone of a video, in every index, and nothing of it in what viewers watch.
     * @throws AppError UNAVAILABLE if it was written in between: the purge must be retried
     */
    purge: async (videoId: string): Promise<void> => {
      const all = await indexes.all();
      const read = (index: string) => documents.read(index, videoId);
      const [indexable, ...stored] = await Promise.all([
        sources.catalog.getIndexable(videoId),
        ...all.map(({ index }) => read(index)),
      ]);
      const version = Math.max(1, indexable?.version ?? 0, ...stored.map((found) => found?.version ?? 0));
      await documents.write([{ version, document: tombstone(videoId, new Date()) }], { evenSame: true, refresh: true });
      // A replaced index is no longer written: its document is deleted.
      for (const { index, aliases } of all) if (aliases.length === 0) await deleteFrom(search, index, videoId);
      for (const { index } of all) {
        const left = await read(index);
        if (left && !isTombstone(left.source)) throw new AppError('UNAVAILABLE', `${index} still has the video`);
      }
      await watched.forget([videoId]);
    },
  };
}

/**
 * Reads catalog first, so that the others' data is never older than the version it is written with.
 * @param knownVersion written for a video that catalog does not know
 */
export async function readDocument(sources: Sources, videoId: string, knownVersion: number): Promise<Versioned> {
  const now = new Date();
  const indexable = await sources.catalog.getIndexable(videoId);
  if (!indexable) return { version: Math.max(1, knownVersion), document: tombstone(videoId, now) };
  if (!indexable.live) return { version: indexable.version, document: tombstone(videoId, now) };
  const [metadata, transcripts] = await Promise.all([
    sources.metadata.get(videoId),
    sources.transcripts(indexable.tracks),
  ]);
  return { version: indexable.version, document: documentOf({ indexable, metadata, transcripts, now }) };
}

function deleteFrom(search: OpenSearch, index: string, videoId: string): Promise<unknown> {
  return search.request({
    method: 'POST',
    path: `/${index}/_delete_by_query`,
    query: { ignore_unavailable: true, conflicts: 'proceed', refresh: true },
    body: { query: { ids: { values: [videoId] } } },
  });
}

function isTombstone(source: Readonly<Record<string, unknown>>): boolean {
  return (
    source['live'] === false && Object.keys(source).every((name) => ['video_id', 'live', 'changed_at'].includes(name))
  );
}
