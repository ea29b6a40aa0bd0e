/**
 * The pages' HTTP server on loopback: player and discovery, hls.js, the status record, a video's metadata, and
 * addresses with a fresh token.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, messageOf } from '@vds/chassis/errors';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { toSnakeCase } from '@vds/vdsctl/inbound/output';
import { discoveryRoutes, videoIdOf } from './discovery-routes.ts';
import type { Discovery } from './discovery.ts';
import { PartnerError, type StatusRecord } from '@vds/testkit/stack/partner';
import type { PerformanceData } from './performance-data.ts';
import type { VideoDetails } from './video-details.ts';

export type PageServerOptions = {
  /** The record as the partner reads it; without an id, of the video for which the server was opened. */
  readonly record: (id?: string) => Promise<StatusRecord>;
  /** Mints a token that plays this record's video. */
  readonly token: (playbackId: string, durationSeconds: number) => Promise<string>;
  /** Origin of playback: the only other host that the page may contact. */
  readonly playbackUrl: string;
  /** Feed, search and similar videos; without it the discovery page is empty. */
  readonly discovery?: Discovery;
  /** Stages and metadata; without it the player shows none. */
  readonly details?: Pick<VideoDetails, 'read'>;
  /** What the organizations' views say; without it the performance page is empty. */
  readonly performance?: Pick<PerformanceData, 'read' | 'readVideo'>;
  /** Receives a line for each failed request, with the id that the page shows. */
  readonly onError?: (line: string) => void;
  /** Default: any free port. */
  readonly port?: number;
};

export type PageServer = { readonly url: string; readonly close: () => Promise<void> };

const page = fileURLToPath(new URL('page', import.meta.url));
/** The module as browsers run it. */
const playerAnalytics = stripTypeScriptTypes(
  readFileSync(fileURLToPath(import.meta.resolve('@vds/player-analytics')), 'utf8'),
);
const playerFolder = dirname(fileURLToPath(import.meta.resolve('@vds/player')));
const hlsFolder = dirname(fileURLToPath(import.meta.resolve('hls.js')));
const sheetFolder = dirname(fileURLToPath(import.meta.resolve('simpledotcss')));

/**
 * Prevents DNS rebinding: another site's page could otherwise reach this server under a name that resolves to
 * 127.0.0.1.
 */
const onlyLoopbackNames: RequestHandler = (request, response, next) => {
  if (request.hostname === '127.0.0.1' || request.hostname === 'localhost') next();
  else response.status(421).type('text/plain').send('This server responds on 127.0.0.1 only.\n');
};

/** Starts the server on 127.0.0.1. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const server = createServer(makeApp(options));
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function makeApp(options: PageServerOptions): express.Express {
  const { record, token, playbackUrl, discovery, details, performance: views, onError } = options;
  const app = express().disable('x-powered-by');
  app.use(onlyLoopbackNames, contentPolicy(new URL(playbackUrl).origin));
  app.get('/hls.mjs', (_request, response) => response.sendFile('hls.mjs', { root: hlsFolder }));
  app.get('/base.css', (_request, response) => response.sendFile('simple.min.css', { root: sheetFolder }));
  app.get('/player-analytics.js', (_request, response) => response.type('text/javascript').send(playerAnalytics));
  app.get('/player/:module', (request, response, next) => {
    const module = playerModule(request.params.module);
    if (module === undefined) next();
    else response.type('text/javascript').send(module);
  });
  app.get('/api/video', async (request, response) => response.json(await record(videoIdOf(request))));
  app.get('/api/details', async (request, response) => {
    const id = videoIdOf(request) ?? (await record()).id.replace(/^vid_/, '');
    response.json(toSnakeCase((await details?.read(id)) ?? { stages: [], metadata: null }));
  });
  app.get('/api/performance', async (_request, response) =>
    response.json((await views?.read()) ?? { hourly: [], retention: [], plays: [] }),
  );
  app.get('/api/figures', async (request, response) =>
    response.json((await views?.readVideo(videoIdOf(request) ?? '')) ?? { total: {}, days: [], retention: [] }),
  );
  app.get('/api/stream', async (request, response) => {
    const { playback, duration_seconds: seconds = 0, status } = await record(videoIdOf(request));
    if (playback === null) throw new NothingToPlay(`This video is ${status}: there is nothing to play.`);
    response.json({ url: withToken(playback.hls_url, await token(playback.playback_id, seconds)) });
  });
  if (discovery !== undefined) app.use('/api', discoveryRoutes(discovery, playbackUrl));
  app.use(express.static(page));
  return app.use(errorHandler(onError));
}

/** A module of the player as browsers run it; undefined for a name that is none. */
function playerModule(name: string): string | undefined {
  if (!readdirSync(playerFolder).includes(name)) return undefined;
  const source = readFileSync(join(playerFolder, name), 'utf8');
  return stripTypeScriptTypes(source).replace("from 'hls.js'", "from '../hls.mjs'");
}

class NothingToPlay extends Error {}

/** `{error: {message, request_id}}`; the id is the gateway's if it answered, else this server's own. */
function errorHandler(onError: PageServerOptions['onError']): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { status, message, requestId = `page_${randomUUID()}` } = faultOf(error);
    onError?.(`${requestId} ${request.path} answered ${status}: ${messageOf(error)}`);
    response.set('x-request-id', requestId);
    response.status(status).json({ error: { message, request_id: requestId } });
  };
}

/** The response to the page: invalid requests are its own errors; everything else is the stack's. */
function faultOf(error: unknown): { status: number; message: string; requestId?: string } {
  if (error instanceof NothingToPlay) return { status: 409, message: error.message };
  if (error instanceof PartnerError) {
    const { requestId } = error;
    const told = { message: error.told, ...(requestId !== undefined && { requestId }) };
    return { status: error.status === 404 ? 404 : 502, ...told };
  }
  const invalid = error instanceof AppError && error.code === 'INVALID_ARGUMENT';
  return { status: invalid ? 400 : 502, message: messageOf(error) };
}

function contentPolicy(playback: string): RequestHandler {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "worker-src 'self' blob:",
    `connect-src 'self' ${playback}`,
    `img-src 'self' data: ${playback}`,
    // hls.js loads an empty `data:` text track into a player that it detaches from.
    "media-src 'self' blob: data:",
    // The player's search field opens the discovery page.
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return (_request, response, next) => {
    response.set({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    next();
  };
}

/** `hls_url` with its token, as a player opens a stream. */
export function withToken(hlsUrl: string, token: string): string {
  const url = new URL(hlsUrl);
  url.searchParams.set('token', token);
  return url.href;
}
