/** Whose video a report is about: asked of catalog and auth, once for many reports. */
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '@vds/chassis/errors';
import type { Attribution } from '../domain/event-row.ts';

export type VideoFacts = { readonly publisherId: string; readonly title: string; readonly durationMs: number | null };
export type PublisherFacts = { readonly organizationId: string; readonly viewerKey: Uint8Array };
type Peers = {
  /** @throws AppError NOT_FOUND for a video that never was */
  readonly video: (videoId: string) => Promise<VideoFacts>;
  /** @throws AppError NOT_FOUND */
  readonly publisher: (publisherId: string) => Promise<PublisherFacts>;
};
export type Attributed = Attribution & {
  /** The hash that is stored of a viewer or a device; null without either. */
  readonly hash: (viewer: string, deviceId: string) => string | null;
};
export type Attribute = (videoId: string) => Promise<Attributed | undefined>;

const MAX_VIDEOS = 10_000;
/** A renamed video, or a publisher that has moved, is seen after so long. */
const FRESH_MS = 300_000;

/** Undefined for a video that never was. @throws AppError UNAVAILABLE while catalog or auth cannot be asked */
export function createAttribute({ video, publisher }: Peers): Attribute {
  const videos = new LRUCache<string, VideoFacts>({ max: MAX_VIDEOS, ttl: FRESH_MS });
  const publishers = new LRUCache<string, PublisherFacts>({ max: MAX_VIDEOS, ttl: FRESH_MS });
  return async (videoId) => {
    const facts = await once(videos, videoId, video);
    const owner = facts && (await once(publishers, facts.publisherId, publisher));
    if (!facts || !owner) return undefined;
    const { organizationId, viewerKey } = owner;
    return { ...facts, organizationId, hash: (viewer, deviceId) => hash(viewerKey, viewer, deviceId) };
  };
}

async function once<T extends object>(
  cache: LRUCache<string, T>,
  id: string,
  load: (id: string) => Promise<T>,
): Promise<T | undefined> {
  const known = cache.get(id);
  if (known) return known;
  try {
    const loaded = await load(id);
    cache.set(id, loaded);
    return loaded;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function hash(key: Uint8Array, viewer: string, deviceId: string): string | null {
  if (viewer === '' && deviceId === '') return null;
  const text = viewer === '' ? `device:${deviceId}` : `viewer:${viewer}`;
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 27);
}
