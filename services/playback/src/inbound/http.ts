/** The viewers' HTTP interface: token, then gate, then media. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { observeHttp } from '@vds/chassis/http/http';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { LadderDocument } from '@vds/proto/documents/ladder';
import { isOpenTo, showsThumbnail, type Gate } from '../domain/gate.ts';
import { keptSeconds, mediaOf } from '../domain/edge-answer.ts';
import { masterPlaylist } from '../domain/master-playlist.ts';
import { printablePath, readPath, type MediaPath } from '../domain/media-path.ts';
import type { Previews } from '../outbound/preview-client.ts';
import type { Excerpts } from '../outbound/excerpts.ts';
import type { Gates } from '../outbound/gates.ts';
import type { Files, Ladders } from '../outbound/media.ts';
import type { Tokens } from '../outbound/tokens.ts';
import type { ViewCollector } from './collect-views.ts';
import { openGate } from './open-gate.ts';
import { commonHeaders, notFound, sendError, sendOptions, sendPlaylist, sendRedirect } from './responses.ts';
import { excerptPlaylist } from './serve-excerpt.ts';
import { serveGate } from './serve-gate.ts';
import { openPreview, sendPreview } from './serve-preview.ts';
import { serveObject, type Pace, type ServedObject } from './serve-object.ts';

export type Deps = {
  readonly gates: Pick<Gates, 'find'>;
  readonly previews: Pick<Previews, 'find'>;
  readonly tokens: Tokens;
  readonly media: Files & Ladders;
  readonly captions: Files;
  readonly excerpts: Excerpts;
  readonly views: ViewCollector;
  readonly pace: Pace;
  readonly log: Logger;
  readonly metrics: Metrics;
};
type SentBytes = ReturnType<Metrics['counter']>;
/** What one request is served with. */
type Context = Deps & { readonly sentBytes: SentBytes; readonly request: Request; readonly response: Response };

const MASTER_AGE = 'private, max-age=10';
const PLAYLIST_AGE = 'private, max-age=300';
const MEDIA_AGE = 'private, max-age=3600, immutable';
const PICTURE_AGE = 'private, max-age=300';

const fileKinds: Readonly<Record<string, string>> = {
  m3u8: 'playlist',
  mp4: 'init',
  m4s: 'segment',
  vtt: 'storyboard',
  jpg: 'storyboard',
};
const cacheControls: Readonly<Record<string, string>> = { playlist: PLAYLIST_AGE, storyboard: PICTURE_AGE };

/** Builds the app. */
export function playbackApp(deps: Deps): Express {
  const { log, metrics } = deps;
  const sentBytes = metrics.counter('vds_playback_sent_bytes_total', 'Bytes of media sent to viewers', ['kind']);
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  app.use(
    observeHttp({
      log,
      metrics,
      routeOf: (request) => kindOf(readPath(request.path)),
      printable: (request) => printablePath(request.path),
    }),
  );
  app.use(async (request, response) => {
    response.set(commonHeaders);
    if (request.method === 'OPTIONS') return sendOptions(response);
    const path = readPath(request.path);
    if (!path) throw notFound();
    if (path.kind === 'events' && request.method === 'POST') return collect(deps, request, response, path);
    if (path.kind === 'events' || (request.method !== 'GET' && request.method !== 'HEAD')) throw notFound();
    if (path.kind === 'gate') return serveGate(deps, request, response, path.playbackId);
    await serve({ ...deps, sentBytes, request, response }, path);
  });
  app.use(handleError(log));
  return app;
}

/** The kind of a request, as a metric label. */
function kindOf(path: MediaPath | undefined): string {
  return path?.kind === 'file' ? kindOfFile(path) : (path?.kind ?? 'none');
}

function kindOfFile({ path }: { readonly path: string }): string {
  return fileKinds[path.slice(path.lastIndexOf('.') + 1)] ?? 'none';
}

/** A report of a view: of any video that the token plays, also one that has just been archived. */
async function collect(
  { tokens, gates, views }: Deps,
  request: Request,
  response: Response,
  { token, playbackId }: Extract<MediaPath, { readonly kind: 'events' }>,
): Promise<void> {
  const { preview, excerpt, ...claims } = await tokens.check(token, playbackId);
  // Positions in an excerpt are not those in its video.
  if (preview || excerpt) return void response.status(204).end();
  const { value: gate } = await gates.find(playbackId, true);
  if (!gate) throw notFound();
  await views.collect(request, response, { ...claims, playbackId, gate });
}

type ServedPath = Exclude<MediaPath, { readonly kind: 'events' | 'gate' }>;

