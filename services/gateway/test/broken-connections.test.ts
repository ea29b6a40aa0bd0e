import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { serveAcceptingPeers, startGateway, type Gateway } from './gateway.ts';
import { statusAndCode } from './hostile/exchange.ts';
import { bodyWith, chunked, json, post } from './hostile/request.ts';
import { responsesIn, type RawResponse } from './raw.ts';

const target = { key: 'k', id: '01jd3m8q0c7e5b9x2k4n6p8rst' };
const text = bodyWith();
const whole = { length: `${json}Content-Length: ${text.length}\r\n`, chunks: `${json}Transfer-Encoding: chunked\r\n` };

describe('a broken connection', () => {
  let peers: Awaited<ReturnType<typeof serveAcceptingPeers>>;
  let gateway: Gateway;
  let created = 0;

  before(async () => {
    peers = await serveAcceptingPeers(() => (created += 1));
    gateway = await startGateway(peers.port);
  });
  after(async () => {
    await gateway.close();
    await peers.close();
  });
  beforeEach(() => void (created = 0));

  /** A socket that stays half open, and the data received when it was closed. */
  const open = async (): Promise<{ socket: Socket; responses: () => Promise<RawResponse[]> }> => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => socket.end());
    const closed = once(socket, 'close');
    await once(socket, 'connect');
    return { socket, responses: async () => (await closed, responsesIn(Buffer.concat(chunks).toString())) };
  };

  const served = async (): Promise<void> => {
    expect((await gateway.call('GET', '/nothing')).status, 'the next request of another client').to.equal(404);
  };

  const parts: Readonly<Record<string, Buffer>> = {
    'within the body': post(target, whole.length, text.slice(0, 20)),
    'before the body': post(target, whole.length),
    'within a chunk': post(target, whole.chunks, `ff\r\n${text.slice(0, 20)}`),
    'before the last chunk': post(target, whole.chunks, chunked(text).subarray(0, -5)),
    'within the headers': Buffer.from('POST /v1/videos HTTP/1.1\r\nHost: h\r\nX: '),
    'within the request line': Buffer.from('POST /v1/vid'),
  };
  for (const [where, bytes] of Object.entries(parts)) {
    it(`a connection half closed ${where} gets one 400 and creates no video`, async () => {
      const { socket, responses } = await open();
      socket.end(bytes);
      expect((await responses()).map(statusAndCode)).to.deep.equal(['400 invalid_input']);
      expect(created).to.equal(0);
    });

    it(`a connection reset ${where} creates no video and affects no other request`, async () => {
      const { socket } = await open();
      await new Promise((resolve) => socket.write(bytes, resolve));
      socket.resetAndDestroy();
      await served();
      expect(created).to.equal(0);
    });
  }

  it('a body that arrives byte by byte is accepted', async () => {
    const { socket, responses } = await open();
    socket.setNoDelay(true);
    for (const byte of post(target, `${whole.length}Connection: close\r\n`, text)) {
      socket.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await responses()).map(statusAndCode)).to.deep.equal(['202']);
    expect(created).to.equal(1);
  });

  it('a client that disconnects before its response affects no other request', async () => {
    const { socket } = await open();
    socket.write(post(target, whole.length, text));
    socket.destroy();
    await served();
    expect(created).to.be.lessThan(2);
  });

  const listed: Readonly<Record<string, readonly string[]>> = {
    '/v1/videos': ['POST', 'OPTIONS'],
    [`/v1/videos/${target.id}`]: ['GET', 'DELETE', 'OPTIONS'],
    [`/v1/videos/${target.id}/archive`]: ['POST', 'OPTIONS'],
    [`/v1/videos/${target.id}/republish`]: ['POST', 'OPTIONS'],
    '/openapi.json': ['GET'],
    '/docs': ['GET'],
  };
  for (const [path, methods] of Object.entries(listed))
    it(`every method that ${path.replace(target.id, '{id}')} does not list gets 404`, async () => {
      const others = METHODS.filter((method) => ![...methods, 'HEAD', 'CONNECT'].includes(method));
      const { socket, responses } = await open();
      socket.write(others.map((method) => `${method} ${path} HTTP/1.1\r\nHost: h\r\n\r\n`).join(''));
      socket.write(`HEAD ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      const seen = await responses();
      // HEAD is GET without its body; a status needs credentials.
      const head = !methods.includes('GET') ? '404' : path.startsWith('/v1/') ? '401' : '200';
      expect(seen.map(statusAndCode)).to.deep.equal([...others.map(() => '404 not_found'), head]);
    });

  it('broken connections log no error', () => {
    expect(gateway.lines.filter(({ level }) => level === 'error' || level === 'fatal')).to.deep.equal([]);
  });
});
