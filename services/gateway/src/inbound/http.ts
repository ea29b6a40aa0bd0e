/** The partner's door: every path and method of the spec, and 404 for all others. */
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { observeHttp } from '@vds/chassis/http/http';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { printablePath } from '../domain/printable-path.ts';
import type { Caller } from '../outbound/auth.ts';
import { admit } from './admission.ts';
import { serveDocumentation } from './documentation.ts';
import { faultOf, securityHeaders, sendFault } from './envelope.ts';
import { framingFault, originForm } from './framing.ts';
import {
  archiveVideo,
  createVideo,
  deleteVideo,
  getVideo,
  republishVideo,
  type Serve,
  type Deps as VideoDeps,
} from './videos.ts';

export type Deps = VideoDeps & {
  readonly authorize: (key: string) => Promise<Caller>;
  readonly newRequestId: () => string;
  readonly metrics: Metrics;
  /** Aborts when the process begins to stop: connections are then not kept. */
  readonly stopping: AbortSignal;
};

type Route = { readonly scope: string; readonly serve: Serve };

/** Builds the app. What the HTTP parser refuses never comes here: see parser-refusals.ts. */
export function gatewayApp(deps: Deps): RequestListener {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  app.set('query parser', false);
  app.use((request, response, next) => {
    response.set({ ...securityHeaders, 'x-request-id': deps.newRequestId() });
    // Behind a request that asks for another protocol, Node drops what has already arrived of the next one.
    if (deps.stopping.aborted || request.headers.upgrade !== undefined) response.set('connection', 'close');
    next();
  });
  app.use(
    observeHttp({
      log: deps.log,
      metrics: deps.metrics,
      routeOf: (_request, response) => String(response.locals['route'] ?? 'none'),
      printable: (request) => printablePath(request.path),
    }),
  );
  app.use((request, response, next) => {
    const fault = framingFault(request);
    if (fault === undefined) return next();
    response.set('connection', 'close');
    throw new AppError('INVALID_ARGUMENT', fault);
  });
  serveDocumentation(app, deps.contract);
  for (const [path, methods] of Object.entries(routesOf(deps)))
    app.all(path, async (request, response, next) => {
      const route = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
      if (!route) return next();
      response.locals['route'] = path;
      await route.serve(request, response, await admit(request, response, route.scope, deps.authorize));
    });
  app.use(() => {
    throw nothingHere();
  });
  app.use(answerError(deps.log));
  return (request, response) => {
    request.url = originForm(request.url ?? '/');
    app(request, response);
  };
}

function routesOf(deps: Deps): Readonly<Record<string, Readonly<Record<string, Route>>>> {
  return {
    '/v1/videos': { POST: { scope: 'videos:write', serve: createVideo(deps) } },
    '/v1/videos/:id': {
      GET: { scope: 'videos:read', serve: getVideo(deps) },
      DELETE: { scope: 'videos:write', serve: deleteVideo(deps) },
    },
    '/v1/videos/:id/archive': { POST: { scope: 'videos:write', serve: archiveVideo(deps) } },
    '/v1/videos/:id/republish': { POST: { scope: 'videos:write', serve: republishVideo(deps) } },
  };
}

function nothingHere(): AppError {
  return new AppError('NOT_FOUND', 'There is nothing at this path for this method.');
}

/** Every error ends here, once. What express itself refuses (a path that cannot be decoded) is a path we do not have. */
function answerError(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const known = error instanceof URIError ? nothingHere() : error;
    const fault = faultOf(known);
    if (fault.status === 500) log.error({ err: error, request_id: idOf(response) }, 'a request failed');
    if (!request.socket.writable) return;
    if (response.headersSent) return void response.destroy();
    sendFault(response, fault, idOf(response), known instanceof AppError ? known.details['retry_after'] : undefined);
  };
}

function idOf(response: Response): string {
  return String(response.getHeader('x-request-id'));
}
