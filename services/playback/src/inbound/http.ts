/** The viewers' door: token, then gate, then media (design §7). */
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { AppError } from '@vds/chassis/errors';
import { observeHttp } from '@vds/chassis/http/http';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { attemptPrefix, isOpen, type Gate } from '../domain/gate.ts';
import { masterPlaylist } from '../domain/master-playlist.ts';
import { contentTypeOf, printablePath, readPath, type Asked } from '../domain/media-path.ts';
import type { Gates } from '../outbound/gates.ts';
import type { Files, Ladders } from '../outbound/media.ts';
import type { Tokens } from '../outbound/tokens.ts';
import { everyAnswer, sendError, sendOptions, sendRedirect, sendText } from './answers.ts';
import { serveObject } from './serve-object.ts';

export type Deps = {
  readonly gates: Pick<Gates, 'find'>;
  readonly tokens: Tokens;
  readonly media: Files & Ladders;
  readonly captions: Files;
  readonly idleMs: number;
  readonly log: Logger;
  readonly metrics: Metrics;
};

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

/** Builds the app. */
export function playbackApp(deps: Deps): Express {
  const bytes = deps.metrics.counter('vds_playback_sent_bytes_total', 'Bytes of media handed to viewers', ['kind']);
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  app.use(
    observeHttp({
      log: deps.log,
      metrics: deps.metrics,
      routeOf: (request) => labelOf(readPath(request.path)),
      printable: (request) => printablePath(request.path),
    }),
  );
  app.use(async (request, response) => {
    response.set(everyAnswer);
    if (request.method === 'OPTIONS') return sendOptions(response);
    const asked = readPath(request.path);
    if (!asked || (request.method !== 'GET' && request.method !== 'HEAD')) throw nothingHere();
    await serve(deps, request, response, asked, bytes);
  });
  app.use(answerError(deps.log));
  return app;
}

/** What is asked for, in few words: a label of metrics. */
function labelOf(asked: Asked | undefined): string {
  if (asked?.kind !== 'file') return asked?.kind ?? 'none';
  return fileKinds[asked.path.slice(asked.path.lastIndexOf('.') + 1)] ?? 'none';
}

function nothingHere(): AppError {
  return new AppError('NOT_FOUND', 'There is nothing here.');
}

async function serve(
  deps: Deps,
  request: Request,
  response: Response,
  asked: Asked,
  bytes: Parameters<typeof serveKey>[4],
): Promise<void> {
  if (asked.kind === 'entry') return enter(deps, request, response, asked.playbackId);
  if (asked.kind === 'thumbnail') {
    const { prefix, thumbnailKey: key } = await pass(deps, asked.playbackId);
    if (!key.startsWith(prefix)) throw nothingHere();
    return serveKey(deps, request, response, { key, cacheControl: PICTURE_AGE, kind: 'thumbnail' }, bytes);
  }
  await deps.tokens.check(asked.token, asked.playbackId);
  const gate = await pass(deps, asked.playbackId);
  if (asked.kind === 'file') {
    const kind = labelOf(asked);
    return serveKey(deps, request, response, { key: gate.prefix + asked.path, cacheControl: ageOf(kind), kind }, bytes);
  }
  if (asked.kind === 'captions') {
    const track = gate.subtitles.find(({ language }) => language === asked.language);
    if (!track) throw nothingHere();
    // A track that is made anew keeps its address: never immutable.
    const object = {
      files: deps.captions,
      key: track.folder + asked.file,
      cacheControl: PLAYLIST_AGE,
      kind: 'captions',
    };
    return serveKey(deps, request, response, object, bytes);
  }
  const ladder = await deps.media.ladder(gate.ladderKey);
  if (ladder.videoId !== gate.videoId) throw new AppError('INTERNAL', `${gate.ladderKey} is of another video`);
  if (asked.kind === 'storyboard') return sendRedirect(response, ladder.storyboard.track);
  sendText(request, response, 'application/vnd.apple.mpegurl', MASTER_AGE, masterPlaylist(ladder, gate.subtitles));
}

async function serveKey(
  deps: Deps,
  request: Request,
  response: Response,
  object: { readonly key: string; readonly cacheControl: string; readonly kind: string; readonly files?: Files },
  bytes: { readonly inc: (labels: { kind: string }, count: number) => void },
): Promise<void> {
  const { media, idleMs } = deps;
  const { key, cacheControl, kind, files = media } = object;
  const contentType = contentTypeOf(key);
  if (contentType === undefined) throw nothingHere();
  const onBytes = (count: number): void => bytes.inc({ kind }, count);
  await serveObject(request, response, { files, key, contentType, cacheControl, idleMs, onBytes });
}

/** `/<playback_id>.m3u8?token=…`: on to a path that carries the token, so that relative addresses do. */
async function enter(deps: Deps, request: Request, response: Response, playbackId: string): Promise<void> {
  const token = tokenInQuery(request);
  const { kid, tokenId } = await deps.tokens.check(token, playbackId);
  await pass(deps, playbackId);
  deps.log.info({ playback_id: playbackId, kid, jti: tokenId }, 'a viewer came in');
  sendRedirect(response, `p/${token}/${playbackId}/master.m3u8`);
}

/** The one token of `?token=`; it is the only thing that is ever read from a query. */
function tokenInQuery(request: Request): string {
  const [token = '', ...more] = new URLSearchParams(request.url.split('?')[1] ?? '').getAll('token');
  if (token === '' || more.length > 0)
    throw new AppError('UNAUTHENTICATED', 'This address needs one playback token: ?token=…', {
      reason: 'token_missing',
    });
  return token;
}

async function pass({ gates }: Deps, playbackId: string): Promise<Gate & { readonly prefix: string }> {
  const gate = await gates.find(playbackId);
  if (!gate || !isOpen(gate, Date.now())) throw nothingHere();
  const prefix = attemptPrefix(gate);
  if (prefix === undefined) throw new AppError('INTERNAL', `video ${gate.videoId} has the ladder ${gate.ladderKey}`);
  return { ...gate, prefix };
}

function ageOf(kind: string): string {
  if (kind === 'playlist') return PLAYLIST_AGE;
  return kind === 'storyboard' ? PICTURE_AGE : MEDIA_AGE;
}

function answerError(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (response.headersSent || response.destroyed) return void response.destroy();
    const status = sendError(request, response, error);
    if (status >= 500) log.error({ err: error, path: printablePath(request.path) }, 'a viewer could not be served');
  };
}
