/** The feed of what is watched most now: by interest, newer videos before older ones, no publisher three times in a row. */
import type { ItemOut } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { blockedPublisher, shown } from '../domain/feed-order.ts';
import { trendingScore } from '../domain/interest.ts';
import type { Cursors } from './cursors.ts';
import type { Feed, FeedPage } from './feeds.ts';
import type { Interest } from './interest.ts';

type Deps = {
  readonly interest: Pick<Interest, 'find'>;
  readonly cursors: Cursors;
  readonly halfLifeMs: number;
};
/** The order is that of `at`; what leaves the platform between two pages moves others up, and none comes twice. */
type CursorState = { readonly at: number; readonly shown: readonly string[] };

/** The feed ends there. */
const MAX_SHOWN = 300;

export function openTrending({ interest, cursors, halfLifeMs }: Deps) {
  return async ({ filters, limit, cursor }: Feed): Promise<FeedPage> => {
    const key = ['trending', filters];
    const state: CursorState = cursor === '' ? { at: Date.now(), shown: [] } : cursors.read(key, cursor);
    const found = await interest.find(filters, MAX_SHOWN, state.at);
    const scored = found.map(({ item, interest: of }) => ({
      item,
      score: trendingScore(of, state.at - Date.parse(item.publishedAt), halfLifeMs),
    }));
    const ordered = spread(scored.toSorted((a, b) => b.score - a.score).map(({ item }) => item));
    const before = new Set(state.shown);
    const left = ordered.filter(({ videoId }) => !before.has(videoId));
    const items = left.slice(0, limit);
    const all = [...state.shown, ...items.map(({ videoId }) => videoId)];
    return { items, nextCursor: left.length > limit ? cursors.write(key, { at: state.at, shown: all }) : '' };
  };
}

/** The same items: no publisher more than twice in a row while another has one left. */
function spread(items: readonly ItemOut[]): ItemOut[] {
  const list: ItemOut[] = [];
  const left = [...items];
  let position = { after: undefined, tail: [], early: [] } as Parameters<typeof shown>[0];
  while (left.length > 0) {
    const blocked = blockedPublisher(position);
    const at = Math.max(
      0,
      left.findIndex(({ publisherId }) => publisherId !== blocked),
    );
    const [next] = left.splice(at, 1);
    if (!next) break;
    list.push(next);
    position = shown(position, { id: next.videoId, publisherId: next.publisherId, sort: [] });
  }
  return list;
}
