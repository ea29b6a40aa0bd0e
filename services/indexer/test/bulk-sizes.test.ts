/** Writes through a proxy with a limit of the size of requests, as managed OpenSearch has. */
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Versioned } from '../src/domain/document.ts';
import { openDocuments } from '../src/outbound/documents.ts';
import { openSearch, type OpenSearch } from '../src/outbound/open-search.ts';
import { documentFor, openTestIndex, type TestIndex } from './test-index.ts';
import { clip, newId } from './videos.ts';

describe('requests that write documents', function () {
  this.timeout(60_000);
  let testIndex: TestIndex;
  let proxy: Server;
  let search: OpenSearch & { close: () => Promise<void> };
  let limit = Infinity;
  let sizes: number[] = [];

  before(async () => {
    testIndex = await openTestIndex();
    const target = new URL(testIndex.rawIndex.url);
    proxy = createServer((incoming, answer) => {
      const size = Number(incoming.headers['content-length'] ?? 0);
      if (size > limit) {
        incoming.resume().once('end', () => answer.writeHead(413).end('Request size exceeded'));
        return;
      }
      if (incoming.url?.includes('_bulk') === true) sizes.push(size);
      const { method, url, headers } = incoming;
      const outgoing = httpRequest(new URL(url ?? '/', target), { method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      });
      incoming.pipe(outgoing);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    search = openSearch({
      openSearchUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      ...{ openSearchUser: undefined, openSearchPassword: undefined, openSearchCaFile: undefined },
      openSearchTimeoutMs: 20_000,
    });
  });
  after(async () => {
    await search.close();
    proxy.closeAllConnections();
    await once(proxy.close(), 'close');
    await testIndex.close();
  });
  beforeEach(() => void ([limit, sizes] = [Infinity, []]));

  /** What shows a video is stored, not searched: a large one costs OpenSearch little. */
  const large = (bytes: number): Versioned => {
    const { version, document } = documentFor({ clip: clip(newId()) });
    const item = { ...clip(document.video_id), title: 'é'.repeat(bytes / 2) };
    return { version, document: { ...document, item } as Versioned['document'] };
  };
  const write = async (videos: readonly Versioned[]): Promise<number> => {
    await openDocuments(search, testIndex.indexes, testIndex.metrics).write(videos);
    const ids = videos.map(({ document }) => document.video_id);
    return (await testIndex.documents.versions(testIndex.indexes.serving, ids)).size;
  };

  it('requests are small enough for managed servers, and a single document is written whatever its size', async () => {
    expect(await write([...Array.from({ length: 8 }, () => large(1_200_000)), large(7_000_000)])).to.equal(9);
    expect(sizes).to.have.length(3);
    expect(sizes.filter((size) => size < 5_100_000)).to.have.length(2);
  });

  it('requests become smaller where the server has a lower limit', async () => {
    limit = 2_000_000;
    expect(await write(Array.from({ length: 7 }, () => large(600_000)))).to.equal(7);
    expect(Math.max(...sizes)).to.be.below(limit);
  });

  it('a single document that is too large for the server is rejected, not tried for ever', async () => {
    limit = 1_000_000;
    const error = await write([large(1_500_000)]).then(
      () => expect.fail('it was written'),
      (reason: unknown) => reason,
    );
    expect(error).to.include({ code: 'INTERNAL', reason: 'http_413' });
  });
});
