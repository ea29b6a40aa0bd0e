/** NATS over TLS: no credential is sent in clear text, whatever a server or a man in the middle announces. */
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
import { connectBus, type Bus, type BusOptions } from '../../src/bus/bus.ts';
import { connectLazyBus } from '../../src/bus/lazy-bus.ts';
import { openNats } from '../../src/bus/connection.ts';
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
  this.timeout(90_000);
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

  it('a service that connects in the background sends nothing either, and its startup check reports why', async () => {
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

  it('a reconnect sends nothing to a server that no longer offers TLS, and it is logged', async () => {
    const between = await openBetween(natsPort);
    const bus = await opened(`tls://127.0.0.1:${between.port}`);
    await bus.check();
    between.close();
    const plain = await plainNats(between.port);
    open.push(plain);
    await until(() => plain.connections() > 2, { what: 'attempts to connect again' });
    await until(() => logged.some((line) => line.includes('offers no TLS')), { what: 'the reason in the log' });
    expect(plain.received()).to.equal('');
  });

  it('a man in the middle who announces his own server, with a certificate in its name, gets nothing', async () => {
    // The certificate of the server in NATS_URL is not valid for `localhost`, the intruder's is.
    const [ours, intruders] = [await testTlsFiles(['127.0.0.1']), await testTlsFiles(['localhost'])];
    writeFileSync(ours.caFile, `${ours.pem.ca}${intruders.pem.ca}`);
    const [real, intruder] = [await tlsNats(ours), await tlsNats(intruders)];
    const between = await openBetween(real.port, (info) =>
      info.replace('INFO {', `INFO {"connect_urls":["localhost:${intruder.port}"],`),
    );
    const bus = await opened(`tls://127.0.0.1:${between.port}`, { natsCaFile: ours.caFile });
    await bus.check();
    between.close();
    await until(() => intruder.visits() > 1, { what: 'attempts to reach the announced server' });
    const explained = (): boolean => logged.some((line) => line.includes('cannot be reached'));
    await until(() => intruder.received() !== '' || explained(), { what: 'the reason in the log' });
    expect(intruder.received()).to.equal('');
    await bus.close();
    for (const server of [real, intruder]) server.close();
    for (const files of [ours, intruders]) files.remove();
  });

  it('nothing that a man in the middle adds before the handshake is treated as a message', async () => {
    let forged = '';
    const between = await openBetween(natsPort, (info) => info + forged);
    const natsUrl = `tls://127.0.0.1:${between.port}`;
    const nc = await openNats({ ...options(natsUrl), inboxPrefix: '_INBOX_alpha' });
    open.push(nc);
    const received: string[] = [];
    nc.subscribe('alpha.>', { callback: (_error, message) => void received.push(message.string()) });
    await nc.flush();
    forged = Array.from({ length: 9 }, (_none, id) => `MSG alpha.x ${id} 6\r\nforged\r\n`).join('');
    between.cut();
    await until(() => received.length > 0 || between.connections() > 3, { what: 'attempts to connect again' });
    forged = '';
    await until(() => nc.flush().then(() => true), { what: 'the connection' });
    nc.publish('alpha.x', 'true');
    await until(() => received.includes('true'), { what: 'a message' });
    expect(received).to.deep.equal(['true']);
    await nc.close();
    between.close();
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

  it('of several servers, one that is unavailable at first is used later', async () => {
    const away = await freePort();
    const first = await tlsNats(tls);
    const bus = await opened(`tls://127.0.0.1:${away},tls://127.0.0.1:${first.port}`);
    expect(bus.isUp()).to.equal(true);
    first.close();
    await until(() => !bus.isUp(), { what: 'the end of the connection' });
    const back = await openBetween(natsPort, (info) => info, away);
    await until(() => bus.isUp(), { what: 'the connection to the other server' });
    await bus.close();
    back.close();
  });
});

/** Accepts every user over TLS. */
async function tlsNats({ pem }: TlsFiles) {
  let [visits, received] = [0, ''];
  const { port, close } = await listen((socket) => {
    visits += 1;
    socket.write(infoLine({ tls_required: true }));
    const secure = createTlsServer({ cert: pem.cert, key: pem.key }, (clear) => {
      clear
        .on('error', () => undefined)
        .on('data', (data) => {
          received += data.toString('latin1');
          if (data.includes('PING')) clear.write('PONG\r\n');
        });
    });
    secure.emit('connection', socket);
  });
  return { port, close, visits: () => visits, received: () => received };
}

/** A man in the middle who can change what the server sends before the handshake. */
async function openBetween(target: number, change = (info: string): string => info, ownPort = 0) {
  let connections = 0;
  const { port, cut, close } = await listen((near) => {
    connections += 1;
    const far = connect(target, '127.0.0.1').on('error', () => undefined);
    near.pipe(far);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.once('data', (info) => {
      near.write(change(info.toString()));
      far.pipe(near);
    });
  }, ownPort);
  return { port, cut, close, connections: () => connections };
}

/** Listens on loopback; `close` also breaks the connections. */
async function listen(onConnection: (socket: Socket) => void, ownPort = 0) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('close', () => sockets.delete(socket));
    onConnection(socket);
  }).listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => sockets.forEach((socket) => void socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close: (): void => {
      server.close();
      cut();
    },
  };
}
