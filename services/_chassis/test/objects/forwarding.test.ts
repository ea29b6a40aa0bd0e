/** Objects forwarded from real storage, and from servers that answer in other ways, to readers of HTTP. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect, createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { openCuttingProxy, type CuttingProxy } from '@vds/testkit/harness/cutting-proxy';
import { testBucket, type TestBucket } from '@vds/testkit/harness/objects';
import { testTlsFiles } from '@vds/testkit/harness/tls-files';
import { lasts, until } from '@vds/testkit/until';
import { expect } from 'chai';
import type { AppError } from '../../src/errors.ts';
import { openForwarding, type Forwarded } from '../../src/objects/forwarding.ts';
import { openObjects, type ObjectsConfig } from '../../src/objects/objects.ts';

const MIB = 2 ** 20;
const SILENT_MS = 600;
const large = randomBytes(24 * MIB);

describe('forwarding objects', () => {
  let bucket: TestBucket;
  let storage: CountedProxy;
  let config: ObjectsConfig;
  const opened: { readonly close: () => unknown }[] = [];
  before(async () => {
    bucket = await testBucket();
    await bucket.client.putObject(bucket.bucket, 'large', large);
    const { region: s3Region, accessKey: s3AccessKey, secretKey: s3SecretKey } = bucket;
    storage = keep(await openCountedProxy(bucket.endpoint));
    const s3Endpoint = `http://127.0.0.1:${storage.port}`;
    config = { s3Endpoint, s3Region, s3AccessKey, s3SecretKey, s3ConnectMs: 500, s3TimeoutMs: SILENT_MS };
  });
  after(async () => {
    for (const one of opened) await one.close();
    await bucket.drop();
  });
  const keep = <T extends { readonly close: () => unknown }>(one: T): T => (opened.push(one), one);

  const all = { key: 'large', size: large.length };
  const part = (start: number, length: number): Forwarded => ({ ...all, span: { start, length } });
  /** A server that responds with what `next` says. */
  const serve = async (of: ObjectsConfig, largeBuffers?: number) => {
    const forward = openForwarding(of, largeBuffers);
    const objects = openObjects(of, bucket.bucket);
    const errors: unknown[] = [];
    let next: Forwarded = all;
    const server = createHttpServer((_request, response) => {
      response.setHeader('content-length', next.span?.length ?? next.size);
      forward(objects, next, response, () => undefined).catch((error: unknown) => {
        errors.push(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(503, { 'content-length': 0 }).end();
      });
    });
    keep({ close: () => (server.closeAllConnections(), server.close()) });
    const port = await listen(server);
    const open = async (object: Forwarded): Promise<IncomingMessage> => {
      next = object;
      const [response] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
      return response;
    };
    return {
      errors,
      open,
      read: async (object: Forwarded): Promise<Buffer> => {
        const response = await open(object);
        const bytes = Buffer.concat(await response.toArray());
        if ((response.statusCode ?? 500) >= 300) throw new Error(`status ${response.statusCode}`);
        return bytes;
      },
    };
  };

  it('one kept connection serves an object and parts of it, byte for byte', async () => {
    const { read } = await serve(config, 1);
    const before = storage.accepted();
    expect((await read(all)).equals(large)).to.equal(true);
    for (const [start, length] of [
      [0, 1],
      [5 * MIB + 3, 2 * MIB],
      [large.length - 70_000, 70_000],
    ] as const)
      expect((await read(part(start, length))).equals(large.subarray(start, start + length))).to.equal(true);
    expect(storage.accepted() - before).to.equal(1);
  });

  it('an object is read under any key that storage keeps', async () => {
    const { read } = await serve(config);
    await read(part(0, 1));
    const before = storage.accepted();
    for (const key of ['a b/c+d', "it's (a)*!", 'ü/日本', 'x?y=1&z#f', 'per%20cent~._-']) {
      await bucket.client.putObject(bucket.bucket, key, 'hello');
      expect((await read({ key, size: 5 })).toString(), key).to.equal('hello');
      await bucket.client.removeObject(bucket.bucket, key);
    }
    await read(part(0, 1));
    expect(storage.accepted()).to.equal(before); // a refusal would have ended the connection
  });

  it('readers who take every connection, and nothing from it, delay nobody', async () => {
    const { read, open } = await serve(config, 2);
    const slow = [await open(all), await open(all)];
    for (const start of [1, 2, 3])
      expect((await read(part(start, 9))).equals(large.subarray(start, start + 9))).to.equal(true);
    for (const response of slow) expect(Buffer.concat(await response.toArray()).equals(large)).to.equal(true);
  });

  it('a reader who leaves ends the read, and a slow one is waited for', async () => {
    const { open, read } = await serve(config);
    storage.closeAll();
    const leaving = await open(all);
    expect(storage.open()).to.be.above(0);
    leaving.destroy();
    await until(() => storage.open() === 0, { what: 'no connection to storage' });
    const slow = await open(all);
    await lasts(3 * SILENT_MS);
    expect(Buffer.concat(await slow.toArray()).equals(large)).to.equal(true);
    expect((await read(part(0, 4))).length).to.equal(4);
  }).timeout(20_000);

  it('a kept connection that storage has closed in the meantime costs its reader nothing', async () => {
    const { read, errors } = await serve(config);
    await read(part(0, 10));
    storage.closeAll();
    expect((await read(part(0, 10))).length).to.equal(10);
    expect(errors).to.deep.equal([]);
  });

  it('the errors of storage are those of other reads, and nothing has been sent', async () => {
    const { open, errors } = await serve(config);
    expect((await open({ key: 'missing', size: 100_000 })).statusCode).to.equal(503);
    const down = await serve({ ...config, s3Endpoint: 'http://127.0.0.1:1' });
    expect((await down.open(all)).statusCode).to.equal(503);
    expect([...errors, ...down.errors].map((error) => (error as AppError).code)).to.deep.equal([
      'NOT_FOUND',
      'UNAVAILABLE',
    ]);
  });

  it('storage that is silent before or within an object ends the response in time', async () => {
    const proxy: CuttingProxy = keep(await openCuttingProxy(bucket.endpoint));
    const { open, errors } = await serve({ ...config, s3Endpoint: proxy.url });
    const response = await open(all);
    proxy.dropResponses();
    const outcome = await response.toArray().then(
      () => 'whole',
      () => 'cut',
    );
    expect(outcome).to.equal('cut');
    expect((await open(all)).statusCode).to.equal(503);
    expect(errors.map((error) => (error as AppError).reason)).to.deep.equal(['storage_silent', 'storage_silent']);
  }).timeout(20_000);

  it('responses of unknown length, in drips, or longer than they state never give a reader wrong bytes', async () => {
    const body = 'HTTP/1.1 200 OK\r\n';
    const answers: Readonly<Record<string, { readonly parts: readonly string[]; readonly read: string }>> = {
      chunked: { parts: [`${body}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`], read: 'hello' },
      'without a length': { parts: [`${body}connection: close\r\n\r\nhello`], read: 'hello' },
      'in drips': { parts: `${body}Content-Length: 5\r\n\r\nhello`.split(''), read: 'hello' },
      'too long': { parts: [`${body}Content-Length: 5\r\n\r\nhello, you`], read: 'failed' },
      'too short': { parts: [`${body}Content-Length: 5\r\n\r\nhel`], read: 'failed' },
    };
    for (const [what, { parts, read }] of Object.entries(answers)) {
      const server = keep(
        createServer((socket) => {
          socket.on('error', () => undefined).once('data', () => void send(socket, parts));
        }),
      );
      const s3Endpoint = `http://127.0.0.1:${await listen(server)}`;
      const reader = await serve({ ...config, s3Endpoint });
      const outcome = await reader.read({ key: 'x', size: 5 }).then(String, () => 'failed');
      expect(outcome, what).to.equal(read);
    }
  });

  it('storage with TLS is read by its certificate, and one without a known authority is not', async () => {
    const { pem, remove } = await testTlsFiles();
    const port = Number(new URL(bucket.endpoint).port);
    const server = tls.createServer({ cert: pem.cert, key: pem.key }, (near) => {
      const far = connect(port, '127.0.0.1');
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) {
        socket.on('error', () => undefined);
        keep({ close: () => socket.destroy() });
      }
    });
    const s3Endpoint = `https://127.0.0.1:${await listen(keep(server))}`;
    const known = tls.getCACertificates('default');
    try {
      expect((await (await serve({ ...config, s3Endpoint })).open(all)).statusCode).to.equal(503);
      tls.setDefaultCACertificates([...known, pem.ca]);
      expect((await (await serve({ ...config, s3Endpoint })).read(all)).equals(large)).to.equal(true);
    } finally {
      tls.setDefaultCACertificates(known);
      remove();
    }
  });
});

type CountedProxy = Awaited<ReturnType<typeof openCountedProxy>>;

/** Passes every byte on, and counts connections. */
async function openCountedProxy(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((near) => {
    accepted += 1;
    sockets.add(near);
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.once('close', () => (sockets.delete(near), far.destroy()));
  });
  const closeAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: await listen(server),
    accepted: (): number => accepted,
    open: (): number => sockets.size,
    closeAll,
    close: () => (closeAll(), server.close()),
  };
}

async function listen(server: Server | NetServer): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function send(socket: Socket, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.end();
}
