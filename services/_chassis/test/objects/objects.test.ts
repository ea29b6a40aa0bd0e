import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../src/errors.ts';
import { getDocument } from '../../src/objects/documents.ts';
import { openObjectClient, openObjects, type Objects } from '../../src/objects/objects.ts';
import { currentPhases, withPhases } from '../../src/work/phases.ts';
import { emptyPrefix } from '../../src/stage/tombstones.ts';
import { testBucket } from '@vds/testkit/harness/objects';

type Kit = Awaited<ReturnType<typeof testBucket>>;
const text = { contentType: 'text/plain' };

describe('objects', () => {
  let kit: Kit;
  let objects: Objects;
  let config: Parameters<typeof openObjects>[0];
  before(async () => {
    kit = await testBucket();
    config = { s3Endpoint: kit.endpoint, s3Region: kit.region, s3AccessKey: kit.accessKey, s3SecretKey: kit.secretKey };
    objects = openObjects(config, kit.bucket);
  });
  after(() => kit.drop());

  it('an object keeps its bytes, content type and cache control', async () => {
    await objects.putBytes('a/one', 'hello', { contentType: 'text/vtt', cacheControl: 'private, max-age=60' });
    expect((await objects.getBytes('a/one')).toString()).to.equal('hello');
    expect(await objects.stat('a/one')).to.include({ size: 5, contentType: 'text/vtt' });
  });

  it('the check of a bucket passes while the bucket exists and fails if there is none', async () => {
    await objects.check();
    const missing = openObjects(config, `${kit.bucket}-missing`);
    const outcome = await missing.check().then(() => 'passed', String);
    expect(outcome).to.include('the bucket does not exist').and.include(`${kit.bucket}-missing`);
  });

  it('reads and writes are phases of the job in progress, until the last byte', async () => {
    const phases = await withPhases(async () => {
      const path = join(await mkdtemp(join(tmpdir(), 'objects-')), 'file');
      await objects.putBytes('a/timed', 'hello', text);
      const stored = currentPhases();
      const body = await objects.getStream('a/timed');
      await setTimeout(100);
      await body.toArray();
      await objects.getToFile('a/timed', path);
      await objects.putFile('a/timed', path, text);
      await rm(path);
      return [stored, currentPhases()] as const;
    });
    expect(phases[0]).to.have.all.keys('upload');
    expect(phases[1]).to.have.all.keys('upload', 'fetch');
    expect(phases[1]?.fetch?.ms).to.be.at.least(95);
    expect(phases[1]?.upload?.toMs).to.be.at.least(phases[1]?.fetch?.toMs ?? Infinity);
  });

  it('a range of bytes is read', async () => {
    await objects.putBytes('a/range', '0123456789', text);
    const parts: Buffer[] = [];
    for await (const chunk of await objects.getStream('a/range', { start: 3, length: 4 })) parts.push(chunk as Buffer);
    expect(Buffer.concat(parts).toString()).to.equal('3456');
  });

  it('a document is read by its definition, and an invalid or too large one fails permanently', async () => {
    const read = (bytes: Uint8Array, key: string): string => {
      if (bytes[0] !== 0x7b) throw new Error('invalid x.json: it must be JSON');
      return `${bytes.length} bytes of ${key}`;
    };
    const outcome = (key: string): Promise<unknown> =>
      getDocument(objects, key, { maxBytes: 10, read }).catch((error: unknown) =>
        error instanceof AppError ? `${error.code}: ${error.message}` : error,
      );
    await objects.putBytes('a/good.json', '{}', text);
    await objects.putBytes('a/bad.json', 'x', text);
    await objects.putBytes('a/large.json', '{'.repeat(11), text);
    expect(await outcome('a/good.json')).to.equal('2 bytes of a/good.json');
    expect(await outcome('a/bad.json')).to.equal('INVALID_ARGUMENT: invalid x.json: it must be JSON (a/bad.json)');
    expect(await outcome('a/large.json')).to.match(/^INVALID_ARGUMENT: .*more than 10 bytes$/);
    expect(await outcome('a/absent.json')).to.match(/^NOT_FOUND/);
  });

  it('a file is streamed up and down', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'objects-test-'));
    const bytes = Buffer.alloc(12_000_000, 'abc');
    await writeFile(join(folder, 'up'), bytes);
    await objects.putFile('a/file', join(folder, 'up'), text);
    expect(await objects.getToFile('a/file', join(folder, 'down'))).to.equal(bytes.length);
    expect((await readFile(join(folder, 'down'))).equals(bytes)).to.equal(true);
    await rm(folder, { recursive: true });
  });

  it('a missing file fails its upload, and nothing else', async () => {
    const error: unknown = await objects.putFile('a/file', '/no/such/file', text).catch((cause: unknown) => cause);
    expect(error).to.have.property('code', 'ENOENT');
  });

  it('a missing key is NOT_FOUND, a wrong secret UNAVAILABLE', async () => {
    const missing: unknown = await objects.getBytes('a/none').catch((error: unknown) => error);
    expect(missing).to.be.instanceOf(AppError).with.property('code', 'NOT_FOUND');
    const stranger = openObjects({ ...config, s3SecretKey: 'wrong-secret' }, kit.bucket);
    const refused: unknown = await stranger.putBytes('a/x', 'x', text).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(AppError).with.property('reason', 'credentials_rejected');
  });

  it('a response that stalls is aborted at the call limit', async () => {
    const server = createServer((_request, response) => void response.writeHead(200).write('begun'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const s3Endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const hanging = openObjects({ ...config, s3Endpoint }, kit.bucket, { callMs: 200 });
    const error: unknown = await hanging.getBytes('a/one').catch((cause: unknown) => cause);
    server.close().closeAllConnections();
    expect(error).to.be.instanceOf(AppError).with.property('code', 'UNAVAILABLE');
  });

  it('an object larger than the limit is rejected', async () => {
    await objects.putBytes('a/long', 'hello', text);
    expect((await objects.getBytes('a/long', 5)).toString()).to.equal('hello');
    const error: unknown = await objects.getBytes('a/long', 4).catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(AppError).with.property('code', 'INVALID_ARGUMENT');
  });

  it('removing a prefix removes its objects and unfinished uploads, and nothing else', async () => {
    for (const key of ['p/1/a', 'p/1/b/c', 'p/10/d']) await objects.putBytes(key, 'x', text);
    await openObjectClient(config).initiateNewMultipartUpload(kit.bucket, 'p/1/unfinished', {});
    expect(await objects.leftovers('p/1/')).to.have.members(['p/1/a', 'p/1/b/c', 'p/1/unfinished']);
    await emptyPrefix(objects, 'p/1/');
    expect(await objects.leftovers('p/1/')).to.deep.equal([]);
    expect(await objects.list('p/')).to.deep.equal(['p/10/d']);
  });

  it('only the objects that match are removed', async () => {
    for (const key of ['q/1/a', 'q/2/a']) await objects.putBytes(key, 'x', text);
    await emptyPrefix(objects, 'q/', (key) => !key.startsWith('q/2/'));
    expect(await objects.list('q/')).to.deep.equal(['q/2/a']);
  });
});
