import { expect } from 'chai';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { trace, type Link } from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import express from 'express';
import { observeHttp, requestOwnPort, serveHttp } from '../../src/http/http.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { currentTraceparent, startTelemetry } from '../../src/telemetry/telemetry.ts';

describe('http', () => {
  const lines: string[] = [];
  const links: string[] = [];
  const metrics = createMetrics('test');
  let server: Awaited<ReturnType<typeof serveHttp>>;
  let release = Promise.withResolvers<void>();
  before(async () => {
    await startTelemetry('test', undefined);
    // As where spans are exported: they are recorded, and the test reads them.
    trace.disable();
    trace.setGlobalTracerProvider(new TracerProvider());
    const log = createLogger('test', 'debug', { write: (line: string) => void lines.push(line) });
    const app = express();
    app.use(
      observeHttp({
        log,
        metrics,
        routeOf: (request) => (request.path === '/slow' ? '/slow' : 'other'),
        printable: () => '/hidden',
      }),
    );
    app.get('/trace', (_request, response) => {
      const { links: ofSpan = [] } = trace.getActiveSpan() as unknown as { links?: Link[] };
      links.push(...ofSpan.map(({ context }) => `${context.traceId} ${context.spanId}`));
      response.send(currentTraceparent());
    });
    app.get('/slow', (_request, response, next) => void release.promise.then(() => response.send('done'), next));
    server = await serveHttp(app, {
      port: 0,
      onClientError: (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nx-ours: yes\r\n\r\n'),
    });
  });

  it('load balancers see by /healthz whether a process takes requests, without credentials', async () => {
    const stopping = new AbortController();
    const seen: string[] = [];
    const own = await serveHttp((request, response) => void (seen.push(request.url ?? ''), response.end('app')), {
      port: 0,
      stopping: stopping.signal,
    });
    const health = async (method = 'GET') => (await fetch(`http://127.0.0.1:${own.port}/healthz`, { method })).status;
    expect([await health(), await health('HEAD'), await health('POST')]).to.deep.equal([200, 200, 200]);
    expect(seen, 'every other method is the app’s').to.deep.equal(['/healthz']);
    stopping.abort();
    expect(await health()).to.equal(503);
    await own.close();
  });

  it('a stranger’s traceparent starts a new trace that links it', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const body = await fetch(`http://127.0.0.1:${server.port}/trace?token=hunter2`, { headers: { traceparent } }).then(
      (r) => r.text(),
    );
    expect(body)
      .to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/)
      .and.not.contain('0af7651916cd43dd8448eb211c80319c');
    expect(links).to.deep.equal(['0af7651916cd43dd8448eb211c80319c b7ad6b7169203331']);
  });

  it('a request is logged once, without the secret part of the path', async () => {
    const line = lines.find((entry) => entry.includes('request completed')) ?? '';
    expect(JSON.parse(line)).to.include({ path: '/hidden', status: 200 });
    expect(JSON.parse(line).trace_id).to.match(/^[0-9a-f]{32}$/);
    expect(lines.join('')).not.to.contain('hunter2');
  });

  it('the duration is observed by route', async () => {
    expect(await metrics.registry.metrics()).to.match(
      /vds_http_seconds_count\{[^}]*route="other",status="200"[^}]*\} 1/,
    );
  });

  it('a request that the parser rejects gets a response', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      socket.on('data', (chunk) => resolve(chunk.toString()));
    });
    expect(answer).to.contain('x-ours: yes');
  });

  it('a running request completes while the server closes', async () => {
    release = Promise.withResolvers<void>();
    const running = fetch(`http://127.0.0.1:${server.port}/slow`).then((r) => r.text());
    await new Promise((resolve) => setTimeout(resolve, 100));
    const closed = server.close();
    release.resolve();
    expect(await running).to.equal('done');
    await closed;
  });
});

describe('an HTTP server with a limit of connections', () => {
  it('connections beyond the limit are closed at once, those below it are served', async () => {
    const server = await serveHttp((_request, response) => void response.end('served'), { port: 0, maxConnections: 3 });
    const idle = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect(server.port, '127.0.0.1').on('error', () => {});
        await once(socket, 'connect');
        return socket;
      }),
    );
    // Node closes it after the handshake; whether that shows as a reset or an end is up to timing.
    const beyond = connect(server.port, '127.0.0.1').on('error', () => {});
    await once(beyond, 'close');
    idle[0]?.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(String((await once(idle[0] as Socket, 'data'))[0])).to.match(/^HTTP\/1.1 200[^]*served/);
    for (const socket of idle) socket.destroy();
    await server.close();
  });
});

describe('an HTTP server that closes', () => {
  let release = Promise.withResolvers<void>();
  const open = async (lingerMs: number) => {
    release = Promise.withResolvers<void>();
    const server = await serveHttp(
      (request, response) => {
        if (request.url === '/half') response.write('half ');
        const end = (): void => void response.end('whole');
        if (request.url === '/') end();
        else void release.promise.then(end);
      },
      { port: 0, lingerMs, endWithinMs: 5_000 },
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const request = (path: string): Promise<{ answer: IncomingMessage; text: Promise<string> }> =>
      new Promise((resolve, reject) => {
        get({ port: server.port, path, agent }, (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          const text = new Promise<string>((whole) => answer.once('end', () => whole(Buffer.concat(parts).toString())));
          resolve({ answer, text });
        }).once('error', reject);
      });
    return { server, request };
  };

  it('a kept connection is closed with its next response, and closing waits only for that', async () => {
    const { server, request } = await open(20_000);
    const first = await request('/');
    expect([first.answer.headers.connection, await first.text]).to.deep.equal(['keep-alive', 'whole']);
    const from = performance.now();
    const closed = server.close();
    const second = await request('/');
    expect([second.answer.headers.connection, await second.text]).to.deep.equal(['close', 'whole']);
    await closed;
    expect(performance.now() - from).to.be.below(10_000);
  });

  it('the response to a running request carries Connection: close', async () => {
    const { server, request } = await open(0);
    const pending = request('/later');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = server.close();
    release.resolve();
    expect((await pending).answer.headers.connection).to.equal('close');
    await closed;
  });

  it('a started response is completed', async () => {
    const { server, request } = await open(0);
    const { text } = await request('/half');
    const closed = server.close();
    release.resolve();
    expect(await text).to.equal('half whole');
    await closed;
  });

  it('idle connections are closed after the linger time', async () => {
    const { server, request } = await open(100);
    await (
      await request('/')
    ).text;
    await server.close();
    const after = await request('/').then(
      () => 'answered',
      () => 'refused',
    );
    expect(after).to.equal('refused');
  });

  it('a response from the process’s own port is read to its end, whatever its status', async () => {
    let seen = '';
    const own = createServer((request, response) => {
      seen = `${request.url} ${request.headers['authorization']}`;
      response.writeHead(401).end('x'.repeat(100_000));
    });
    await new Promise<void>((resolve) => own.listen(0, resolve));
    await requestOwnPort((own.address() as AddressInfo).port, '/v1/a', { authorization: 'Bearer b' });
    expect(seen).to.equal('/v1/a Bearer b');
    await new Promise((resolve) => own.close(resolve));
  });
});
