/** Reading the HLS media playlist (RFC 8216 §4.3) of the house's own audio rendition: which segment sounds when. */
import { AppError } from '@vds/chassis/errors';

export type SoundSegment = {
  /** In the bucket of the playlist. */
  readonly key: string;
  readonly startMs: number;
  readonly endMs: number;
};

export type SoundPlaylist = {
  /** Key of the init segment. */
  readonly init: string;
  readonly segments: readonly SoundSegment[];
};

/**
 * Times are sums of EXTINF: the rendition begins at zero and has no gap.
 * @param playlistKey where the playlist lies; addresses in it are relative to it
 */
export function readSoundPlaylist(text: string, playlistKey: string): SoundPlaylist {
  const init = /^#EXT-X-MAP:URI="([^"]*)"/m.exec(text)?.[1];
  if (!text.startsWith('#EXTM3U') || init === undefined)
    throw new AppError('INVALID_ARGUMENT', "the sound's playlist has no header or no init segment");
  const segments: SoundSegment[] = [];
  let [at, seconds] = [0, 0];
  for (const line of text.split(/\r?\n/)) {
    const duration = /^#EXTINF:(\d+(?:\.\d+)?),/.exec(line)?.[1];
    if (duration !== undefined) seconds = Number(duration);
    if (line === '' || line.startsWith('#')) continue;
    segments.push({ key: resolve(playlistKey, line), startMs: at * 1_000, endMs: (at + seconds) * 1_000 });
    [at, seconds] = [at + seconds, 0];
  }
  return { init: resolve(playlistKey, init), segments };
}

/** The key that a relative address in the playlist means. */
function resolve(playlistKey: string, uri: string): string {
  const key = /^[\w./-]{1,300}$/.test(uri) ? new URL(uri, `file:///${playlistKey}`).pathname.slice(1) : '';
  if (key.startsWith(attemptOf(playlistKey))) return key;
  throw new AppError('INVALID_ARGUMENT', `the sound's playlist names '${uri.slice(0, 100)}', which is no part of it`);
}

/** Everything of one attempt lies below `videos/<id>/<attempt>/`; a playlist leads nowhere else. */
function attemptOf(key: string): string {
  const [prefix] = /^videos\/[\w-]+\/\d+\//.exec(key) ?? [];
  if (prefix === undefined) throw new AppError('INVALID_ARGUMENT', `'${key.slice(0, 200)}' is no key of a rendition`);
  return prefix;
}
