/** Search, feed and recommendations over one index. */
import type { Logger } from '@vds/chassis/telemetry/log';
import { openCursors } from './cursors.ts';
import { openFeeds } from './feeds.ts';
import { openInterest } from './interest.ts';
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

/**
 * @param alias names the index that is served
 * @param watched what viewers watch
 */
export function openDiscovery(
  search: OpenSearch,
  alias: string,
  watched: Pick<Watched, 'companions' | 'interests'>,
  config: DiscoveryConfig,
  log: Logger,
) {
  const { cursorKeepMs, feedHalfLifeMs: halfLifeMs } = config;
  const cursors = openCursors(config.rpcToken);
  const present = openPresentLanguages(search, alias);
  const queries = {
    search: openSearches({ search, alias, present, cursors, cursorKeepMs, log }),
    feed: openFeeds({ search, alias, cursors, halfLifeMs }),
    trending: openTrending({ interest: openInterest({ search, alias, watched }), cursors, halfLifeMs }),
    recommend: openRecommendations({ search, alias, watched, cursors, halfLifeMs }),
  };
  const page = { filters: {}, limit: 1, cursor: '' };
  return {
    ...queries,
    /** A query of each kind, for the warm-up. */
    warmUps: {
      search: () => queries.search({ ...page, query: 'warm-up', language: undefined }),
      feed: () => queries.feed(page),
      trending: () => queries.trending(page),
      recommend: () => queries.recommend({ ...page, seen: [{ videoId: 'warm-up', share: 1 }] }),
    },
  };
}
export type Discovery = ReturnType<typeof openDiscovery>;
