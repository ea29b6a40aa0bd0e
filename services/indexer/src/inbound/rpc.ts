/** gRPC for the platform's apps: validate, call, reply. */
import { indexer } from '@vds/proto';
import type { IndexerServiceHandlers } from '@vds/proto/generated/vds/indexer/v1/IndexerService.ts';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { service, type Served } from '@vds/chassis/rpc/rpc';
import { checkFilters, checkLanguage, checkLimit, checkQuery, checkSeeds } from '../domain/filters.ts';
import type { Discovery } from '../outbound/discovery.ts';

const readers = ['apps', 'vdsctl'];
const callers = { Search: readers, Feed: readers, Recommend: readers, ListMoments: readers };

export function indexerRpc(discovery: Omit<Discovery, 'warmUps'>, metrics: Metrics): Served {
  const { search, feed, trending, recommend, moments: listMoments } = discovery;
  const seconds = metrics.histogram('vds_indexer_query_seconds', 'Duration of a query', ['kind', 'outcome']);
  const timed = async <T>(kind: string, work: () => Promise<T>): Promise<T> => {
    const stop = seconds.startTimer({ kind });
    try {
      const reply = await work();
      stop({ outcome: 'succeeded' });
      return reply;
    } catch (error) {
      stop({ outcome: 'failed' });
      throw error;
    }
  };
  return service<IndexerServiceHandlers>(indexer.IndexerService.service, callers, {
    Search: async ({ query, language, limit, cursor, ...filters }) => {
      const input = {
        query: checkQuery(query),
        filters: checkFilters(filters),
        language: checkLanguage(language),
        limit: checkLimit(limit),
        cursor,
      };
      const { hits, nextCursor, total } = await timed('search', () => search(input));
      return { hits: [...hits], nextCursor, total };
    },
    Feed: async ({ limit, cursor, trending: isTrending, ...filters }) => {
      const input = { filters: checkFilters(filters), limit: checkLimit(limit), cursor };
      const { items, nextCursor } = isTrending
        ? await timed('trending', () => trending(input))
        : await timed('feed', () => feed(input));
      return { items: [...items], nextCursor };
    },
    ListMoments: async ({ limit, cursor, ...filters }) => {
      const input = { filters: checkFilters(filters), limit: checkLimit(limit), cursor };
      const { moments, nextCursor } = await timed('moments', () => listMoments(input));
      return { moments: [...moments], nextCursor };
    },
    Recommend: async ({ videoIds, history, limit, cursor, ...filters }) => {
      const input = {
        seen: checkSeeds(videoIds, history),
        filters: checkFilters(filters),
        limit: checkLimit(limit),
        cursor,
      };
      const { list, nextCursor } = await timed('recommend', () => recommend(input));
      return { items: list.map(({ item }) => item), reasons: list.map(({ reason }) => reason), nextCursor };
    },
  });
}
