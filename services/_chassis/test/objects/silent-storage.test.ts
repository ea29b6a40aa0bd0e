/** Calls of object storage that becomes silent: each ends in time, and the next one works. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { expect } from 'chai';
import { lasts } from '@vds/testkit/until';
import { AppError, classify } from '../../src/errors.ts';
import { openObjects, type Objects, type ObjectsConfig } from '../../src/objects/objects.ts';
import { openUploads, type Uploads } from '../../src/objects/uploads.ts';
import { withSignal } from '../../src/process/current-signal.ts';

const MIB = 2 ** 20;
const SILENT_MS = 600;
const text = { contentType: 'text/plain' };

describe('object storage that becomes silent', () => {
  let bucket: TestBucket;
  let proxy: CuttingProxy;
  let folder: string;
  let config: ObjectsConfig;
  let objects: Objects;
  let uploads: Uploads;
  const servers: Server[] = [];
  before(async () => {
    bucket = await testBucket();
    folder = await mkdtemp(join(tmpdir(), 'silent-storage-'));
    await writeFile(join(folder, 'large'), Buffer.alloc(70 * MIB));
    await bucket.client.putObject(bucket.bucket, 'large', Buffer.alloc(32 * MIB, 'x'));
    proxy = await openCuttingProxy();
    proxy.forwardTo(Number(new URL(bucket.endpoint).port));
    const { region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey } = bucket;
    const s3Endpoint = `http://127.0.0.1:${proxy.port}`;
    config = { s3Endpoint, s3Region, s3AccessKey, s3SecretKey, s3ConnectMs: 500, s3TimeoutMs: SILENT_MS };
    objects = openObjects(config, bucket.bucket);
    uploads = openUploads(config, bucket.bucket);
  });
  beforeEach(async () => {
    proxy.cut();
    await sleep(20); // until the client has seen that its connections are gone
  });
  after(async () => {
    servers.forEach((server) => server.close());
    await proxy.close();
    await bucket.drop();
    await rm(folder, { recursive: true });
  });

  /** The error of a call; fails the test if the call succeeds, or does not end. */
  const errorOf = async (work: Promise<unknown>): Promise<AppError> => {
    const ended = await Promise.race([
      work.then(
        () => 'succeeded',
        (error: unknown) => error,
      ),
      sleep(15_000, 'hangs'),
    ]);
    expect(ended).to.be.instanceOf(AppError);
    return ended as AppError;
  };
  const expectUnavailable = async (work: Promise<unknown>): Promise<void> => {
    const error = await errorOf(work);
    expect({ code: error.code, class: classify(error).class }).to.deep.equal({
      code: 'UNAVAILABLE',
      class: 'dependency',
    });
    proxy.cut();
    await sleep(20);
    expect((await objects.stat('large')).size).to.equal(32 * MIB);
  };
  const never = new AbortController().signal;
  const body = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from('0123456789');
  };

  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    'a read of bytes': () => objects.getBytes('large'),
    'a read into a file': () => objects.getToFile('large', join(folder, 'down')),
    'a write of bytes': () => objects.putBytes('new', 'x', text),
    'a write of a file in parts': () => objects.putFile('file', join(folder, 'large'), text),
    'a read of metadata': () => objects.stat('large'),
    'a list': () => objects.list('videos/'),
    'a list of leftovers': () => objects.leftovers('videos/'),
    'a removal': () => objects.removePrefix('videos/'),
    'the readiness check': () => objects.check(),
    'a streamed upload': () => uploads.put('upload', { length: 10, body: body() }, never),
  };
  for (const [what, call] of Object.entries(calls))
    it(`${what} ends as UNAVAILABLE while object storage does not respond, and works again afterwards`, async () => {
      proxy.dropResponses();
      await expectUnavailable(call());
    });

  it('a stream that stalls in the middle of its object ends as UNAVAILABLE', async () => {
    const stream = await objects.getStream('large');
    let read = 0;
    const drain = async (): Promise<void> => {
      for await (const chunk of stream) {
        if (read === 0) proxy.dropResponses();
        read += (chunk as Buffer).length;
      }
    };
    const error: unknown = await drain().catch((cause: unknown) => cause);
    expect(read).to.be.within(1, 32 * MIB - 1);
    expect(classify(error).class).to.equal('dependency');
  });

  it('a streamed upload that object storage does not accept ends as UNAVAILABLE', async () => {
    const deaf = createServer((socket) => void socket.pause().on('error', () => undefined)).listen(0, '127.0.0.1');
    servers.push(deaf);
    await once(deaf, 'listening');
    const s3Endpoint = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(MIB);
    };
    const { put } = openUploads({ ...config, s3Endpoint }, 'sources');
    expect((await errorOf(put('k', { length: 2 ** 40, body: endless() }, never))).reason).to.equal('storage_silent');
  });

  it('a streamed upload with a slow source waits for it', async () => {
    const slow = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('01234');
      await lasts(3 * SILENT_MS);
      yield Buffer.from('56789');
    };
    await uploads.put('slow-source', { length: 10, body: slow() }, never);
    expect((await objects.getBytes('slow-source')).toString()).to.equal('0123456789');
  });

  it('an error of a streamed upload’s own body is thrown unchanged, and nothing is stored', async () => {
    const broken = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('0');
      throw new AppError('FAILED_PRECONDITION', 'the source ended', { reason: 'body_truncated' });
    };
    const error = await errorOf(uploads.put('broken-source', { length: 10, body: broken() }, never));
    expect(error.reason).to.equal('body_truncated');
    expect(await objects.list('broken-source')).to.deep.equal([]);
  });

  it('a slow reader of an object is not mistaken for silent storage', async () => {
    let read = 0;
    for await (const chunk of Readable.from(await objects.getStream('large'))) {
      if (read === 0) await lasts(3 * SILENT_MS);
      read += (chunk as Buffer).length;
    }
    expect(read).to.equal(32 * MIB);
  });

  it('a call ends at once with the abort reason of the work around it', async () => {
    const patient = openObjects({ ...config, s3TimeoutMs: 60_000 }, bucket.bucket);
    const abort = new AbortController();
    proxy.dropResponses();
    const call = withSignal(abort.signal, () => patient.getBytes('large'));
    setTimeout(() => abort.abort(new AppError('ABORTED', 'the lease was lost')), 50);
    expect((await errorOf(call)).message).to.equal('the lease was lost');
  });
}).timeout(30_000);
