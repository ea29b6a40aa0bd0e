/** HTTP servers: limits, timeouts, graceful shutdown, and one middleware for traces, metrics and the access log. */
import { once } from 'node:events';
import {
  createServer,
  get,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { inLinkedTrace } from '../telemetry/telemetry.ts';

type ServeOptions = {
  readonly port: number;
  /** Writes the response to a request that Node's parser rejects: it never reaches the app. */
  readonly onClientError?: (error: Error, socket: Socket) => void;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly keepAliveTimeoutMs?: number;
  readonly maxHeaderBytes?: number;
  /** Connections beyond it are closed at once, so that idle ones cannot take all memory; undefined: no limit. */
  readonly maxConnections?: number | undefined;
  /** False passes HTTP/1.1 requests without `Host` to the app, which rejects them with its own response. */
  readonly requireHostHeader?: boolean;
  /** Called before the server listens, for events outside of the app (`checkContinue`, `connect`, `clientError`). */
  readonly onServer?: (server: Server) => void;
  /**
   * How long `close` keeps idle connections open, so that a response can carry `Connection: close`: a request sent
   * while its connection is being closed fails. Until then new connections are accepted.
   */
  readonly lingerMs?: number;
  /** Aborts when the process starts to stop: from then on responses carry `Connection: close`. */
  readonly stopping?: AbortSignal;
  /** How long `close` waits for running requests. */
  readonly endWithinMs?: number;
};

type ObserveOptions = {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The route's pattern, not the path, to keep the number of label values small. Called after the response. */
  readonly routeOf: (request: Request, response: Response) => string;
  /** The path for the log, without secrets. */
  readonly printable?: (request: Request) => string;
};

/** Where load balancers see, without credentials, whether this process takes requests. */
const HEALTH_PATH = '/healthz';

/** Serves `app` and the health of the process. `close` sends `Connection: close`, rejects new connections, and waits for running requests. */
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
    (request, response) => {
      const isHealth = request.url === HEALTH_PATH && (request.method === 'GET' || request.method === 'HEAD');
      if (isHealth) sendHealth(response, options.stopping?.aborted === true);
      else app(request, response);
    },
  );
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  const { onClientError } = options;
  if (onClientError) server.on('clientError', (error, socket) => onClientError(error, socket as Socket));
  const endKeepAlive = keepAliveSwitch(server);
  options.stopping?.addEventListener('abort', endKeepAlive, { once: true });
  options.onServer?.(server);
  await once(server.listen(options.port), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      endKeepAlive();
      await connectionsClosed(server, options.lingerMs ?? 0);
      await closeServer(server, options.endWithinMs ?? 10_000);
    },
  };
}

/** 200, or 503 once the process stops: a load balancer then sends it no further connections. */
function sendHealth(response: ServerResponse, isStopping: boolean): void {
  response.writeHead(isStopping ? 503 : 200, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
  response.end(isStopping ? 'stopping\n' : 'ok\n');
}

/** Returns a function that makes every response not sent yet carry `Connection: close`. */
function keepAliveSwitch(server: Server): () => void {
  const running = new Set<ServerResponse>();
  let ended = false;
  server.prependListener('request', (_request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
    if (ended) response.shouldKeepAlive = false;
  });
  return () => {
    ended = true;
    for (const response of running) if (!response.headersSent) response.shouldKeepAlive = false;
  };
}

/** Resolves when all connections are closed, or after `ms`. */
async function connectionsClosed(server: Server, ms: number): Promise<void> {
  const countConnections = promisify(server.getConnections.bind(server));
  const deadline = performance.now() + ms;
  while (performance.now() < deadline && (await countConnections()) > 0) await sleep(20);
}

async function closeServer(server: Server, endWithinMs: number): Promise<void> {
  const closed = once(server.close(), 'close');
  const forced = setTimeout(() => server.closeAllConnections(), endWithinMs);
  // A kept-alive connection becomes idle only when its last request has ended.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  server.closeIdleConnections();
  await closed;
  clearTimeout(forced);
  clearInterval(closeIdle);
}

/** One span, one observation and one log line per request of a stranger. */
export function observeHttp({ log, metrics, routeOf, printable = (request) => request.path }: ObserveOptions) {
  const seconds = metrics.histogram('vds_http_seconds', 'Time to respond to an HTTP request', [
    'method',
    'route',
    'status',
  ]);
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const { method } = request;
    const closed = Promise.withResolvers<void>();
    response.once('close', closed.resolve);
    const serve = async (): Promise<void> => {
      next();
      await closed.promise;
      const took = (performance.now() - startedAt) / 1_000;
      const { statusCode: status } = response;
      seconds.observe({ method, route: routeOf(request, response), status: String(status) }, took);
      const requestId = response.getHeader('x-request-id');
      log[status >= 500 ? 'error' : 'debug'](
        { method, path: printable(request), status, seconds: took, request_id: requestId },
        'request completed',
      );
    };
    inLinkedTrace(request.get('traceparent'), `HTTP ${method}`, { 'http.request.method': method }, serve).catch(
      (error: unknown) => log.error({ err: error }, 'request not observed'),
    );
  };
}

/** How long a request to the own port may take. */
const OWN_REQUEST_MS = 5_000;

/** Sends a request to the process's own HTTP port and reads the response, of any status. */
export async function requestOwnPort(port: number, path: string, headers: OutgoingHttpHeaders = {}): Promise<void> {
  const signal = AbortSignal.timeout(OWN_REQUEST_MS);
  const [response] = (await once(get({ port, path, headers, agent: false, signal }), 'response')) as [IncomingMessage];
  await once(response.resume(), 'close');
}
