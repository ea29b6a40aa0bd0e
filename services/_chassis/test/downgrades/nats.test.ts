/** NATS over TLS: whatever a server, or somebody on the way to it, announces, no credential leaves in clear text. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { testNats, type TestNats } from '@vds/testkit/harness/nats';
import { openRecordingServer } from '@vds/testkit/harness/recording-server';
import { testTlsFiles, type TlsFiles } from '@vds/testkit/harness/tls-files';
import { freePort } from '@vds/testkit/servers/free-port';
import { until } from '@vds/testkit/until';
import { connectBus, connectLazyBus, type Bus, type BusOptions } from '../../src/bus/bus.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const PASSWORD = 'the-password-of-alpha';
const INFO = { server_id: 'X', server_name: 'x', version: '2.15.2', proto: 1, headers: true, max_payload: 1_048_576 };

function infoLine(more: object = {}): string {
  return `INFO ${JSON.stringify({ ...INFO, ...more })}\r\n`;
}

/** Speaks enough of the protocol for a client to consider itself connected. */
function plainNats(port = 0) {
  return openRecordingServer({
    port,
    greeting: infoLine(),
    answer: (data) => (data.includes('PING') ? 'PONG\r\n' : undefined),
  });
}

describe('NATS over TLS', function () {
  this.timeout(30_000);
  let tls: TlsFiles;
  let nats: TestNats;
  let natsPort: number;
  const logged: string[] = [];
  const open: { close: () => Promise<unknown> }[] = [];
  before(async () => {
    tls = await testTlsFiles();
    const users = `authorization { users: [{ user: alpha, password: "${PASSWORD}" }] }`;
    nats = await testNats({ config: `tls { cert_file: "${tls.certFile}", key_file: "${tls.keyFile}" }\n${users}` });
    natsPort = Number(new URL(nats.url).port);
  });
  after(async () => {
    await nats.remove();
    tls.remove();
  });
  afterEach(async () => {
    for (const part of open.splice(0).toReversed()) await part.close();
    logged.length = 0;
  });

  const options = (natsUrl: string, more: Partial<BusOptions> = {}): BusOptions => ({
    ...{ natsUrl, natsUser: 'alpha', natsPassword: PASSWORD, natsReplicas: 1, natsStreamBytes: 2 ** 30 },
    ...{ service: 'alpha', metrics: createMetrics('alpha') },
    log: createLogger('alpha', 'info', { write: (line: string) => void logged.push(line) }),
    natsCaFile: tls.caFile,
    ...more,
  });
  const opened = async (natsUrl: string, more: Partial<BusOptions> = {}): Promise<Bus> => {
    const bus = await connectBus(options(natsUrl, more));
    open.push(bus);
    return bus;
  };
  const failure = async (work: Promise<Bus>): Promise<string> => {
    const ended = await work.then(
      (bus) => void open.push(bus),
      (error: Error) => error.message,
    );
    return ended ?? 'connected';
  };

  it('a server that offers no TLS gets no credentials, and the error says so', async () => {
    const plain = await plainNats();
    open.push(plain);
    const natsCaFile = undefined;
    const message = await failure(connectBus(options(`tls://127.0.0.1:${plain.port}`, { natsCaFile })));
    expect(plain.received()).to.equal('');
    expect(message).to.match(/127\.0\.0\.1:\d+ offers no TLS although NATS_URL says tls:\/\/; nothing was sent/);
  });

  it('a service that connects in the background sends nothing either, and its startup check says why', async () => {
    const plain = await plainNats();
    open.push(plain);
    const bus = connectLazyBus({ ...options(`tls://127.0.0.1:${plain.port}`), graceMs: 0 });
    open.push(bus);
    const reason = () => bus.startupCheck().then(() => '', String);
    await until(async () => /offers no TLS/.test(await reason()), { what: 'the reason in the startup check' });
    await until(() => plain.connections() > 2, { what: 'further attempts' });
    expect(plain.received()).to.equal('');
    expect(logged.filter((line) => line.includes('offers no TLS'))).to.have.lengthOf(1);
  });

  it('a connection that is renewed sends nothing to a server that offers no TLS any more, and the log says so', async () => {
    const port = await freePort();
    const sockets: Socket[] = [];
    const proxy = createServer((near) => {
      const far = connect(natsPort, '127.0.0.1');
      sockets.push(near, far);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far).pipe(near);
    }).listen(port, '127.0.0.1');
    await once(proxy, 'listening');
    const bus = await opened(`tls://127.0.0.1:${port}`);
    await bus.check();
    proxy.close();
    for (const socket of sockets) socket.destroy();
    const plain = await plainNats(port);
    open.push(plain);
    await until(() => plain.connections() > 2, { what: 'attempts to connect again' });
    await until(() => logged.some((line) => line.includes('offers no TLS')), { what: 'the reason in the log' });
    expect(plain.received()).to.equal('');
  });

  it('somebody on the way who announces a server of his own, with a certificate of its own name, gets nothing', async () => {
    // The certificate of the server that NATS_URL names is not valid for `localhost`, that of the intruder is.
    const [ours, intruders] = [await testTlsFiles(['127.0.0.1']), await testTlsFiles(['localhost'])];
    const certificates = { cert: intruders.pem.cert, key: intruders.pem.key };
    let stolen = '';
    let visits = 0;
    const intruder = createServer((socket) => {
      visits += 1;
      socket.on('error', () => undefined).write(infoLine({ tls_required: true }));
      const secure = createTlsServer(certificates, (clear) => {
        clear.on('error', () => undefined).on('data', (data) => (stolen += data.toString('latin1')));
      });
      secure.emit('connection', socket);
    }).listen(0, '127.0.0.1');
    await once(intruder, 'listening');
    const announced = `localhost:${(intruder.address() as AddressInfo).port}`;
    writeFileSync(ours.caFile, `${ours.pem.ca}${intruders.pem.ca}`);
    // As if the announcement were of the server: a real one soon repeats its own, and the client forgets this one.
    const onTheWay = await plainNatsOverTls(ours, { connect_urls: [announced] });
    const bus = await opened(`tls://127.0.0.1:${onTheWay.port}`, { natsCaFile: ours.caFile });
    await bus.check();
    await onTheWay.close();
    await until(() => visits > 1, { what: 'attempts to reach the announced server' });
    await until(() => logged.some((line) => line.includes('cannot be reached')), { what: 'the reason in the log' });
    expect(stolen).to.equal('');
    intruder.close();
  });

  it('a bus whose authority NATS_CA_FILE names connects', async () => {
    await (await opened(`tls://127.0.0.1:${natsPort}`)).check();
  });

  it('a certificate of an unknown authority is rejected', async () => {
    const other = await testTlsFiles();
    const bus = connectLazyBus({
      ...options(`tls://localhost:${natsPort}`, { natsCaFile: other.caFile }),
      graceMs: 60_000,
    });
    open.push(bus);
    const reason = () => bus.startupCheck().then(() => '', String);
    await until(async () => /certificate/.test(await reason()), { what: 'the rejection' });
    other.remove();
  });

  it('a certificate of another name or address is rejected', async () => {
    const other = await testTlsFiles(['elsewhere.example', '192.0.2.1']);
    const server = await testNats({ config: `tls { cert_file: "${other.certFile}", key_file: "${other.keyFile}" }` });
    const port = new URL(server.url).port;
    for (const host of ['localhost', '127.0.0.1']) {
      const bus = connectLazyBus({
        ...options(`tls://${host}:${port}`, { natsCaFile: other.caFile }),
        graceMs: 60_000,
      });
      open.push(bus);
      const reason = () => bus.startupCheck().then(() => '', String);
      await until(async () => /altnames/.test(await reason()), { what: `the rejection as ${host}` });
    }
    await server.remove();
    other.remove();
  });

  it('of several servers, one that is away at first is used later', async () => {
    const away = await freePort();
    const proxied = await plainNatsOverTls(tls);
    open.push(proxied);
    const bus = await opened(`tls://127.0.0.1:${away},tls://127.0.0.1:${proxied.port}`);
    expect(bus.isUp()).to.equal(true);
    await proxied.close();
    await until(() => !bus.isUp(), { what: 'the end of the connection' });
    const back = createServer((near) => {
      const far = connect(natsPort, '127.0.0.1');
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far).pipe(near);
      back.once('end', () => void near.destroy());
      near.on('close', () => far.destroy());
    }).listen(away, '127.0.0.1');
    await once(back, 'listening');
    await until(() => bus.isUp(), { what: 'the connection to the other server' });
    await bus.close();
    back.close();
  });
});

/** A server that accepts every user over TLS, and breaks its connections when it closes. */
async function plainNatsOverTls({ pem }: TlsFiles, announced: object = {}) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.write(infoLine({ tls_required: true, ...announced }));
    const secure = createTlsServer({ cert: pem.cert, key: pem.key }, (clear) => {
      clear.on('error', () => undefined);
      clear.on('data', (data) => void (data.includes('PING') && clear.write('PONG\r\n')));
    });
    secure.emit('connection', socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
