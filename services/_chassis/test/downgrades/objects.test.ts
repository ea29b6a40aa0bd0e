/** Object storage at an https:// endpoint: what a clear-text server receives, or one that redirects to one. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import { openRecordingServer, type RecordingServer } from '@vds/testkit/harness/recording-server';
import { testTlsFiles, type TlsFiles } from '@vds/testkit/harness/tls-files';
import { readConfig } from '../../src/config/config.ts';
import { objectsConfig, openObjects, type ObjectsConfig } from '../../src/objects/objects.ts';
import { openUploads } from '../../src/objects/uploads.ts';

const text = { contentType: 'text/plain' };

describe('object storage over TLS', () => {
  const trustedBefore = getCACertificates('default');
  let tls: TlsFiles;
  let plain: RecordingServer;
  before(async () => {
    tls = await testTlsFiles();
    setDefaultCACertificates([...trustedBefore, tls.pem.ca]);
  });
  beforeEach(async () => {
    plain = await openRecordingServer({ answer: () => 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\netag: "x"\r\n\r\n' });
  });
  afterEach(() => plain.close());
  after(() => {
    setDefaultCACertificates(trustedBefore);
    tls.remove();
  });

  /** Makes every kind of request; returns how many failed. */
  const attempts = async (s3Endpoint: string): Promise<number> => {
    const credentials = { s3Region: 'us-east-1', s3AccessKey: 'the-access-key', s3SecretKey: 'secret' };
    const config: ObjectsConfig = { s3Endpoint, ...credentials, s3ConnectMs: 1_000, s3TimeoutMs: 1_000 };
    const objects = openObjects(config, 'media');
    const body = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('0123456789');
    };
    const { signal } = new AbortController();
    const ended = await Promise.allSettled([
      objects.getBytes('key'),
      objects.putBytes('key', 'content', text),
      objects.stat('key'),
      objects.list('prefix/'),
      objects.removePrefix('prefix/'),
      openUploads(config, 'media').put('key', { length: 10, body: body() }, signal),
    ]);
    return ended.filter(({ status }) => status === 'rejected').length;
  };

  it('a clear-text server gets no request', async () => {
    expect(await attempts(`https://127.0.0.1:${plain.port}`)).to.equal(6);
    expect(plain.connections()).to.be.above(0);
    expect(plain.received()).not.to.match(/HTTP\/1\.1|the-access-key|media/);
  });

  for (const status of [301, 302, 307, 308])
    it(`a redirect (${status}) to an address without TLS is not followed`, async () => {
      let redirected = 0;
      const server = createServer({ cert: tls.pem.cert, key: tls.pem.key }, (request, response) => {
        redirected += 1;
        response.writeHead(status, { location: `http://127.0.0.1:${plain.port}${request.url}` }).end();
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      expect(await attempts(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)).to.equal(6);
      server.close().closeAllConnections();
      expect(redirected).to.be.at.least(6);
      expect(plain.connections()).to.equal(0);
    });

  it('an endpoint with a misspelt scheme is refused, instead of used without TLS', () => {
    const keys = { S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' };
    for (const endpoint of ['htps://storage.example.com', 's3://media', 'storage.example.com:9000'])
      expect(() => readConfig(objectsConfig, { S3_ENDPOINT: endpoint, ...keys }), endpoint).to.throw(
        /S3_ENDPOINT must be an http:\/\/ or https:\/\/ URL/,
      );
    expect(readConfig(objectsConfig, { S3_ENDPOINT: 'https://storage.example.com', ...keys }).s3Endpoint).to.match(
      /^h/,
    );
  });
}).timeout(20_000);
