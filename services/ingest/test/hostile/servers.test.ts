/**
 * Hosts that break HTTP and TLS on purpose: every fetch ends in time with its code and leaves nothing in storage, and the
 * process stays small. Hosts that only fail are in failing.test.ts.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { createAuthority } from '@vds/deploy-tools/secrets/certificates';
import { until } from '@vds/testkit/until';
import { startHarness, type Harness } from '../servers/harness.ts';
import type { Worker } from '@vds/testkit/harness/service-harness';
import { SHORT_DEADLINES } from '../servers/short-times.ts';

const CAP = 1_000_000;
const MEBIBYTE = 2 ** 20;
const MAX_MEBIBYTES = 256;
const AT_A_TIME = 4;
const HEAD = 'HTTP/1.1 200 OK\r\n';

type Misbehave = (socket: Socket) => void;

/** By path; what a host does once it has read the request. */
const behaviours: Readonly<Record<string, Misbehave>> = {
  'interim answers without an end': (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'),
  'headers without an end': (socket) => flood(socket, 'x-more: and more\r\n', HEAD),
  'one header of a megabyte': (socket) => socket.end(`${HEAD}x-large: ${'x'.repeat(MEBIBYTE)}\r\n\r\nbody`),
  'ten thousand cookies': (socket) => socket.end(`${HEAD}${'set-cookie: a=b\r\n'.repeat(10_000)}\r\nbody`),
  'a header a second': (socket) => drip(socket, 'x-more: and more\r\n', HEAD),
  'a status line without an end': (socket) => flood(socket, 'x'.repeat(1_000), 'HTTP/1.1 200 '),
  'two lengths': (socket) => socket.end(`${HEAD}content-length: 4\r\ncontent-length: 5\r\n\r\nbody`),
  'a length and chunks': (socket) =>
    socket.end(`${HEAD}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`),
  'a negative length': (socket) => socket.end(`${HEAD}content-length: -1\r\n\r\nbody`),
  'a length of twenty digits': (socket) => socket.end(`${HEAD}content-length: 99999999999999999999\r\n\r\nbody`),
  'a terabyte': (socket) => socket.end(`${HEAD}content-length: 1099511627776\r\n\r\nbody`),
  'a length in hexadecimal': (socket) => socket.end(`${HEAD}content-length: 0x4\r\n\r\nbody`),
  'a chunk that is larger than it is': (socket) =>
    socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nffffffff\r\nbody\r\n`),
  'a chunk of no size': (socket) => socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nbody\r\n0\r\n\r\n`),
  'a chunk of sixteen digits': (socket) =>
    socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\nbody\r\n`),
  'chunks with extensions without an end': (socket) =>
    flood(socket, 'x'.repeat(1_000), `${HEAD}transfer-encoding: chunked\r\n\r\n4;`),
  'chunks of one byte without an end': (socket) =>
    flood(socket, '1\r\nx\r\n', `${HEAD}transfer-encoding: chunked\r\n\r\n`),
  'trailers without an end': (socket) =>
    flood(socket, 'x-more: and more\r\n', `${HEAD}transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n`),
  'an unknown transfer coding': (socket) => socket.end(`${HEAD}transfer-encoding: bomb\r\n\r\nbody`),
  'an answer without a head': (socket) => socket.end('<html>body</html>'),
  'an answer of HTTP/2': (socket) =>
    socket.end(Buffer.from('00001804000000000000030000006400040010000000060000ffff', 'hex')),
  'nothing but zeros': (socket) => flood(socket, '\0'.repeat(1_000)),
  'a header with a line break in it': (socket) => socket.end(`${HEAD}x: a\n b\0\rc\r\n\r\nbody`),
  'part of another file': (socket) =>
    socket.end('HTTP/1.1 206 Partial\r\ncontent-range: bytes 900-903/904\r\ncontent-length: 4\r\n\r\nbody'),
  'a range of nonsense': (socket) =>
    socket.end('HTTP/1.1 206 Partial\r\ncontent-range: bytes x-y/z\r\ncontent-length: 4\r\n\r\nbody'),
  'a status of four digits': (socket) => socket.end('HTTP/1.1 2000 OK\r\n\r\nbody'),
  'a change of protocol': (socket) =>
    socket.end('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nbody'),
  'a redirect of ten thousand characters': (socket) =>
    socket.end(`HTTP/1.1 302 Found\r\nlocation: https://host.example/${'x'.repeat(10_000)}\r\n\r\n`),
  'a redirect to a file': (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\n\r\n'),
  'a redirect to data': (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: data:video/mp4,x\r\n\r\n'),
  'several codings': (socket) => socket.end(`${HEAD}content-encoding: gzip, br\r\ncontent-length: 4\r\n\r\nbody`),
  'a reset in the middle': (socket) => {
    socket.write(`${HEAD}content-length: 1000\r\n\r\nbody`, () => socket.destroy());
  },
};

/** Hosts that break TLS: what they do with a connection. */
const handshakes: Readonly<Record<string, Misbehave>> = {
  'a handshake of zeros': (socket) => flood(socket, '\0'.repeat(1_000)),
  'plain HTTP for TLS': (socket) => socket.end(`${HEAD}content-length: 4\r\n\r\nbody`),
  'a handshake that never ends': () => {},
  'an alert for a handshake': (socket) => socket.end(Buffer.from('15030300020228', 'hex')),
};

/** Writes as fast as the client reads, until it leaves. */
function flood(socket: Socket, piece: string, head = ''): void {
  const pieces = Buffer.from(piece.repeat(Math.ceil(10_000 / piece.length)));
  const more = (): void => {
    while (!socket.destroyed && socket.write(pieces));
  };
  socket.on('drain', more);
  socket.write(head);
  more();
}

function drip(socket: Socket, piece: string, head: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(piece), 200);
  socket.on('close', () => clearInterval(timer));
}

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

describe('hostile source hosts', function () {
  this.timeout(120_000);
  let harness: Harness;
  let ingest: Worker;
  const servers: Server[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'hostile-hosts-'));
  const ended = new Map<string, ReturnType<Harness['fetch']>>();

  before(async () => {
    const authority = await createAuthority();
    const { key, certificate } = await authority.issue(['host.example']);
    writeFileSync(join(folder, 'ca.pem'), authority.caCertificate);
    const byPath = createTlsServer({ key, cert: certificate }, (socket) => {
      socket.on('error', () => {}); // The client leaves early.
      socket.once('data', (request: Buffer) => {
        const path = decodeURIComponent(/^GET \/(\S*)/.exec(request.toString())?.[1] ?? '');
        behaviours[path]?.(socket);
      });
    });
    const pins = [`host.example:443=127.0.0.1:${await portOf(byPath)}`];
    servers.push(byPath);
    for (const [index, misbehave] of Object.values(handshakes).entries()) {
      const server = createTcpServer((socket) => {
        socket.on('error', () => {});
        misbehave(socket);
      });
      servers.push(server);
      pins.push(`tls-${index}.example:443=127.0.0.1:${await portOf(server)}`);
    }
    harness = await startHarness();
    ingest = await harness.start({
      // As in its pods.
      NODE_OPTIONS: '--max-semi-space-size=4',
      ...{ TIME_SCALE: `${SHORT_DEADLINES.TIME_SCALE},tls=1s`, MAX_SOURCE_BYTES: String(CAP) },
      ...{ SOURCE_CA_FILE: join(folder, 'ca.pem'), PRIVATE_SOURCES: pins.join() },
    });
    const addresses = [
      ...Object.keys(behaviours).map((what) => [what, `https://host.example/${encodeURIComponent(what)}`] as const),
      ...Object.keys(handshakes).map((what, index) => [what, `https://tls-${index}.example/`] as const),
    ];
    // A few at a time, one after the other.
    const lanes = Array.from({ length: AT_A_TIME }, () => Promise.resolve<unknown>(undefined));
    for (const [n, [what, address]] of addresses.entries()) {
      const fetched = (lanes[n % AT_A_TIME] ?? Promise.resolve()).then(() => harness.fetch(address));
      lanes[n % AT_A_TIME] = fetched;
      ended.set(what, fetched);
    }
  });
  after(async () => {
    await harness?.stop();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  for (const what of [...Object.keys(behaviours), ...Object.keys(handshakes)])
    it(`a host that sends ${what} ends its fetch with a code of the source, and nothing is stored`, async () => {
      const { videoId, name, payload } = await (ended.get(what) ?? harness.fetch(what));
      expect(name).to.equal('fetchFailed');
      expect(String(payload['code'])).to.match(/^source_/);
      await until(async () => (await harness.keys(videoId)).length === 0, { what: 'the source is removed' });
    });

  it('the process that fetched from all of them never took more than 256 MiB', () => {
    const peak =
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${ingest.process.pid}/status`, 'utf8'))?.[1]) / 1_024;
    console.log(`      ${ended.size} hosts; ${peak.toFixed(0)} MiB at most`);
    expect(peak).to.be.within(1, MAX_MEBIBYTES);
  });
});
