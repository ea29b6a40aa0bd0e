/** Requests signed with the role of the pod: what verifies the signature passes them on to a real OpenSearch. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as open, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { classify } from '@vds/chassis/errors';
import { authorizationOf, expectedSignature } from '@vds/testkit/harness/aws-signature';
import { AGENT_TOKEN, openFakeCloud, type FakeCloud } from '@vds/testkit/harness/fake-cloud';
import { testTlsFiles, type TlsFiles } from '@vds/testkit/harness/tls-files';
import { expect } from 'chai';
import { openSearch, type OpenSearch, type OpenSearchConfig } from '../src/outbound/open-search.ts';
import { openPrefix } from './harness.ts';

/** Of credentials, which are renewed when at most a third of it is left. */
const LIFE_MS = 900;

describe('OpenSearch by the identity of the pod', () => {
  const trustedBefore = getCACertificates('default');
  const index = openPrefix();
  const seen: string[] = [];
  const opened: { readonly close: () => unknown }[] = [];
  let tls: TlsFiles;
  let cloud: FakeCloud;
  let search: OpenSearch;
  let config: OpenSearchConfig;
  let count = 0;
  before(async () => {
    tls = await testTlsFiles();
    setDefaultCACertificates([...trustedBefore, tls.pem.ca]);
    const issue = () => {
      count += 1;
      return {
        accessKey: `key-${count}`,
        secretKey: `secret-${count}`,
        sessionToken: `token-${count}`,
        lifeMs: LIFE_MS,
      };
    };
    cloud = await openFakeCloud({ tls, issue });
    const domain = createServer({ cert: tls.pem.cert, key: tls.pem.key }, (request, response) => {
      void request.toArray().then((chunks: Buffer[]) => {
        const body = Buffer.concat(chunks);
        const { authorization, ...headers } = request.headers;
        const given = authorizationOf(authorization);
        const number = given?.accessKey.split('-')[1];
        const digest = createHash('sha256').update(body).digest('hex');
        const of = { method: request.method, url: request.url, headers, names: given?.names ?? '', digest };
        const expected = expectedSignature({ ...of, secret: `secret-${number}`, region: 'eu-west-1', service: 'es' });
        seen.push(String(headers['x-amz-security-token']));
        if (expected !== given?.signature || !given.names.includes('x-amz-security-token'))
          return void response.writeHead(403).end('{"message":"The request signature we calculated does not match"}');
        const sent = open(
          new URL(request.url ?? '/', index.url),
          { method: String(request.method), headers },
          (answer: IncomingMessage) => {
            response.writeHead(answer.statusCode ?? 500, answer.headers);
            answer.pipe(response);
          },
        );
        sent.on('error', () => response.destroy()).end(body);
      });
    });
    await once(domain.listen(0, '127.0.0.1'), 'listening');
    const awsContainerTokenFile = join(dirname(tls.caFile), 'agent-token');
    writeFileSync(awsContainerTokenFile, AGENT_TOKEN);
    config = {
      openSearchUrl: `https://127.0.0.1:${(domain.address() as AddressInfo).port}`,
      ...{ openSearchUser: undefined, openSearchPassword: undefined, openSearchCaFile: undefined },
      ...{ openSearchAuth: 'aws', openSearchTimeoutMs: 30_000, awsRegion: 'eu-west-1' },
      ...{ awsContainerUrl: `${cloud.url}/v1/credentials`, awsContainerTokenFile },
    };
    const client = openSearch(config);
    search = client;
    opened.push(client, cloud, { close: () => (domain.closeAllConnections(), domain.close()) });
  });
  after(async () => {
    for (const one of opened) await one.close();
    await index.wipe();
    setDefaultCACertificates(trustedBefore);
    tls.remove();
  });

  it('documents are written and found, in paths and queries of every kind, with the credentials of now', async () => {
    const from = performance.now();
    const [one, two] = [`${index.prefix}videos-1`, `${index.prefix}videos-2`];
    for (const name of [one, two]) await search.request({ method: 'PUT', path: `/${name}`, body: {} });
    const lines = [{ index: { _index: one, _id: 'a b/ü*' } }, { title: 'signed' }];
    await search.request({ method: 'POST', path: '/_bulk', query: { refresh: true }, lines });
    await search.request({ method: 'GET', path: `/${one}/_doc/${encodeURIComponent('a b/ü*')}` });
    while (new Set(seen).size < 3) {
      const path = `/${one},${two}/_search`;
      const body = { query: { match: { title: 'signed' } } };
      const found = await search.request<{ hits: { hits: unknown[] } }>({
        method: 'POST',
        path,
        body,
        query: { typed_keys: true, preference: '_local' },
      });
      expect(found.hits.hits).to.have.lengthOf(1);
    }
    expect(count).to.be.within(3, 1 + (performance.now() - from) / ((LIFE_MS * 2) / 3));
  }).timeout(20_000);

  it('without an issuer a request is an unavailable dependency; a user beside the role is refused', async () => {
    const away = openSearch({ ...config, awsContainerUrl: 'https://127.0.0.1:1/' });
    const error = await away.request({ method: 'GET', path: '/' }).then(
      () => expect.fail('an answer'),
      (cause: Error) => cause,
    );
    expect(classify(error).class).to.equal('dependency');
    expect(error.message).to.match(/the agent for credentials at 127\.0\.0\.1:1 cannot be reached/);
    await away.close();
    expect(() => openSearch({ ...config, openSearchUser: 'indexer' })).to.throw(/OPENSEARCH_AUTH is aws beside/);
    expect(() => openSearch({ ...config, awsRegion: undefined })).to.throw(/^AWS_REGION is not set/);
  });
});
