/** OpenSearch keeps a bounded number of views: searches page without one beyond it. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { openDiscovery } from '../src/outbound/discovery.ts';
import type { OpenSearch } from '../src/outbound/open-search.ts';
import { openTestIndex, type TestIndex } from './test-index.ts';
import { clip, newId } from './videos.ts';

describe('a search without a view', function () {
  this.timeout(60_000);
  let testIndex: TestIndex;
  before(async () => {
    testIndex = await openTestIndex();
    await testIndex.put(
      ...Array.from({ length: 9 }, (_none, at) => ({ clip: clip(newId(), { title: `serve ${at}` }) })),
    );
  });
  after(() => testIndex.close());

  it('a search without a view shows every video once over all its pages', async () => {
    const full: OpenSearch = {
      request: (request) =>
        request.path.endsWith('/point_in_time') && request.method === 'POST'
          ? Promise.reject(
              new AppError('UNAVAILABLE', 'too many views', { reason: 'search_phase_execution_exception' }),
            )
          : testIndex.search.request(request),
    };
    const config = { rpcToken: 'secret', cursorKeepMs: 60_000, feedHalfLifeMs: 86_400_000 };
    const log = createLogger('indexer', 'error', { write: () => {} });
    const { search } = openDiscovery({
      ...{ search: full, alias: testIndex.indexes.serving, embedder: undefined, config, log },
      watched: testIndex.watched,
      metrics: createMetrics('indexer'),
    });
    const titles: string[] = [];
    let cursor = '';
    do {
      const page = await search({ query: 'serve', filters: {}, language: undefined, limit: 2, cursor });
      titles.push(...page.hits.map(({ item }) => item.title ?? ''));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(titles.toSorted()).to.deep.equal(Array.from({ length: 9 }, (_none, at) => `serve ${at}`));
  });
});
