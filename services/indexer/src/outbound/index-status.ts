/** What the served index is like: for the operator's staff and for metrics. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Indexes } from './indexes.ts';
import type { OpenSearch } from './open-search.ts';

type Stats = { readonly _all: { readonly primaries: { readonly store: { readonly size_in_bytes: number } } } };

export function openIndexStatus(search: OpenSearch, indexes: Indexes, metrics: Metrics) {
  const count = async (live: boolean): Promise<number> => {
    const path = `/${indexes.serving}/_count`;
    return (await search.ask<{ count: number }>({ method: 'POST', path, body: { query: { term: { live } } } })).count;
  };
  metrics.gauge('vds_indexer_documents', 'Documents of the served index', ['state'], async (gauge) => {
    try {
      gauge.set({ state: 'live' }, await count(true));
      gauge.set({ state: 'tombstone' }, await count(false));
    } catch {
      gauge.reset(); // OpenSearch is away: the other metrics are wanted all the more
    }
  });
  return async () => {
    const [{ index, version, behind }, live, tombstones, stats] = await Promise.all([
      indexes.mapping(),
      count(true),
      count(false),
      search.ask<Stats>({ method: 'GET', path: `/${indexes.serving}/_stats/store` }),
    ]);
    return {
      index,
      mappingVersion: version,
      behind,
      live,
      tombstones,
      bytes: stats._all.primaries.store.size_in_bytes,
    };
  };
}
export type IndexStatus = ReturnType<typeof openIndexStatus>;
