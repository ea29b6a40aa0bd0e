import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openSearch } from '../src/outbound/open-search.ts';

describe('a request to OpenSearch', () => {
  it('a request that is aborted at the end of the process fails for its caller, and nowhere else', async () => {
    const server = createServer(() => {}); // no reply, ever
    const { port } = (await once(server.listen(0, '127.0.0.1'), 'listening').then(() =>
      server.address(),
    )) as AddressInfo;
    const forceClose = new AbortController();
    const config = {
      openSearchUrl: `http://127.0.0.1:${port}`,
      openSearchUser: undefined,
      openSearchPassword: undefined,
      openSearchCaFile: undefined,
      openSearchTimeoutMs: 10_000,
    };
    const search = openSearch(config, forceClose.signal);
    const reply = search.request({ method: 'GET', path: '/_alias' }).catch((error: unknown) => error);
    await once(server, 'request');
    forceClose.abort();
    expect(await reply).to.include({ code: 'UNAVAILABLE', reason: 'unreachable' });
    await sleep(50); // mocha fails the test for an uncaught exception
    await search.close();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
});
