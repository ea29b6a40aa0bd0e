/** Search, feeds and recommendations over one index. */
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { openCursors } from './cursors.ts';
import { openFeeds, openMoments } from './feeds.ts';
import { openInterest } from './interest.ts';
import { openMeaning } from './meaning.ts';
import type { OpenSearch } from './open-search.ts';
import { openPresentLanguages } from './vocabulary.ts';
import { openRecommendations } from './recommendations.ts';
import { openSearches } from './searches.ts';
import { openTrending } from './trending.ts';
import type { Watched } from './watched.ts';

export type DiscoveryConfig = {
  /** Signs cursors; the same in every replica. */
  readonly rpcToken: string;
  readonly cursorKeepMs: number;
  readonly feedHalfLifeMs: number;
};

type Deps = {
  readonly search: OpenSearch;
  /** Names the index that is served. */
  readonly alias: string;
  /** What viewers watch. */
  readonly watched: Pick<Watched, 'companions' | 'interests'>;
  /** Undefined where none is configured. */
  readonly embedder: Embedder | undefined;
  readonly config: DiscoveryConfig;
  readonly metrics: Metrics;
  readonly log: Logger;
};

export function openDiscovery({ search, alias, watched, embedder, config, metrics, log }: Deps) {
  const { cursorKeepMs, feedHalfLifeMs: halfLifeMs } = config;
  const meaning = openMeaning({ search, alias, embedder, metrics, log });
  const cursors = openCursors(config.rpcToken);
  const present = openPresentLanguages(search, alias);
  const interest = openInterest({ search, alias, watched, halfLifeMs });
  const queries = {
    search: openSearches({ search, alias, present, meaning, cursors, cursorKeepMs, log }),
    feed: openFeeds({ search, alias, cursors, interest }),
    moments: openMoments({ search, alias, cursors }),
    trending: openTrending({ interest, cursors, halfLifeMs }),
    recommend: openRecommendations({ search, alias, watched, vectors: embedder, cursors, halfLifeMs }),
  };
  const page = { filters: {}, limit: 1, cursor: '' };
  return {
    ...queries,
    /** Whether searches are by meaning too, for `/readyz`. */
    describeMeaning: meaning.describe,
    /** A query of each kind, for the warm-up. */
    warmUps: {
      search: () => queries.search({ ...page, query: 'warm-up', language: undefined }),
      feed: () => queries.feed(page),
      moments: () => queries.moments(page),
      trending: () => queries.trending(page),
      recommend: () => queries.recommend({ ...page, seen: [{ videoId: 'warm-up', share: 1 }] }),
    },
  };
}
export type Discovery = ReturnType<typeof openDiscovery>;
