/** OpenSearch at an https:// address: what a clear-text server receives, or one that redirects to one. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { openRecordingServer, type RecordingServer } from '@vds/testkit/harness/recording-server';
import { testTlsFiles, type TlsFiles } from '@vds/testkit/harness/tls-files';
import { readConfig } from '@vds/chassis/config/config';
import { expect } from 'chai';
import { indexerConfig } from '../src/config.ts';
import { openSearch, type OpenSearch } from '../src/outbound/open-search.ts';

const basic = Buffer.from('indexer:the-password').toString('base64');

describe('OpenSearch over TLS', () => {
  let tls: TlsFiles;
  let plain: RecordingServer;
  before(async () => {
    tls = await testTlsFiles();
  });
  beforeEach(async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
    plain = await openRecordingServer({ answer: () => answer });
  });
  afterEach(() => plain.close());
  after(() => tls.remove());

  const configOf = (openSearchUrl: string) => ({
    openSearchUrl,
    openSearchUser: 'indexer',
    openSearchPassword: 'the-password',
    openSearchCaFile: tls.caFile,
    openSearchTimeoutMs: 1_000,
  });
  const outcome = async (openSearchUrl: string, request: Parameters<OpenSearch['request']>[0]): Promise<unknown> => {
    const search = openSearch(configOf(openSearchUrl));
    try {
      return await search.request(request).catch(String);
    } finally {
      await search.close();
    }
  };
  const requests: readonly Parameters<OpenSearch['request']>[0][] = [
    { method: 'GET', path: '/vds-videos/_search' },
    { method: 'PUT', path: '/vds-videos-1', body: {} },
    { method: 'POST', path: '/_bulk', lines: [{ index: {} }, {}] },
  ];

  it('a server that speaks clear text gets neither request nor password', async () => {
    for (const request of requests)
      expect(await outcome(`https://127.0.0.1:${plain.port}`, request)).to.match(/UNAVAILABLE|OpenSearch/);
    expect(plain.connections()).to.be.above(0);
    expect(plain.received()).not.to.match(/HTTP\/1\.1|authorization|vds-videos/i);
    expect(plain.received()).not.to.include(basic);
  });

  for (const status of [301, 307, 308])
    it(`a redirect (${status}) to an address without TLS is not followed`, async () => {
      const seen: (string | undefined)[] = [];
      const server = createServer({ cert: tls.pem.cert, key: tls.pem.key }, (request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(status, { location: `http://127.0.0.1:${plain.port}${request.url}` }).end();
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (const request of requests) await outcome(url, request);
      server.close().closeAllConnections();
      expect(new Set(seen)).to.deep.equal(new Set([`Basic ${basic}`]));
      expect(plain.connections()).to.equal(0);
    });

  it('a certificate of another authority is rejected before the password is sent', async () => {
    const other = await testTlsFiles();
    let asked = 0;
    const server = createServer({ cert: other.pem.cert, key: other.pem.key }, (_request, response) => {
      asked += 1;
      response.end('{}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await outcome(url, requests[0] ?? expect.fail())).to.match(/certificate/);
    server.close().closeAllConnections();
    other.remove();
    expect(asked).to.equal(0);
  });

  it('an authority without https:// is refused, and so is an address with a misspelt scheme', () => {
    expect(() => openSearch(configOf('http://127.0.0.1:9200'))).to.throw(
      /OPENSEARCH_CA_FILE is set, but OPENSEARCH_URL does not say https:\/\//,
    );
    expect(() => readConfig(indexerConfig, { OPENSEARCH_URL: 'htps://search' })).to.throw(
      /OPENSEARCH_URL must be an http/,
    );
  });
}).timeout(20_000);
