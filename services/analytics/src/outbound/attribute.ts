/** Whose video a report is about: asked of catalog and auth, once for many reports. */
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '@vds/chassis/errors';
import { DEVICE, type Attribution, type VideoTitle } from '../domain/event-row.ts';

export type VideoFacts = Pick<VideoTitle, 'title' | 'version'> & {
  readonly publisherId: string;
  readonly durationMs: number | null;
};
export type PublisherFacts = { readonly organizationId: string; readonly viewerKey: Uint8Array };
export type Peers = {
  /** @throws AppError NOT_FOUND for a video that never was */
  readonly video: (videoId: string) => Promise<VideoFacts>;
  /** @throws AppError NOT_FOUND */
  readonly publisher: (publisherId: string) => Promise<PublisherFacts>;
};
export type Attributed = Attribution &
  Pick<VideoTitle, 'title' | 'version'> & {
    /** The hash that is stored of a viewer, or behind `DEVICE` of a device; null without either. */
    readonly hash: (viewer: string, deviceId: string) => string | null;
  };
export type Attribute = (videoId: string) => Promise<Attributed | undefined>;

const MAX_VIDEOS = 10_000;
type Times = {
  /** A renamed video, or a publisher that has moved, is seen after so long. */
  readonly freshMs: number;
  /** How long a peer that could not be asked is left alone about what is known. */
  readonly awayMs: number;
};

/**
 * What is known of a video or a publisher stays in use while catalog or auth cannot be asked. Resolves with undefined for a
 * video that never was.
 * @throws AppError UNAVAILABLE, DEADLINE_EXCEEDED of a peer that is asked for the first time
 */
export function createAttribute(
  { video, publisher }: Peers,
  times: Times = { freshMs: 300_000, awayMs: 10_000 },
): Attribute {
  const videos = remembered(times, video);
  const publishers = remembered(times, publisher);
  return async (videoId) => {
    const found = await videos(videoId);
    const owner = found && (await publishers(found.publisherId));
    if (!found || !owner) return undefined;
    const { organizationId, viewerKey } = owner;
    return { ...found, organizationId, hash: (viewer, deviceId) => hash(viewerKey, viewer, deviceId) };
  };
}

/** Asks once for many reports. */
function remembered<T extends object>({ freshMs, awayMs }: Times, load: (id: string) => Promise<T>) {
  const cache = new LRUCache<string, T>({ max: MAX_VIDEOS, ttl: freshMs, noDeleteOnStaleGet: true });
  let awayUntil = -Infinity;
  return async (id: string): Promise<T | undefined> => {
    const known = cache.get(id);
    if (known) return known;
    const last = cache.get(id, { allowStale: true });
    if (last && performance.now() < awayUntil) return last;
    try {
      const facts = await load(id);
      cache.set(id, facts);
      return facts;
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
      if (!last) throw error;
      awayUntil = performance.now() + awayMs;
      return last;
    }
  };
}

function hash(key: Uint8Array, viewer: string, deviceId: string): string | null {
  if (viewer === '' && deviceId === '') return null;
  const [text, prefix] = viewer === '' ? [`device:${deviceId}`, DEVICE] : [`viewer:${viewer}`, ''];
  return prefix + createHmac('sha256', key).update(text).digest('base64url').slice(0, 27);
}
