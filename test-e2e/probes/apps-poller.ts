/** Polls what the apps see: search, feed and recommendations. */
import { AppError } from '@vds/chassis/errors';
import { bare, type Apps } from '../harness/apps-client.ts';
import { startPolling, type PollResult } from './poller.ts';

const EVERY_MS = 250;
const tooLate = ['DEADLINE_EXCEEDED', 'UNAVAILABLE'];

export type Wanted = {
  /** A word and a sport that only these videos have. */
  readonly word: string;
  readonly sport: string;
  /** The video for which similar ones are requested. */
  readonly seed: string;
  /** May grow. */
  readonly ids: readonly string[];
};

/** Starts polling. With every core encoding, a response may be too late: it counts as one that found nothing. */
export function pollApps(apps: Apps, { word, sport, seed, ids }: Wanted) {
  let late = 0;
  const poll = async (): Promise<number> => {
    const [found, feed, like] = await Promise.all([apps.search(word), apps.feed({ sport }), apps.recommend(seed)]);
    const queued = new Set(ids.map(bare));
    // Others may be near the word in meaning.
    const named = found.hits.filter(({ item }) => item?.title?.includes(word));
    return named.length + feed.items.length + like.items.filter(({ videoId }) => queued.has(videoId)).length;
  };
  const poller = startPolling(EVERY_MS, 1, () =>
    poll().catch((error: unknown) => {
      if (!(error instanceof AppError && tooLate.includes(error.code))) throw error;
      late += 1;
      return 0;
    }),
  );
  return {
    /** @throws any failure of an app's request except a timeout */
    end: async (): Promise<PollResult & { readonly answered: number; readonly late: number }> => {
      const result = await poller.end();
      return { ...result, answered: result.polls - late, late };
    },
  };
}
