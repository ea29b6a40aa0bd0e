import { expect } from 'chai';
import { connect } from 'node:net';
import express from 'express';
import { observeHttp, serveHttp } from '../src/http.ts';
import { createLogger } from '../src/log.ts';
import { createMetrics } from '../src/metrics.ts';
import { currentTraceparent, startTelemetry } from '../src/telemetry.ts';

describe('http', () => {
  const lines: string[] = [];
  const metrics = createMetrics('test');
  let server: Awaited<ReturnType<typeof serveHttp>>;
  let release = Promise.withResolvers<void>();
  before(async () => {
    await startTelemetry('test', undefined);
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
    app.get('/trace', (_request, response) => void response.send(currentTraceparent()));
    app.get('/slow', (_request, response, next) => void release.promise.then(() => response.send('done'), next));
    server = await serveHttp(app, {
      port: 0,
      onClientError: (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nx-ours: yes\r\n\r\n'),
    });
  });

  it('continues the trace of the caller', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const body = await fetch(`http://127.0.0.1:${server.port}/trace?token=hunter2`, { headers: { traceparent } }).then(
      (r) => r.text(),
    );
    expect(body).to.contain('0af7651916cd43dd8448eb211c80319c');
  });

  it('logs one line without the secret part of the path', async () => {
    const line = lines.find((entry) => entry.includes('answered')) ?? '';
    expect(JSON.parse(line)).to.include({ path: '/hidden', status: 200, trace_id: '0af7651916cd43dd8448eb211c80319c' });
    expect(lines.join('')).not.to.contain('hunter2');
  });

  it('measures by route', async () => {
    expect(await metrics.registry.metrics()).to.match(
      /vds_http_seconds_count\{[^}]*route="other",status="200"[^}]*\} 1/,
    );
  });

  it('answers what the parser refuses', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      socket.on('data', (chunk) => resolve(chunk.toString()));
    });
    expect(answer).to.contain('x-ours: yes');
  });

  it('lets a running request end when it closes', async () => {
    release = Promise.withResolvers<void>();
    const running = fetch(`http://127.0.0.1:${server.port}/slow`).then((r) => r.text());
    await new Promise((resolve) => setTimeout(resolve, 100));
    const closed = server.close();
    release.resolve();
    expect(await running).to.equal('done');
    await closed;
  });
});
