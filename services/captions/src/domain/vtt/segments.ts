/** A track as files: one complete WebVTT file, and HLS subtitle segments (RFC 8216 §3.5) with their playlist. */
import type { Cue } from '../layout/cues.ts';
import { numbered, vttDocument } from './document.ts';

/** Five media segments: subtitles are small, and each file is a request. */
const SEGMENT_MS = 30_000;

/** Cue times are those of the video, whose media begins at 0. */
const TIMESTAMP_MAP = 'X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000';

export type TrackFile = {
  /** Below the track's folder. */
  readonly name: string;
  readonly contentType: string;
  readonly text: string;
};

type Segment = { readonly name: string; readonly fromMs: number; readonly toMs: number };

/**
 * `index.m3u8`, `seg-00000.vtt` … and `captions.vtt`. A cue that crosses the border of two segments is in both, with
 * the same name and times (RFC 8216 §3.5); one that nonsense put past the video's end is in the last.
 * @param durationMs of the video
 */
export function trackFiles(cues: readonly Cue[], language: string, durationMs: number): TrackFile[] {
  const all = numbered(cues);
  const segments = segmentsOf(durationMs);
  const file = (name: string, text: string): TrackFile => ({ name, contentType: 'text/vtt; charset=utf-8', text });
  return [
    { name: 'index.m3u8', contentType: 'application/vnd.apple.mpegurl', text: playlist(segments) },
    ...segments.map(({ name, fromMs, toMs }, index) => {
      const until = index === segments.length - 1 ? Number.POSITIVE_INFINITY : toMs;
      const own = all.filter(({ startMs, endMs }) => startMs < until && endMs > fromMs);
      return file(name, vttDocument(own, language, [TIMESTAMP_MAP]));
    }),
    file('captions.vtt', vttDocument(all, language)),
  ];
}

/** 30 s each, the last ends with the video. */
function segmentsOf(durationMs: number): Segment[] {
  const count = Math.max(1, Math.ceil(durationMs / SEGMENT_MS));
  return Array.from({ length: count }, (_none, index) => ({
    name: `seg-${String(index).padStart(5, '0')}.vtt`,
    fromMs: index * SEGMENT_MS,
    toMs: Math.min((index + 1) * SEGMENT_MS, Math.max(1, durationMs)),
  }));
}

function playlist(segments: readonly Segment[]): string {
  const seconds = segments.map(({ fromMs, toMs }) => (toMs - fromMs) / 1_000);
  const target = seconds.reduce((most, one) => Math.max(most, Math.round(one)), 1);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...segments.flatMap(({ name }, index) => [`#EXTINF:${seconds[index]?.toFixed(3)},`, name]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}
