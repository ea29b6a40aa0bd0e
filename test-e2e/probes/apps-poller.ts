/** Looking for videos through what the apps are answered: search, feed and recommendations. */
import { AppError } from '@vds/chassis/errors';
import { bare, type Apps } from '../harness/apps-client.ts';
import { beginLooks, type Told } from './poller.ts';

const EVERY_MS = 250;
const tooLate = ['DEADLINE_EXCEEDED', 'UNAVAILABLE'];

export type Wanted = {
  /** A word and a sport that only these videos have. */
  readonly word: string;
  readonly sport: string;
  /** The video whose like is asked for. */
  readonly seed: string;
  /** May grow. */
  readonly ids: readonly string[];
};

/** Begins to look. With every core encoding an answer may come too late; who gets none sees nothing. */
export function lookThroughApps(apps: Apps, { word, sport, seed, ids }: Wanted) {
  let late = 0;
  const ask = async (): Promise<number> => {
    const [found, feed, like] = await Promise.all([apps.search(word), apps.feed({ sport }), apps.recommend(seed)]);
    const queued = new Set(ids.map(bare));
    return found.hits.length + feed.items.length + like.items.filter(({ videoId }) => queued.has(videoId)).length;
  };
  const looks = beginLooks(EVERY_MS, () =>
    ask().catch((error: unknown) => {
      if (!(error instanceof AppError && tooLate.includes(error.code))) throw error;
      late += 1;
      return 0;
    }),
  );
  return {
    /** @throws what an app was answered but for lateness */
    end: async (): Promise<Told & { readonly answered: number; readonly late: number }> => {
      const told = await looks.end();
      return { ...told, answered: told.begun - late, late };
    },
  };
}
