/** The partners' REST interface: every path and method of the spec, HEAD and OPTIONS as HTTP has them, 404 for all others. */
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { observeHttp } from '@vds/chassis/http/http';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { printablePath } from '../domain/printable-path.ts';
import { admit, type AdmissionDeps } from './admission.ts';
import { serveDocumentation } from './documentation/serve.ts';
import { NO_SUCH_PATH, securityHeaders, sendFault, toFault } from './envelope.ts';
import { framingError, originForm } from './protocol-errors.ts';
import {
  archiveVideo,
  createVideo,
  deleteVideo,
  getVideo,
  republishVideo,
  type Handler,
  type VideoDeps,
} from './videos.ts';

export type Deps = VideoDeps &
  AdmissionDeps & {
    readonly newRequestId: () => string;
    readonly metrics: Metrics;
    /** Aborts when the process starts to stop: connections are then not kept alive. */
    readonly stopping: AbortSignal;
  };
type Route = { readonly scope: string; readonly handle: Handler };

/** Builds the app. Requests that the HTTP parser rejects never reach it: see protocol-errors.ts. */
export function gatewayApp(deps: Deps): RequestListener {
  const { contract, log, metrics, newRequestId, stopping } = deps;
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  app.set('query parser', false);
  app.use((request, response, next) => {
    response.set({ ...securityHeaders, 'x-request-id': newRequestId() });
    // After a request with `upgrade`, Node drops what has already arrived of the next one.
    if (stopping.aborted || request.headers.upgrade !== undefined) response.set('connection', 'close');
    next();
  });
  app.use(
    observeHttp({
      log,
      metrics,
      routeOf: (_request, response) => String(response.locals['route'] ?? 'none'),
      printable: (request) => printablePath(request.path),
    }),
  );
  app.use((request, response, next) => {
    const error = framingError(request);
    if (error === undefined) return next();
    response.set('connection', 'close');
    throw new AppError('INVALID_ARGUMENT', error);
  });
  serveDocumentation(app, contract);
  for (const [path, methods] of Object.entries(routes(deps)))
    app.all(path, async (request, response, next) => {
      if (request.method === 'OPTIONS') return sendAllowed(response, Object.keys(methods));
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const route = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!route) return next();
      response.locals['route'] = path;
      await route.handle(request, response, await admit(request, response, route.scope, deps));
    });
  app.use(() => {
    throw new AppError('NOT_FOUND', NO_SUCH_PATH.message);
  });
  app.use(handleError(log));
  return (request, response) => {
    request.url = originForm(request.url ?? '/');
    app(request, response);
  };
}

/** The methods of a path (RFC 9110 §9.3.7). There is no CORS: keys belong on backends. */
function sendAllowed(response: Response, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  response.status(200).set({ allow, 'content-length': '0', 'cache-control': 'no-store' }).end();
}

function routes(deps: Deps): Readonly<Record<string, Readonly<Record<string, Route>>>> {
  return {
    '/v1/videos': { POST: { scope: 'videos:write', handle: createVideo(deps) } },
    '/v1/videos/:id': {
      GET: { scope: 'videos:read', handle: getVideo(deps) },
      DELETE: { scope: 'videos:write', handle: deleteVideo(deps) },
    },
    '/v1/videos/:id/archive': { POST: { scope: 'videos:write', handle: archiveVideo(deps) } },
    '/v1/videos/:id/republish': { POST: { scope: 'videos:write', handle: republishVideo(deps) } },
  };
}

/** The single error handler. Express rejects paths that cannot be decoded with URIError: no such path. */
function handleError(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const requestId = String(response.getHeader('x-request-id'));
    const fault = error instanceof URIError ? NO_SUCH_PATH : toFault(error);
    if (fault.status === 500) log.error({ err: error, request_id: requestId }, 'request failed');
    if (!request.socket.writable) return;
    if (response.headersSent) return void response.destroy();
    sendFault(response, fault, requestId, error instanceof AppError ? error.details['retry_after'] : undefined);
  };
}
