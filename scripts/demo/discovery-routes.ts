/** The pages' discovery endpoints: read-only, bounded, with the field names of the partner's interface. */
import { Router, type Request } from 'express';
import { isVideoId } from '@vds/proto/ids';
import type { ItemOut } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { AppError } from '@vds/chassis/errors';
import { toSnakeCase } from '@vds/vdsctl/inbound/output';
import type { Discovery } from './discovery.ts';

/**
 * `search?q=`, `feed` and `similar?video=`.
 * @param playbackUrl base of our own pictures of the videos: a partner's own are never loaded
 */
export function discoveryRoutes(discovery: Discovery, playbackUrl: string): Router {
  const item = (found: ItemOut): object => ({
    ...(toSnakeCase(found) as object),
    picture: `${playbackUrl}/t/${encodeURIComponent(found.playbackId)}.jpg`,
  });
  const search = async (request: Request): Promise<object> => {
    const query = parameter(request, 'q') ?? '';
    const { hits, nextCursor, total } = await discovery.search({ query, ...narrowed(request) });
    const shown = hits.flatMap((hit) =>
      hit.item === null ? [] : [{ item: item(hit.item), snippets: toSnakeCase(hit.snippets) }],
    );
    return { hits: shown, next_cursor: nextCursor, total };
  };
  const feed = async (request: Request): Promise<object> => {
    const { items, nextCursor } = await discovery.feed(narrowed(request));
    return { items: items.map(item), next_cursor: nextCursor };
  };
  const similar = async (request: Request): Promise<object> => {
    const id = videoIdOf(request);
    if (id === undefined) throw new AppError('INVALID_ARGUMENT', 'video must be the id of a video');
    return { items: (await discovery.similar(id)).items.map(item) };
  };
  return Router()
    .get('/search', async (request, response) => response.json(await search(request)))
    .get('/feed', async (request, response) => response.json(await feed(request)))
    .get('/similar', async (request, response) => response.json(await similar(request)));
}

/** A parameter that occurs once, as text of at most 8 KiB. */
function parameter(request: Request, name: string): string | undefined {
  const value = request.query[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.length > 8_192)
    throw new AppError('INVALID_ARGUMENT', `${name} must be given once, as text of at most 8,192 characters`);
  return value;
}

function narrowed(request: Request): Readonly<Record<string, string>> {
  const named = ['sport', 'category', 'cursor'].map((name) => [name, parameter(request, name)] as const);
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** A video's id without `vid_`; undefined without the parameter. */
export function videoIdOf(request: Request): string | undefined {
  const value = parameter(request, 'video');
  if (value === undefined) return undefined;
  const id = value.replace(/^vid_/, '');
  if (!isVideoId(id)) throw new AppError('INVALID_ARGUMENT', 'video must be the id of a video');
  return id;
}
