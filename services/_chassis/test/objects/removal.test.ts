/** Permanent removal, judged by the raw listings of the storage. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { AppError } from '../../src/errors.ts';
import { openObjects, type Objects } from '../../src/objects/objects.ts';
import { removalRefused } from '../../src/objects/removal.ts';
import { emptyPrefix } from '../../src/stage/tombstones.ts';
import { listUploads, listVersions, setLegalHold, testBucket, type TestBucket } from '@vds/testkit/harness/objects';

const text = { contentType: 'text/plain' };

function objectsOf(kit: TestBucket, s3Endpoint = kit.endpoint): Objects {
  const keys = { s3AccessKey: kit.accessKey, s3SecretKey: kit.secretKey };
  return openObjects({ s3Endpoint, s3Region: kit.region, ...keys }, kit.bucket);
}

/** The real storage behind a proxy without DeleteObjects, which some storages lack. */
async function withoutDeleteObjects(storage: string) {
  let [posts, deletes, failures] = [0, 0, 0];
  const { hostname, port } = new URL(storage);
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    if (method === 'POST' && /[?&]delete(=|&|$)/.test(path)) {
      posts += 1;
      incoming.resume();
      return void outgoing.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>');
    }
    if (method === 'DELETE' && failures > 0) {
      failures -= 1;
      return void outgoing.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    }
    if (method === 'DELETE') deletes += 1;
    const forwarded = request({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    server,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts: () => posts,
    deletes: () => deletes,
    failNext: () => void (failures = 1),
  };
}

/** The real storage behind a proxy that does not say where a listing of versions continues, as Cloud Storage does. */
async function withoutMarkers(storage: string) {
  const { hostname, port } = new URL(storage);
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    const answer = async (response: IncomingMessage): Promise<void> => {
      const body = Buffer.concat(await Array.fromAsync(response)).toString('latin1');
      const cut = /[?&]versions/.test(path)
        ? body.replaceAll(/<Next(KeyMarker|VersionIdMarker)>.*?<\/Next\1>/g, '')
        : body;
      const bytes = Buffer.from(cut, 'latin1');
      outgoing
        .writeHead(response.statusCode ?? 502, { ...response.headers, 'content-length': bytes.length })
        .end(bytes);
    };
    const forwarded = request({ hostname, port, method, path, headers }, (response) => void answer(response));
    incoming.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('permanent removal', () => {
  let kit: TestBucket;
  let objects: Objects;
  before(async () => {
    kit = await testBucket({ versions: true });
    objects = objectsOf(kit);
  });
  after(() => kit.drop());

  it('a prefix of more objects than one listing has is emptied where the storage does not say where listings continue', async () => {
    const proxy = await withoutMarkers(kit.endpoint);
    const behind = objectsOf(kit, proxy.endpoint);
    const numbers = Array.from({ length: 1_050 }, (_n, index) => index);
    for (const group of Object.values(Object.groupBy(numbers, (n) => Math.floor(n / 50))))
      await Promise.all((group ?? []).map((n) => objects.putBytes(`many/${n}`, 'x', text)));
    await emptyPrefix(behind, 'many/').finally(() => proxy.server.close().closeAllConnections());
    expect(await listVersions(kit, 'many/')).to.deep.equal([]);
  }).timeout(60_000);

  it('a removed prefix has no version, no delete marker and no upload left, and its neighbours keep all of theirs', async () => {
    for (const key of ['p/1/a', 'p/1/a', 'p/1/b/c', 'p/10/d', 'p/10/d']) await objects.putBytes(key, key, text);
    await kit.client.removeObject(kit.bucket, 'p/1/a'); // leaves a delete marker above two versions
    await kit.client.removeObject(kit.bucket, 'p/10/d');
    expect(await listVersions(kit, 'p/1/')).to.have.lengthOf(4);
    const neighbours = await listVersions(kit, 'p/10/');
    expect(neighbours).to.have.lengthOf(3);
    await emptyPrefix(objects, 'p/1/');
    expect(await listVersions(kit, 'p/1/')).to.deep.equal([]);
    expect(await listVersions(kit, 'p/10/')).to.deep.equal(neighbours);
  });

  it('all unfinished uploads of a prefix are aborted in one run, including several of one key', async () => {
    for (const key of ['u/1/a', 'u/1/a', 'u/1/a', 'u/1/b', 'u/2/a'])
      await kit.client.initiateNewMultipartUpload(kit.bucket, key, {});
    expect(await objects.leftovers('u/')).to.have.members(['u/1/a', 'u/1/b', 'u/2/a']);
    await objects.removePrefix('u/1/');
    expect(await listUploads(kit, 'u/')).to.deep.equal(['u/2/a']);
  });

  it('an object that only a delete marker hides is a leftover', async () => {
    await objects.putBytes('h/1/a', 'x', text);
    await kit.client.removeObject(kit.bucket, 'h/1/a');
    expect(await objects.list('h/')).to.deep.equal([]);
    expect(await objects.leftovers('h/')).to.deep.equal(['h/1/a']);
  });

  it('more versions than a page of a listing holds are all removed', async () => {
    const keys = Array.from({ length: 1_005 }, (_key, index) => `m/videos/v1/1/piece-0.1-ab/${index}.m4s`);
    for (let at = 0; at < keys.length; at += 67)
      await Promise.all(keys.slice(at, at + 67).map((key) => objects.putBytes(key, 'x', text)));
    await objects.putBytes('m/videos/v2/x', 'x', text);
    expect(await objects.leftovers('m/videos/v1/')).to.have.members(keys);
    await emptyPrefix(objects, 'm/videos/v1/');
    expect(await listVersions(kit, 'm/')).to.have.lengthOf(1);
  });

  it('an upload that ends during a listing does not disturb it', async () => {
    const server = createServer((request, response) => {
      const url = request.url ?? '';
      if (url.includes('uploadId=')) response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>');
      else if (url.includes('uploads'))
        response.end(`<ListMultipartUploadsResult><IsTruncated>false</IsTruncated><Upload><Key>n/1</Key>
          <UploadId>u</UploadId><Initiated>2026-01-01T00:00:00Z</Initiated></Upload></ListMultipartUploadsResult>`);
      else response.end('<ListVersionsResult><IsTruncated>false</IsTruncated></ListVersionsResult>');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const ended = objectsOf(kit, `http://127.0.0.1:${port}`);
      expect(await ended.leftovers('n/')).to.deep.equal(['n/1']);
      await ended.removePrefix('n/');
    } finally {
      server.close().closeAllConnections();
    }
  });

  it('an object under a legal hold is reported as refused, the others are removed, and it is removed once the hold is lifted', async () => {
    for (const key of ['l/1/held', 'l/1/free']) await objects.putBytes(key, 'x', text);
    await setLegalHold(kit, 'l/1/held', 'ON');
    const error: unknown = await emptyPrefix(objects, 'l/').catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(AppError).with.include({ code: 'FAILED_PRECONDITION', reason: removalRefused });
    expect((error as AppError).message).to.match(/object storage keeps 1 version.*l\/1\/held/);
    expect((await listVersions(kit, 'l/')).map((version) => version.split(' ')[0])).to.deep.equal(['l/1/held']);
    await setLegalHold(kit, 'l/1/held', 'OFF');
    await emptyPrefix(objects, 'l/');
    expect(await listVersions(kit, 'l/')).to.deep.equal([]);
  });

  it('without DeleteObjects in the storage, a purge removes every version one by one, and tries it once', async () => {
    const { server, posts, deletes, endpoint } = await withoutDeleteObjects(kit.endpoint);
    try {
      const plain = objectsOf(kit, endpoint);
      for (const key of ['d/1/a', 'd/1/a', 'd/1/b/c', 'd/2/a', 'd/2/(x) y', 'd/3/a'])
        await objects.putBytes(key, 'x', text);
      await kit.client.removeObject(kit.bucket, 'd/1/a'); // leaves a delete marker above two versions
      await emptyPrefix(plain, 'd/1/');
      await emptyPrefix(plain, 'd/2/');
      expect((await listVersions(kit, 'd/')).map((version) => version.split(' ')[0])).to.deep.equal(['d/3/a']);
      expect({ posts: posts(), deletes: deletes() }).to.deep.equal({ posts: 1, deletes: 6 });
    } finally {
      server.close().closeAllConnections();
    }
  });

  it('without DeleteObjects in the storage, an object under a legal hold is refused, and a transient error is thrown', async () => {
    const { server, failNext, endpoint } = await withoutDeleteObjects(kit.endpoint);
    try {
      const plain = objectsOf(kit, endpoint);
      for (const key of ['e/1/held', 'e/1/free', 'e/2/a']) await objects.putBytes(key, 'x', text);
      await setLegalHold(kit, 'e/1/held', 'ON');
      const refused: unknown = await emptyPrefix(plain, 'e/1/').catch((cause: unknown) => cause);
      expect(refused).to.be.instanceOf(AppError).with.include({ reason: removalRefused });
      await setLegalHold(kit, 'e/1/held', 'OFF');
      failNext();
      const busy: unknown = await plain.removePrefix('e/2/').catch((cause: unknown) => cause);
      expect(busy).to.be.instanceOf(AppError).with.include({ code: 'UNAVAILABLE', reason: 'slow_down' });
      await emptyPrefix(plain, 'e/');
      expect(await listVersions(kit, 'e/')).to.deep.equal([]);
    } finally {
      server.close().closeAllConnections();
    }
  });

  it('without a listing of versions in the storage, objects are listed', async () => {
    const server = createServer((request, response) => {
      if (request.url?.includes('versions')) {
        response.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>');
        return;
      }
      const uploads = '<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>';
      const listed = '<ListBucketResult><Contents><Key>n/1</Key><Size>1</Size></Contents></ListBucketResult>';
      response.end(request.url?.includes('uploads') ? uploads : listed);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const plain = objectsOf(kit, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const found = await plain.leftovers('n/');
    server.close().closeAllConnections();
    expect(found).to.deep.equal(['n/1']);
  });
});
