/** OpenSearch keeps a bounded number of views: beyond it pages are turned all the same. */
import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { openDiscovery } from '../src/outbound/discovery.ts';
import type { OpenSearch } from '../src/outbound/open-search.ts';
import { openShelf, type Shelf } from './shelf.ts';
import { clip, newId } from './videos.ts';

describe('a search without a view', function () {
  this.timeout(60_000);
  let shelf: Shelf;
  before(async () => {
    shelf = await openShelf();
    await shelf.put(...Array.from({ length: 9 }, (_none, at) => ({ clip: clip(newId(), { title: `serve ${at}` }) })));
  });
  after(() => shelf.close());

  it('shows every video once, however many pages there are', async () => {
    const full: OpenSearch = {
      ask: (question) =>
        question.path.endsWith('/point_in_time') && question.method === 'POST'
          ? Promise.reject(
              new AppError('UNAVAILABLE', 'too many views', { reason: 'search_phase_execution_exception' }),
            )
          : shelf.search.ask(question),
    };
    const config = { rpcToken: 'secret', cursorKeepMs: 60_000, feedHalfLifeMs: 86_400_000 };
    const log = createLogger('indexer', 'error', { write: () => {} });
    const { search } = openDiscovery(full, shelf.indexes.serving, config, log);
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
