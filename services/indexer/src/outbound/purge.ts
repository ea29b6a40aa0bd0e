/** Leaves nothing of a video but a tombstone, in every index that there is. */
import { AppError } from '@vds/chassis/errors';
import { tombstone } from '../domain/document.ts';
import type { Documents } from './documents.ts';
import type { Indexes } from './indexes.ts';
import type { OpenSearch } from './open-search.ts';
import type { SourceRecord } from './refresh.ts';

type Deps = {
  readonly search: OpenSearch;
  readonly indexes: Indexes;
  readonly documents: Documents;
  readonly catalog: Pick<SourceRecord['catalog'], 'getIndexable'>;
};

/** @throws AppError UNAVAILABLE when something was written in between: the removal is to be tried again */
export function openPurge({ search, indexes, documents, catalog }: Deps) {
  return async (videoId: string): Promise<void> => {
    const all = await indexes.all();
    const read = (index: string) => documents.read(index, videoId);
    const [indexable, ...stored] = await Promise.all([
      catalog.getIndexable(videoId),
      ...all.map(({ index }) => read(index)),
    ]);
    const version = Math.max(1, indexable?.version ?? 0, ...stored.map((found) => found?.version ?? 0));
    await documents.write([{ version, document: tombstone(videoId, new Date()) }], { evenSame: true, refresh: true });
    for (const { index, aliases } of all) if (aliases.length === 0) await forgetIn(search, index, videoId);
    for (const { index } of all) {
      const left = await read(index);
      if (left && !isBare(left.source)) throw new AppError('UNAVAILABLE', `${index} still has the video`);
    }
  };
}

/** An index that was replaced is written by nobody any more: there the document is deleted. */
function forgetIn(search: OpenSearch, index: string, videoId: string): Promise<unknown> {
  return search.ask({
    method: 'POST',
    path: `/${index}/_delete_by_query`,
    query: { ignore_unavailable: true, conflicts: 'proceed', refresh: true },
    body: { query: { ids: { values: [videoId] } } },
  });
}

/** Whether what an index has of the video says nothing but that it is gone. */
function isBare(source: Readonly<Record<string, unknown>>): boolean {
  return (
    source['live'] === false && Object.keys(source).every((name) => ['video_id', 'live', 'changed_at'].includes(name))
  );
}
