/** Reading the HLS media playlist (RFC 8216 §4.3) of the house's own audio rendition: which segment sounds when. */
import { AppError } from '@vds/shared/errors';

export type SoundSegment = {
  /** Beside the playlist. */
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
};

export type SoundPlaylist = {
  /** The init segment, beside the playlist. */
  readonly init: string;
  readonly segments: readonly SoundSegment[];
};

/** A file beside the playlist; nothing that leads elsewhere. */
const plainName = (uri: string): string => {
  if (/^[\w-][\w.-]{0,99}$/.test(uri)) return uri;
  throw new AppError(
    'INVALID_ARGUMENT',
    `the sound's playlist names '${uri.slice(0, 100)}', which is no file beside it`,
  );
};

/** Times are sums of EXTINF: the rendition begins at zero and has no gap. */
export const readSoundPlaylist = (text: string): SoundPlaylist => {
  const init = /^#EXT-X-MAP:URI="([^"]*)"/m.exec(text)?.[1];
  if (!text.startsWith('#EXTM3U') || init === undefined)
    throw new AppError('INVALID_ARGUMENT', "the sound's playlist has no header or no init segment");
  const segments: SoundSegment[] = [];
  let [at, seconds] = [0, 0];
  for (const line of text.split(/\r?\n/)) {
    const duration = /^#EXTINF:(\d+(?:\.\d+)?),/.exec(line)?.[1];
    if (duration !== undefined) seconds = Number(duration);
    if (line === '' || line.startsWith('#')) continue;
    segments.push({ name: plainName(line), startMs: at * 1_000, endMs: (at + seconds) * 1_000 });
    [at, seconds] = [at + seconds, 0];
  }
  return { init: plainName(init), segments };
};
