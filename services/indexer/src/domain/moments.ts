/** Key moments of a video in its document, for the feed of moments. */
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import type { Moment, MomentOut } from '@vds/proto/generated/vds/indexer/v1/Moment.ts';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';

export type IndexedMoment = Readonly<Omit<MomentOut, 'item'>>;
export type MomentFields = {
  readonly moments: readonly IndexedMoment[];
  /** Orders the feed of moments, in ms: when the video was published, later with a better moment. */
  readonly moments_at: number;
};

/** Kept of a video. */
const MAX_MOMENTS = 10;
/** So many of one video follow each other in the feed. */
const MAX_SHOWN = 3;
/** So much newer the best possible moment makes a video: the day's small ones come before last week's great ones. */
const SCORE_ADVANCE_MS = 3 * 86_400_000;
/** What a token plays: an excerpt of 1 s to 10 minutes. */
const [MIN_LASTS_MS, MAX_LASTS_MS] = [1_000, 600_000];

/** Nothing for a video without moments: its feed finds it by these fields. Moments that no token plays are left out. */
export function momentFieldsOf(
  metadata: MetadataOut | undefined,
  publishedAtMs: number,
): MomentFields | Record<never, never> {
  const moments = (metadata?.keyMoments ?? [])
    .filter(({ startMs, endMs }) => {
      const lastsMs = endMs - startMs;
      return startMs >= 0 && lastsMs >= MIN_LASTS_MS && lastsMs <= MAX_LASTS_MS;
    })
    .map(({ startMs, endMs, title, languageCode, reasons, score }) => ({
      ...{ startMs, endMs, title, languageCode, reasons },
      score: Math.min(1, Math.max(0, score)),
    }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_MOMENTS);
  const [best] = moments;
  return best ? { moments, moments_at: publishedAtMs + Math.round(best.score * SCORE_ADVANCE_MS) } : {};
}

/** Of how many videos a page has the moments. */
export function videosOfPage(limit: number): number {
  return Math.max(1, Math.floor(limit / MAX_SHOWN));
}

/** The best moments of a video, as the feed shows them: at most `limit`. */
export function shownMoments(item: Item, moments: readonly IndexedMoment[], limit: number): Moment[] {
  return moments
    .slice(0, Math.min(limit, MAX_SHOWN))
    .map((moment) => ({ item, ...moment, reasons: [...moment.reasons] }));
}
