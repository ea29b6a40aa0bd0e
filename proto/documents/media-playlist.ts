/**
 * `index.m3u8` of a rendition in the media bucket (RFC 8216 §4.3): which object covers which span of time. Transcode
 * writes it for players; captions and metadata read it to find the segments that they decode.
 */
import { invalid, textOf, type DocumentFormat } from './document.ts';
import { plainPart } from './fields.ts';

export type MediaSegment = {
  /** In the same bucket as the playlist. */
  readonly key: string;
  readonly startMs: number;
  readonly endMs: number;
};

export type MediaPlaylist = {
  /** Key of the init segment. */
  readonly init: string;
  /** In order, without gaps, starting at zero; never empty. */
  readonly segments: readonly MediaSegment[];
};

/** A rendition of 24 hours has about 1 MiB. */
const MAX_BYTES = 2 * 2 ** 20;
const MAX_SEGMENTS = 50_000;
const MAX_SEGMENT_SECONDS = 3_600;

export const mediaPlaylist: DocumentFormat<MediaPlaylist> = {
  maxBytes: MAX_BYTES,
  read: (bytes, key) => {
    const lines = textOf('media playlist', MAX_BYTES, bytes)
      .split('\n')
      .map((line) => line.trim());
    const inits = lines.flatMap((line) => /^#EXT-X-MAP:URI="([^"]*)"$/.exec(line)?.[1] ?? []);
    const [init] = inits;
    if (lines[0] !== '#EXTM3U') throw fault('the first line must be #EXTM3U');
    if (init === undefined || inits.length > 1) throw fault('it must name one init segment');
    return { init: resolve(key, init), segments: segmentsOf(lines, key) };
  },
};

function fault(what: string): Error {
  return invalid('media playlist', what);
}

/** Times are cumulative sums of EXTINF. */
function segmentsOf(lines: readonly string[], key: string): MediaSegment[] {
  const segments: MediaSegment[] = [];
  let startMs = 0;
  let seconds: number | undefined;
  for (const line of lines) {
    const duration = /^#EXTINF:(\d{1,9}(?:\.\d{1,9})?),/.exec(line)?.[1];
    if (duration !== undefined) seconds = Number(duration);
    if (line === '' || line.startsWith('#')) continue;
    if (seconds === undefined || seconds > MAX_SEGMENT_SECONDS)
      throw fault(`EXTINF of segment ${segments.length} must be at most ${MAX_SEGMENT_SECONDS} s`);
    if (segments.length === MAX_SEGMENTS) throw fault(`it must have at most ${MAX_SEGMENTS} segments`);
    const endMs = startMs + seconds * 1_000;
    segments.push({ key: resolve(key, line), startMs, endMs });
    [startMs, seconds] = [endMs, undefined];
  }
  if (segments.length === 0) throw fault('it must have a segment');
  return segments;
}

/** The key of a relative address; everything of an attempt is below its prefix. */
function resolve(playlistKey: string, uri: string): string {
  const [prefix] = /^videos\/[\w-]+\/\d+\//.exec(playlistKey) ?? [];
  if (prefix === undefined) throw fault(`its key must begin with videos/<id>/<attempt>/`);
  const parts = playlistKey.split('/').slice(0, -1);
  for (const part of uri.split('/')) {
    if (part === '..') parts.pop();
    else if (plainPart.test(part)) parts.push(part);
    else throw fault(`'${uri.slice(0, 100)}' must be a plain relative address`);
  }
  const key = parts.join('/');
  if (!key.startsWith(prefix)) throw fault(`'${uri.slice(0, 100)}' must not leave ${prefix}`);
  return key;
}
