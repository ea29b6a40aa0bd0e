/** RPC callers' commands and reads of one video. */
import {
  createVideo,
  dailyCount,
  type DailyCountQuery,
  type Deps as CreateDeps,
  type NewVideo,
} from './create-video.ts';
import { loadSnapshot } from './snapshots.ts';
import { openVideoStore, type Deps as StoreDeps } from './video-store.ts';

/** @param deps `pool`: the connections that these operations use */
export function openOperations(deps: StoreDeps & Omit<CreateDeps, 'republishFirstMs'>) {
  const { pool, times, metrics, notify } = deps;
  const creating = { pool, metrics, notify, republishFirstMs: times.republishFirstMs };
  return {
    create: (video: NewVideo, leftMs: () => number) => createVideo(creating, video, leftMs),
    dailyCount: (query: DailyCountQuery) => dailyCount(pool, query),
    load: (id: string, publisherId?: string) => loadSnapshot(pool, id, publisherId),
    ...openVideoStore(deps),
  };
}
