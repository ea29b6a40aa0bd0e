/** HLS media playlists (RFC 8216 §4.3) of a title's renditions: which objects hold which stretch of time. */
import { AppError } from '@vds/chassis/errors';

export type Segment = { readonly key: string; readonly startMs: number; readonly endMs: number };
export type Playlist = {
  /** Key of the init segment. */
  readonly map: string;
  /** In the order of time, without gaps. */
  readonly segments: readonly Segment[];
};

const mostSegments = 50_000;

/**
 * @param playlistKey where the playlist lies, for its relative addresses
 * @param root what every address must stay below, such as `videos/<id>/<attempt>/`
 * @throws INVALID_ARGUMENT for what is no whole playlist of fragmented mp4
 */
export function readPlaylist(text: string, playlistKey: string, root: string): Playlist {
  const lines = text.split('\n').map((line) => line.trim());
  const mapped = lines.flatMap((line) => /^#EXT-X-MAP:URI="([^"]+)"$/.exec(line)?.[1] ?? []);
  const [map] = mapped;
  if (lines[0] !== '#EXTM3U' || map === undefined || mapped.length > 1) throw fault('it is none of fragmented mp4');
  const segments: Segment[] = [];
  let at = 0;
  let seconds: number | undefined;
  for (const line of lines) {
    if (line.startsWith('#EXTINF:')) seconds = Number.parseFloat(line.slice('#EXTINF:'.length));
    if (line === '' || line.startsWith('#')) continue;
    if (seconds === undefined || !(seconds >= 0) || seconds > 3_600) throw fault('a segment has no duration');
    if (segments.length === mostSegments) throw fault('it is too long');
    const end = at + seconds * 1_000;
    segments.push({ key: resolve(playlistKey, root, line), startMs: at, endMs: end });
    [at, seconds] = [end, undefined];
  }
  if (segments.length === 0) throw fault('it has no segments');
  return { map: resolve(playlistKey, root, map), segments };
}

function fault(what: string): AppError {
  return new AppError('INVALID_ARGUMENT', `a media playlist: ${what}`);
}

/** The key that a relative address leads to; it must stay below `root`. */
function resolve(playlistKey: string, root: string, uri: string): string {
  const parts = playlistKey.split('/').slice(0, -1);
  for (const part of uri.split('/')) {
    if (part === '..') parts.pop();
    else if (/^[0-9A-Za-z][0-9A-Za-z._-]*$/.test(part)) parts.push(part);
    else throw fault('an address is not plain');
  }
  const key = parts.join('/');
  if (!key.startsWith(root)) throw fault('an address leads out of the title');
  return key;
}

/** The segments that hold any of `[fromMs, toMs)`. */
export function segmentsWithin({ segments }: Playlist, fromMs: number, toMs: number): readonly Segment[] {
  return segments.filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs);
}
