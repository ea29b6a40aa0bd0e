/** Removes old tombstones, indexes that a reindex has replaced, and old figures of what viewers watch. */
import type { ReindexStateStore } from './reindex/reindex-state.ts';
import type { Indexes } from './indexes.ts';
import type { OpenSearch } from './open-search.ts';
import type { Watched } from './watched.ts';

type Deps = {
  readonly search: OpenSearch;
  readonly indexes: Indexes;
  readonly reindexState: Pick<ReindexStateStore, 'read'>;
  readonly watched: Pick<Watched, 'collectGarbage'>;
  readonly config: { readonly tombstonesKeepMs: number; readonly oldIndexKeepMs: number };
};

export function createGarbageCollector(deps: Deps) {
  return async (): Promise<void> => {
    await dropReplaced(deps);
    await dropTombstones(deps);
    await deps.watched.collectGarbage();
  };
}

/** An index without alias, after the reindex that replaced it has been done for long enough. */
async function dropReplaced({ indexes, reindexState, config }: Deps): Promise<void> {
  const last = (await reindexState.read())?.state;
  if (last?.state !== 'done' || Date.now() < Date.parse(last.finished_at ?? '') + config.oldIndexKeepMs) return;
  for (const { index, aliases } of await indexes.all()) if (aliases.length === 0) await indexes.drop(index);
}

function dropTombstones({ search, indexes, config }: Deps): Promise<unknown> {
  const old = { range: { changed_at: { lt: new Date(Date.now() - config.tombstonesKeepMs).toISOString() } } };
  return search.request({
    method: 'POST',
    path: `/${indexes.serving}/_delete_by_query`,
    query: { conflicts: 'proceed' },
    body: { query: { bool: { filter: [{ term: { live: false } }, old] } } },
  });
}