async function serve(context: Context, path: ServedPath): Promise<void> {
  const { media, captions, request, response } = context;
  if (path.kind === 'entry' || path.kind === 'preview-entry') return redirectWithToken(context, path);
  if (path.kind === 'preview') return servePreview(context, path);
  if (path.kind === 'thumbnail') {
    const { prefix, thumbnailKey: key } = await openGate(context, path.playbackId, showsThumbnail);
    if (!key.startsWith(prefix)) throw notFound();
    tellEdge(context, path.kind, prefix);
    return serveFile(context, { files: media, key, cacheControl: PICTURE_AGE, kind: 'thumbnail' });
  }
  const { preview, excerpt, ...claims } = await context.tokens.check(path.token, path.playbackId);
  const gate = await openGate(context, path.playbackId, (...gate) => isOpenTo(preview, ...gate));
  tellEdge(context, path.kind, mediaOf(gate.prefix, excerpt));
  if (excerpt) {
    const ladder = await ladderOf(context, gate);
    const text = await excerptPlaylist(context.excerpts, { ...gate, excerpt, path, ladder });
    if (text !== undefined)
      return sendPlaylist(request, response, path.kind === 'master' ? MASTER_AGE : PLAYLIST_AGE, text);
  }
  if (path.kind === 'file') {
    const kind = kindOf(path);
    if (kind === 'segment' && !preview && !excerpt)
      context.views.segment(request, { ...claims, playbackId: path.playbackId, gate });
    const cacheControl = cacheControls[kind] ?? MEDIA_AGE;
    return serveFile(context, { files: media, key: gate.prefix + path.path, cacheControl, kind });
  }
  if (path.kind === 'captions') {
    const track = gate.subtitles.find(({ language }) => language === path.language);
    if (!track) throw notFound();
    // A regenerated track keeps its address: never immutable.
    const key = track.folder + path.file;
    return serveFile(context, { files: captions, key, cacheControl: PLAYLIST_AGE, kind: 'captions' });
  }
  const ladder = await ladderOf(context, gate);
  if (path.kind === 'storyboard') return sendRedirect(response, ladder.storyboard.track);
  sendPlaylist(request, response, MASTER_AGE, masterPlaylist(ladder, gate.subtitles));
}

async function ladderOf({ media }: Deps, { ladderKey, videoId }: Gate): Promise<LadderDocument> {
  const ladder = await media.ladder(ladderKey);
  if (ladder.videoId !== videoId) throw new AppError('INTERNAL', `${ladderKey} is of another video`);
  return ladder;
}

/** Lets an edge, which names the media that it asks for, keep the response (`X-Accel-Expires` of nginx). */
function tellEdge({ request, response }: Context, kind: MediaPath['kind'], media: string): void {
  const seconds = keptSeconds(kind, media, request.get('x-vds-edge'));
  if (seconds !== undefined) response.set('x-accel-expires', String(seconds));
}

async function servePreview(context: Context, path: Extract<MediaPath, { readonly kind: 'preview' }>): Promise<void> {
  const { tokens, media: files, request, response } = context;
  const { preview } = await tokens.check(path.token, path.videoId);
  const key = sendPreview(await openPreview(context, path.videoId, preview), path, request, response);
  if (key !== undefined) await serveFile(context, { files, key, cacheControl: MEDIA_AGE, kind: kindOfFile(path) });
}

async function serveFile(
  { request, response, sentBytes, pace }: Context,
  { kind, ...object }: Pick<ServedObject, 'files' | 'key' | 'cacheControl'> & { readonly kind: string },
): Promise<void> {
  const onBytes = (count: number): void => sentBytes.inc({ kind }, count);
  await serveObject(request, response, { ...object, pace, onBytes });
}

/** `/<id>.m3u8?token=…`: redirects to a path with the token, so that relative addresses carry it. */
async function redirectWithToken(
  context: Context,
  path: Extract<MediaPath, { readonly kind: 'entry' | 'preview-entry' }>,
): Promise<void> {
  const id = path.kind === 'entry' ? path.playbackId : path.videoId;
  const token = tokenOfQuery(context.request);
  const { kid, tokenId, preview } = await context.tokens.check(token, id);
  await (path.kind === 'entry'
    ? openGate(context, id, (...gate) => isOpenTo(preview, ...gate))
    : openPreview(context, id, preview));
  context.log.info({ playback_id: id, kid, jti: tokenId }, 'playback started');
  sendRedirect(context.response, `p/${token}/${id}/master.m3u8`);
}

/** The one token of `?token=`; nothing else is ever read from a query. */
function tokenOfQuery(request: Request): string {
  const [token = '', ...more] = new URLSearchParams(request.url.split('?')[1] ?? '').getAll('token');
  if (token === '' || more.length > 0)
    throw new AppError('UNAUTHENTICATED', 'This address needs one playback token: ?token=…', {
      reason: 'token_missing',
    });
  return token;
}

function handleError(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (response.headersSent || response.destroyed) return void response.destroy();
    const requestId = `req_${randomUUID()}`;
    const status = sendError(request, response, error, requestId);
    if (status >= 500)
      log.error({ err: error, path: printablePath(request.path), request_id: requestId }, 'request failed');
  };
}
