/**
 * Excerpts: a part of a video as playlists over segments that exist (RFC 8216). Segments are kept whole, so that pictures,
 * sound and captions have the times that they have in the video; players begin at the wanted second by `EXT-X-START`.
 */
export type Excerpt = { readonly startMs: number; readonly endMs: number };
/** In seconds from the video's beginning. */
export type Range = { readonly from: number; readonly to: number };
export type CutPlaylist = {
  readonly text: string;
  /** What its segments cover. */
  readonly range: Range;
  /** Addresses of segments and init segment, as they are in the playlist. */
  readonly uris: readonly string[];
};

type Segment = Range & {
  /** Tags between EXTINF and the address. */
  readonly tags: readonly string[];
  readonly uri: string;
};

/**
 * Borders of segments of pictures and of sound differ by up to two frames of sound: a segment of which this much is wanted,
 * in seconds, is left out.
 */
const MAX_MISSED_SECONDS = 0.1;

/**
 * The segments of a media playlist that overlap an excerpt.
 * @param range what to cover: the excerpt, or what the pictures' segments cover, so that everything begins with them
 * @returns undefined where nothing does
 */
export function cutPlaylist(
  playlist: string,
  excerpt: Excerpt,
  range: Range = rangeOf(excerpt),
): CutPlaylist | undefined {
  const { head, segments } = parse(playlist);
  const cut = segments.filter((segment) => overlaps(segment, range));
  const covered = coverOf(cut);
  if (!covered) return undefined;
  const offset = Math.max(0, excerpt.startMs / 1_000 - covered.from);
  // Players show these while a viewer seeks: nothing begins there.
  const isPictures = head.includes('#EXT-X-I-FRAMES-ONLY');
  const start = isPictures ? [] : [`#EXT-X-START:TIME-OFFSET=${offset.toFixed(3)},PRECISE=YES`];
  const maps = head.flatMap((line) => /^#EXT-X-MAP:.*URI="([^"]+)"/.exec(line)?.[1] ?? []);
  return {
    text: write([...head, ...start, dateOf(covered.from)], cut),
    range: covered,
    uris: [...maps, ...cut.map(({ uri }) => uri)],
  };
}

/**
 * The segments of a track of subtitles that overlap `range`. The first and the last are as long as what is played of them:
 * players find the segment of a moment by these lengths, and the time of a cue by its `X-TIMESTAMP-MAP` (RFC 8216 §3.5).
 */
export function cutSubtitles(playlist: string, range: Range): CutPlaylist | undefined {
  const { head, segments } = parse(playlist);
  const cut = segments
    .filter((segment) => overlaps(segment, range))
    .map((segment) => ({ ...segment, from: Math.max(segment.from, range.from), to: Math.min(segment.to, range.to) }));
  const covered = coverOf(cut);
  return (
    covered && { text: write([...head, dateOf(covered.from)], cut), range: covered, uris: cut.map(({ uri }) => uri) }
  );
}

function rangeOf({ startMs, endMs }: Excerpt): Range {
  return { from: startMs / 1_000, to: endMs / 1_000 };
}

function overlaps({ from, to }: Range, wanted: Range): boolean {
  const least = Math.min(MAX_MISSED_SECONDS, (to - from) / 2);
  return Math.min(to, wanted.to) - Math.max(from, wanted.from) >= least;
}

function coverOf(segments: readonly Segment[]): Range | undefined {
  const [first, last] = [segments[0], segments.at(-1)];
  return first && last && { from: first.from, to: last.to };
}

/** The second of the video as the date of a player (RFC 8216 §4.3.2.6): its own clock begins at the first segment. */
function dateOf(seconds: number): string {
  return `#EXT-X-PROGRAM-DATE-TIME:${new Date(Math.round(seconds * 1_000)).toISOString()}`;
}

function parse(playlist: string): { readonly head: readonly string[]; readonly segments: readonly Segment[] } {
  const head: string[] = [];
  const segments: Segment[] = [];
  let [from, to] = [0, 0];
  let tags: string[] = [];
  for (const line of playlist.split('\n')) {
    const seconds = /^#EXTINF:([\d.]+)/.exec(line)?.[1];
    if (seconds !== undefined) to = from + Number(seconds);
    else if (line === '' || line === '#EXT-X-ENDLIST') continue;
    else if (!line.startsWith('#')) {
      segments.push({ from, to, tags, uri: line });
      [from, tags] = [to, []];
    } else if (to === 0) head.push(line);
    else tags.push(line);
  }
  return { head, segments };
}

function write(head: readonly string[], segments: readonly Segment[]): string {
  const lines = segments.flatMap(({ from, to, tags, uri }) => [`#EXTINF:${(to - from).toFixed(6)},`, ...tags, uri]);
  return [...head, ...lines, '#EXT-X-ENDLIST', ''].join('\n');
}
