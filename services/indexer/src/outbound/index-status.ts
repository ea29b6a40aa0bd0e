/** The state of the served index, for the operator and for metrics. */
import { AppError } from '@vds/chassis/errors';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Indexes } from './indexes.ts';
import type { OpenSearch } from './open-search.ts';

type Stats = { readonly _all: { readonly primaries: { readonly store: { readonly size_in_bytes: number } } } };

export function openIndexStatus(search: OpenSearch, indexes: Indexes, metrics: Metrics) {
  const count = async (live: boolean): Promise<number> => {
    const query = { method: 'POST', path: `/${indexes.serving}/_count`, body: { query: { term: { live } } } } as const;
    return (await search.request<{ count: number }>(query)).count;
  };
  metrics.gauge('vds_indexer_documents', 'Documents of the served index', ['state'], async (gauge) => {
    try {
      gauge.set({ state: 'live' }, await count(true));
      gauge.set({ state: 'tombstone' }, await count(false));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      gauge.reset(); // OpenSearch is unavailable: no value rather than an old one
    }
  });
  return async () => {
    const [{ index, version }, live, tombstones, stats] = await Promise.all([
      indexes.mapping(),
      count(true),
      count(false),
      search.request<Stats>({ method: 'GET', path: `/${indexes.serving}/_stats/store` }),
    ]);
    return { index, mappingVersion: version, live, tombstones, bytes: stats._all.primaries.store.size_in_bytes };
  };
}
export type IndexStatus = ReturnType<typeof openIndexStatus>;

/** A change without another try for this long is processed by another replica. */
const FORGET_MS = 120_000;

/** `refresh`, with a measure of how long the oldest consumed change has not been written: the index's lag. */
export function openLag(metrics: Metrics, refresh: (videoId: string, version: number) => Promise<void>) {
  const open = new Map<string, { readonly since: number; touched: number }>();
  metrics.gauge('vds_indexer_lag_seconds', 'Age of the oldest consumed change that is not written', [], (gauge) => {
    const now = Date.now();
    for (const [key, { touched }] of open) if (now - touched > FORGET_MS) open.delete(key);
    const oldest = Math.min(now, ...[...open.values()].map(({ since }) => since));
    gauge.set((now - oldest) / 1_000);
  });
  /** The change stays open if it fails: it will be redelivered. */
  return async (videoId: string, version: number): Promise<void> => {
    const now = Date.now();
    const entry = open.get(videoId) ?? { since: now, touched: now };
    entry.touched = now;
    open.set(videoId, entry);
    await refresh(videoId, version);
    open.delete(videoId);
  };
}
