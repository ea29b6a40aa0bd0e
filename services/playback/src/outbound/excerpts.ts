/** The playlists of excerpts, cut from those in the buckets. */
import { limitConcurrency } from '@vds/chassis/async';
import type { Objects } from '@vds/chassis/objects/objects';
import type { LadderDocument } from '@vds/proto/documents/ladder';
import { LRUCache } from 'lru-cache';
import { cutPlaylist, cutSubtitles, type CutPlaylist, type Excerpt, type Range } from '../domain/excerpt.ts';
import { pathFrom } from '../domain/media-path.ts';

/** What a token of an excerpt opens of an attempt; paths are those of requests. */
type OpenedExcerpt = {
  readonly playlists: ReadonlyMap<string, string>;
  /** Segments and init segments. */
  readonly files: ReadonlySet<string>;
  readonly range: Range;
};
type Buckets = { readonly media: Pick<Objects, 'getBytes'>; readonly captions: Pick<Objects, 'getBytes'> };
export type Excerpts = ReturnType<typeof openExcerpts>;

/** Of a video of a day, pictures to seek by included. */
const MAX_PLAYLIST_BYTES = 8 * 1024 * 1024;
/** Characters that are kept, of excerpts and of their captions each. */
const MAX_KEPT = 32 * 1024 * 1024;
/** Whole playlists of so many are in memory at a time, while others wait; more are refused. */
const [MAX_CUT, MAX_WAITING] = [4, 1_000];

export function openExcerpts({ media, captions }: Buckets) {
  const excerpts = cacheOf<OpenedExcerpt>(({ playlists, files }) =>
    [...playlists.values(), ...files].reduce((sum, text) => sum + text.length, 0),
  );
  const tracks = cacheOf<CutPlaylist>(({ text }) => text.length);
  return {
    /**
     * @param prefix of the attempt that `ladder` describes
     * @returns undefined where the excerpt lies beyond the video's end
     */
    find: (
      prefix: string,
      { rungs, audio, alternates = [] }: LadderDocument,
      excerpt: Excerpt,
    ): Promise<OpenedExcerpt | undefined> =>
      excerpts(`${prefix}@${excerpt.startMs}-${excerpt.endMs}`, async () => {
        const [leading, ...others] = [
          ...rungs.map(({ playlist }) => playlist),
          ...[...(audio ? [audio] : []), ...alternates].map(({ playlist }) => playlist),
          ...rungs.flatMap(({ pictures }) => pictures?.playlist ?? []),
        ];
        if (leading === undefined) return undefined;
        const read = async (path: string) => [path, await readText(media, prefix + path)] as const;
        const [first, ...texts] = await Promise.all([read(leading), ...others.map(read)]);
        const cut = cutPlaylist(first[1], excerpt);
        if (!cut) return undefined;
        const rest = texts.flatMap(([path, text]) => {
          const own = cutPlaylist(text, excerpt, cut.range);
          return own ? [[path, own] as const] : [];
        });
        const all = [[leading, cut] as const, ...rest];
        return {
          playlists: new Map(all.map(([path, { text }]) => [path, text])),
          files: new Set(all.flatMap(([path, { uris }]) => uris.map((uri) => pathFrom(path, uri)))),
          range: cut.range,
        };
      }),
    /** The part of a caption track that goes with a range of the video. @param key of the track's playlist */
    subtitles: (key: string, range: Range): Promise<CutPlaylist | undefined> =>
      tracks(`${key}@${range.from}-${range.to}`, async () => cutSubtitles(await readText(captions, key), range)),
  };
}

/** Keeps the promise that playlists are served from memory; an object under a key never changes. */
function cacheOf<T extends object>(sizeOf: (value: T) => number) {
  const entries = new LRUCache<string, Promise<T | undefined>>({ maxSize: MAX_KEPT });
  const inTurn = limitConcurrency(MAX_CUT, MAX_WAITING);
  return (key: string, make: () => Promise<T | undefined>): Promise<T | undefined> => {
    const known = entries.get(key);
    if (known) return known;
    const made = inTurn(make);
    entries.set(key, made, { size: 1 });
    made.then(
      (value) => entries.set(key, made, { size: 1 + (value ? sizeOf(value) : 0) }),
      () => entries.delete(key),
    );
    return made;
  };
}

async function readText(bucket: Pick<Objects, 'getBytes'>, key: string): Promise<string> {
  return (await bucket.getBytes(key, MAX_PLAYLIST_BYTES)).toString('utf8');
}
