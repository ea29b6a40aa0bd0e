/** HTTP servers: limits and timeouts, a graceful end, and one middleware for traces, metrics and the access log. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { inTrace, SpanKind } from '../telemetry/telemetry.ts';

type ServeOptions = {
  readonly port: number;
  /** What Node's parser refuses never reaches the app; this writes the answer on the bare socket. */
  readonly onClientError?: (error: Error, socket: Socket) => void;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly keepAliveTimeoutMs?: number;
  readonly maxHeaderBytes?: number;
  /** False lets requests of HTTP/1.1 without `Host` through to the app, which then refuses them in its own words. */
  readonly requireHostHeader?: boolean;
  /** Called before the server listens, for events that an app never sees (`checkContinue`, `connect`, `clientError`). */
  readonly onServer?: (server: Server) => void;
  /**
   * How long `close` leaves connections open that clients keep, so that an answer can tell them to leave: a request that
   * crosses the end of its connection fails. Until then new connections are served too.
   */
  readonly lingerMs?: number;
  /** Aborts when the process begins to stop: clients are asked to leave from then on. */
  readonly stopping?: AbortSignal;
  /** How long `close` lets running requests go on. */
  readonly endWithinMs?: number;
};

type ObserveOptions = {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The route's pattern, never the raw path: label values must be few. Asked when the answer has been sent. */
  readonly routeOf: (request: Request, response: Response) => string;
  /** The path as it may be written to a log: without any secret. */
  readonly printable?: (request: Request) => string;
};

/** Serves `app`. `close` asks clients to leave, refuses new connections, lets running requests end, then cuts. */
export async function serveHttp(app: RequestListener, options: ServeOptions) {
  const server: Server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? 10_000,
      requestTimeout: options.requestTimeoutMs ?? 30_000,
      keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
      maxHeaderSize: options.maxHeaderBytes ?? 16 * 1024,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: options.requireHostHeader ?? true,
    },
    app,
  );
  if (options.onClientError) {
    const answer = options.onClientError;
    server.on('clientError', (error, socket) => answer(error, socket as Socket));
  }
  const leave = tellToLeave(server);
  options.stopping?.addEventListener('abort', leave.begin, { once: true });
  options.onServer?.(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      leave.begin();
      await untilLeft(server, options.lingerMs ?? 0);
      await closeServer(server, options.endWithinMs ?? 10_000);
    },
  };
}

/** From `begin` on every answer that is not yet on its way says that the connection ends with it. */
function tellToLeave(server: Server) {
  const running = new Set<ServerResponse>();
  let leaving = false;
  server.prependListener('request', (_request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
    if (leaving) response.shouldKeepAlive = false;
  });
  return {
    begin: (): void => {
      leaving = true;
      for (const response of running) if (!response.headersSent) response.shouldKeepAlive = false;
    },
  };
}

/** Resolves when all connections are gone, or after `ms`. */
async function untilLeft(server: Server, ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  while (performance.now() < deadline && (await countConnections(server)) > 0) await sleep(20);
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error ? 0 : count));
  });
}

function closeServer(server: Server, endWithinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), endWithinMs);
    // A connection that is kept alive becomes idle only when its last request has ended.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** A span, a histogram and one log line for every request. */
export function observeHttp({ log, metrics, routeOf, printable = (request) => request.path }: ObserveOptions) {
  const seconds = metrics.histogram('vds_http_seconds', 'Time to answer an HTTP request', [
    'method',
    'route',
    'status',
  ]);
  return (request: Request, response: Response, next: NextFunction): void => {
    const begun = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    response.once('close', resolve);
    const serve = async (): Promise<void> => {
      next();
      await promise;
      const took = (performance.now() - begun) / 1_000;
      const labels = { method: request.method, route: routeOf(request, response), status: String(response.statusCode) };
      seconds.observe(labels, took);
      const requestId = response.getHeader('x-request-id');
      log[response.statusCode >= 500 ? 'error' : 'debug'](
        {
          method: request.method,
          path: printable(request),
          status: response.statusCode,
          seconds: took,
          request_id: requestId,
        },
        'answered',
      );
    };
    inTrace(
      request.get('traceparent'),
      `HTTP ${request.method}`,
      { 'http.request.method': request.method },
      serve,
      SpanKind.SERVER,
    ).catch((error: unknown) => log.error({ err: error }, 'a request could not be observed'));
  };
}
