/**
 * Object storage with credentials that expire, at a real S3 server: each of its users has a key of a few seconds, which
 * is really refused afterwards. What is between checks the session token, as S3 does.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  get,
  request as open,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import { dirname, join } from 'node:path';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { authorizationOf, expectedSignature } from '@vds/testkit/harness/aws-signature';
import { CLUSTER_TOKEN, openFakeCloud, ROLE, type FakeCloud, type Issued } from '@vds/testkit/harness/fake-cloud';
import { testBucket, testS3User, type TestBucket } from '@vds/testkit/harness/objects';
import { testTlsFiles, type TlsFiles } from '@vds/testkit/harness/tls-files';
import { readServers } from '@vds/testkit/servers/servers-file';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { classify, type AppError } from '../../src/errors.ts';
import { openForwarding } from '../../src/objects/forwarding.ts';
import { openObjects, type ObjectsConfig } from '../../src/objects/objects.ts';
import { requestSigner } from '../../src/objects/signature.ts';
import { openUploads } from '../../src/objects/uploads.ts';

const LIFE_MS = 4_000;
const LOAD_MS = 10_000;
const USERS = 6;
const text = { contentType: 'text/plain' };
const never = new AbortController().signal;
const body = Buffer.from('what is stored');

describe('object storage by the identity of the pod', function () {
  this.timeout(60_000);
  const trustedBefore = getCACertificates('default');
  const { s3 } = readServers();
  let users: Awaited<ReturnType<typeof testS3User>>[];
  let tls: TlsFiles;
  let bucket: TestBucket;
  const opened: { readonly close: () => unknown }[] = [];
  const keep = <T extends { readonly close: () => unknown }>(one: T): T => (opened.push(one), one);
  before(async () => {
    tls = await testTlsFiles();
    setDefaultCACertificates([...trustedBefore, tls.pem.ca]);
    bucket = await testBucket();
    users = await Promise.all(Array.from({ length: USERS }, testS3User));
    const names = users.map(({ environment }) => environment.S3_ACCESS_KEY);
    const resource = `arn:aws:s3:::${bucket.bucket}`;
    const all = { Effect: 'Allow', Principal: { AWS: names }, Action: 's3:*', Resource: [resource, `${resource}/*`] };
    const policy = { Version: '2012-10-17', Statement: [all] };
    await bucket.client.setBucketPolicy(bucket.bucket, JSON.stringify(policy));
    await bucket.client.putObject(bucket.bucket, 'stored', body);
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  after(async () => {
    await bucket.drop();
    for (const user of users) await user.remove();
    setDefaultCACertificates(trustedBefore);
    tls.remove();
  });

  /** Hands out the next user with a new secret, which the server forgets when it expires. */
  const issuer = (lifeMs = LIFE_MS) => {
    const valid = new Map<string, { readonly secret: string; readonly until: number }>();
    const timers = new Set<NodeJS.Timeout>();
    const forgotten: Promise<unknown>[] = [];
    const given: string[] = [];
    keep({ close: () => (timers.forEach(clearTimeout), Promise.all(forgotten)) });
    const issue = async (): Promise<Issued> => {
      const user = users[given.length % users.length] ?? expect.fail('no user');
      const accessKey = user.environment.S3_ACCESS_KEY;
      const [secretKey, sessionToken] = [await user.renew(), randomBytes(24).toString('base64')];
      given.push(accessKey);
      valid.set(sessionToken, { secret: secretKey, until: Date.now() + lifeMs });
      const forget = (): void => void forgotten.push(user.renew());
      timers.add(setTimeout(forget, lifeMs));
      return { accessKey, secretKey, sessionToken, lifeMs };
    };
    const secretOf = (token: string): string | undefined => {
      const found = valid.get(token);
      return found !== undefined && found.until > Date.now() ? found.secret : undefined;
    };
    return { issue, given, secretOf };
  };

  /**
   * S3 as AWS has it: a request needs a session token that is valid, and a signature by its secret that includes the token.
   * The server behind refuses any token, so the request is signed anew, without it, by the same secret.
   */
  const awsStorage = async (secretOf: (token: string) => string | undefined) => {
    const refused: string[] = [];
    const server = createServer({ cert: tls.pem.cert, key: tls.pem.key }, (request, response) => {
      const { 'x-amz-security-token': token, ...rest } = request.headers;
      const secret = secretOf(String(token));
      const given = authorizationOf(rest.authorization);
      if (secret !== undefined && given?.names.includes('x-amz-security-token')) {
        const of = { method: request.method, url: request.url, headers: request.headers, secret };
        const sign = (names: string): string => expectedSignature({ ...of, names, region: s3.region, service: 's3' });
        expect(sign(given.names)).to.equal(given.signature);
        const names = given.names.replace(';x-amz-security-token', '');
        const credential = `AWS4-HMAC-SHA256 Credential=${given.accessKey}/${given.scope}`;
        const authorization = `${credential}, SignedHeaders=${names}, Signature=${sign(names)}`;
        return passOn(request, response, { ...rest, authorization });
      }
      refused.push(String(request.url));
      request.resume();
      response.writeHead(400).end('<Error><Code>ExpiredToken</Code><Message>The token has expired</Message></Error>');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    keep({ close: () => (server.closeAllConnections(), server.close()) });
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, refused };
  };

  const passOn = (from: IncomingMessage, to: ServerResponse, headers: object): void => {
    const { hostname, port } = new URL(s3.endpoint);
    const options = { hostname, port, path: from.url, method: from.method, headers: { ...headers }, agent: false };
    const sent = open(options, (answer) => {
      const { connection: _own, ...kept } = answer.headers;
      to.writeHead(answer.statusCode ?? 500, kept);
      answer.pipe(to);
    });
    sent.on('error', () => to.destroy());
    from.pipe(sent);
  };

  const webIdentity = (cloud: FakeCloud, s3Endpoint: string): ObjectsConfig => {
    const awsWebIdentityTokenFile = join(dirname(tls.caFile), 'token');
    writeFileSync(awsWebIdentityTokenFile, CLUSTER_TOKEN);
    const noKeys = { s3AccessKey: undefined, s3SecretKey: undefined };
    const identity = { s3Auth: 'aws' as const, awsRoleArn: ROLE, awsWebIdentityTokenFile, awsStsUrl: cloud.url };
    return { s3Endpoint, s3Region: s3.region, ...noKeys, ...identity };
  };

  /** Every kind of request, again and again, from several callers. */
  const load = async (config: ObjectsConfig, ms: number) => {
    const objects = openObjects(config, bucket.bucket);
    const uploads = openUploads(config, bucket.bucket);
    const read = await reader(config);
    const failures: string[] = [];
    let requests = 0;
    const calls: ((name: string) => Promise<unknown>)[] = [
      (name) => objects.putBytes(name, body, text),
      async () => expect((await objects.getBytes('stored')).equals(body)).to.equal(true),
      () => objects.stat('stored'),
      () => objects.list(''),
      (name) => uploads.put(name, { length: body.length, body: chunks() }, never),
      async () => expect(await read()).to.equal(body.toString()),
    ];
    const ends = performance.now() + ms;
    const call = async (caller: number): Promise<void> => {
      for (let turn = caller; performance.now() < ends; turn += 1) {
        requests += 1;
        await calls[turn % calls.length]?.(`load/${caller}`).catch((error: Error) => failures.push(error.message));
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_none, caller) => call(caller)));
    return { requests, failures };
  };

  /** Reads `stored` as a viewer, by the forwarding. */
  const reader = async (config: ObjectsConfig) => {
    const [forward, objects] = [openForwarding(config), openObjects(config, bucket.bucket)];
    const server = createHttpServer((_request, response) => {
      response.setHeader('content-length', body.length);
      forward(objects, { key: 'stored', size: body.length }, response, () => undefined).catch(() => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    keep({ close: () => (server.closeAllConnections(), server.close()) });
    const { port } = server.address() as AddressInfo;
    return async (): Promise<string> => {
      const sent = get({ port, agent: false });
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return Buffer.concat(await response.toArray()).toString();
    };
  };

  it('keys expire under load again and again, and no request fails', async () => {
    const { issue, given, secretOf } = issuer();
    const cloud = keep(await openFakeCloud({ tls, issue }));
    const storage = await awsStorage(secretOf);
    const { requests, failures } = await load(webIdentity(cloud, storage.url), LOAD_MS);
    process.stdout.write(`      ${requests} requests with ${given.length} keys of ${LIFE_MS} ms\n`);
    expect(failures).to.deep.equal([]);
    expect(storage.refused).to.deep.equal([]);
    expect(given.length).to.be.within(3, 5);
    expect(cloud.asked.length).to.equal(given.length);
    expect(requests).to.be.above(200);
  });

  it('a key that has expired is refused by the storage, which is an unavailable dependency', async () => {
    const { issue, secretOf } = issuer(2_000);
    const cloud = keep(await openFakeCloud({ tls, issue: async () => ({ ...(await issue()), lifeMs: 3_600_000 }) }));
    const objects = openObjects(webIdentity(cloud, (await awsStorage(secretOf)).url), bucket.bucket);
    await objects.getBytes('stored');
    const read = () =>
      objects.getBytes('stored').then(
        () => undefined,
        (one: AppError) => one,
      );
    const error = await until(read, { what: 'the end of the key', everyMs: 100 });
    expect(error.reason).to.equal('credentials_rejected');
    expect(classify(error).class).to.equal('dependency');
  });

  it('without an issuer every kind of call is an unavailable dependency that names the issuer', async () => {
    const { issue } = issuer();
    const cloud = keep(await openFakeCloud({ tls, issue }));
    cloud.state.mood = 'refuses';
    const config = webIdentity(cloud, (await awsStorage(() => undefined)).url);
    const objects = openObjects(config, bucket.bucket);
    const ended = await Promise.allSettled([
      objects.getBytes('stored'),
      objects.putBytes('key', body, text),
      objects.check(),
      objects.removePrefix('none/'),
      openUploads(config, bucket.bucket).put('key', { length: body.length, body: chunks() }, never),
      requestSigner(config)('GET', bucket.bucket, 'stored'),
    ]);
    for (const one of ended) {
      const error = one.status === 'rejected' ? (one.reason as AppError) : expect.fail('it was answered');
      expect(classify(error).class).to.equal('dependency');
      expect(error.message).to.match(/^STS, for the role arn:\S+, refuses: AccessDenied: Not authorized$/);
    }
    expect(cloud.asked.length).to.equal(1);
  });

  it('Google’s storage gets the token of the pod, no signature, and no header of AWS', async () => {
    const seen: IncomingMessage[] = [];
    const { region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey } = bucket;
    // What Google checks is checked here; the request then needs a signature for the server behind.
    const server = createServer({ cert: tls.pem.cert, key: tls.pem.key }, (request, response) => {
      seen.push(request);
      if (request.headers.authorization !== 'Bearer the-access-token') return void response.writeHead(401).end();
      const sign = requestSigner({ s3Endpoint: s3.endpoint, s3Region, s3AccessKey, s3SecretKey });
      const [, name = '', ...key] = decodeURIComponent(request.url ?? '').split('/');
      sign(request.method as 'GET', name, key.join('/')).then(
        ({ headers }) => {
          const length = request.headers['content-length'];
          passOn(request, response, { ...headers, ...(length !== undefined && { 'content-length': length }) });
        },
        () => response.destroy(),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    keep({ close: () => (server.closeAllConnections(), server.close()) });
    const issue = (): Issued => ({ accessKey: '', secretKey: '', sessionToken: 'the-access-token', lifeMs: 3_600_000 });
    const cloud = keep(await openFakeCloud({ tls, issue }));
    const s3Endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const noKeys = { s3AccessKey: undefined, s3SecretKey: undefined };
    const config: ObjectsConfig = { s3Endpoint, s3Region, ...noKeys, s3Auth: 'google', googleMetadataHost: cloud.url };
    const objects = openObjects(config, bucket.bucket);
    await objects.putBytes('google', body, text);
    await openUploads(config, bucket.bucket).put('streamed', { length: body.length, body: chunks() }, never);
    expect(await objects.getBytes('google')).to.deep.equal(body);
    expect(await objects.getBytes('streamed')).to.deep.equal(body);
    expect(await (await reader(config))()).to.equal(body.toString());
    expect(seen).to.have.lengthOf(5);
    for (const { headers } of seen)
      expect(Object.keys(headers).filter((one) => one.startsWith('x-amz'))).to.deep.equal([]);
    expect(cloud.asked.length).to.equal(1);
  });
});

async function* chunks(): AsyncGenerator<Buffer> {
  yield body;
}
