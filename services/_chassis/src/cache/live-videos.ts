/**
 * Keeps "apps read all of it by RPC, for live videos" (design, metadata): catalog is asked whether a video is live as
 * playback asks for its gate, and what was read of it is kept until the video changes.
 */
import { LRUCache } from 'lru-cache';
import { catalog } from '@vds/proto';
import { isVideoId } from '@vds/proto/ids';
import type { ResolvedPlaybackOut } from '@vds/proto/generated/vds/catalog/v1/ResolvedPlayback.ts';
import { text, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { messageOf, notFound, orUndefinedIfNotFound } from '../errors.ts';
import { rpcClient, rpcClientConfig } from '../rpc/rpc-client.ts';
import type { Logger } from '../telemetry/log.ts';
import { openStaleCache } from './stale-cache.ts';

/** A live video: its version, which rises with whatever is read of it, and the caption tracks that viewers have. */
export type LiveVideo = Pick<ResolvedPlaybackOut, 'videoId' | 'version' | 'tracks'>;

export const liveVideosConfig = {
  ...rpcClientConfig,
  /** Address of catalog. */
  catalogTarget: ['CATALOG_RPC', text],
} as const satisfies ConfigSpec;

type Options<T> = {
  readonly config: ConfigOf<typeof liveVideosConfig>;
  readonly log: Logger;
  /** Reads a video, or the named part of it. */
  readonly load: (video: LiveVideo, part: string) => Promise<T>;
  /** Bytes that a value takes up, about. */
  readonly sizeOf: (value: T) => number;
};

/** As long as playback keeps a gate, fresh and while catalog is away. */
const [FRESH_MS, STALE_MS] = [15_000, 300_000];
const TIMEOUT_MS = 1_000;
/** About 7 KB each, with all tracks. */
const MAX_VIDEOS = 2_000;
/** Of what was read. */
const MAX_BYTES = 32 * 2 ** 20;

export type LiveVideos<T extends object> = ReturnType<typeof openLiveVideos<T>>;

export function openLiveVideos<T extends object>({ config, log, load, sizeOf }: Options<T>) {
  const idempotent = ['ResolvePlayback'];
  const options = { target: config.catalogTarget, config, timeoutMs: TIMEOUT_MS, idempotent };
  const client = rpcClient(catalog.CatalogService, options);
  const videos = openStaleCache<ResolvedPlaybackOut>({
    load: (videoId) => orUndefinedIfNotFound(client.ResolvePlayback({ videoId })),
    versionOf: ({ videoId: id, version }) => ({ id, version }),
    ...{ maxEntries: MAX_VIDEOS, freshMs: FRESH_MS, staleMs: STALE_MS, loadTimeoutMs: TIMEOUT_MS },
    onLookup: () => {},
    onStale: (cause) => log.warn({ reason: messageOf(cause) }, 'catalog unavailable, serving what was live last'),
  });
  const values = new LRUCache<string, T, { readonly video: LiveVideo; readonly part: string }>({
    maxSize: MAX_BYTES,
    sizeCalculation: (value) => Math.max(1, sizeOf(value)),
    fetchMethod: (_key, _stale, { context: { video, part } }) => load(video, part),
    ignoreFetchAbort: true,
  });
  return {
    /** @throws AppError NOT_FOUND unless the video is live */
    find: async (videoId: string): Promise<LiveVideo> => {
      const { value } = isVideoId(videoId) ? await videos.find(videoId) : {};
      if (!value || !isLive(value)) throw notFound('a live video with this id');
      return value;
    },
    /**
     * What `load` reads of a video that `find` has found; concurrent calls share one.
     * @throws the error of `load`
     */
    read: (video: LiveVideo, part = ''): Promise<T> =>
      values.forceFetch(`${video.videoId} ${video.version} ${part}`, { context: { video, part } }),
    /** The video has changed: what is known of older versions is not used any more. */
    drop: videos.drop,
    close: client.close,
  };
}

/** As in the lists of the apps: neither archived, though it still plays for a while, nor held. */
function isLive({ state, gateClosesInMs, held }: ResolvedPlaybackOut): boolean {
  return state === 'VIDEO_STATE_READY' && gateClosesInMs === undefined && !held;
}
