/**
 * A track as files: one complete WebVTT file, and HLS subtitle segments (RFC 8216 §3.5) with their playlist. WebVTT (W3C)
 * without styles or positions: the player chooses the position of cues.
 */
import type { Cue } from '../layout/cues.ts';
import type { Span } from '../words.ts';
import { cueLine } from './cue-text.ts';

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

/** The track in one file. */
export const wholeFile = 'captions.vtt';

type Segment = Span & { readonly name: string };

/** A cue with the number that identifies it in every document that contains it. */
type NumberedCue = Cue & { readonly number: number };

/**
 * `index.m3u8`, `seg-00000.vtt` … and `captions.vtt`. A cue that crosses the border of two segments is in both, with
 * the same name and times (RFC 8216 §3.5); one with times past the video's end is in the last.
 * @param durationMs of the video
 */
export function trackFiles(cues: readonly Cue[], language: string, durationMs: number): TrackFile[] {
  const all = cues.map((cue, index) => ({ ...cue, number: index + 1 }));
  const segments = segmentsOf(durationMs);
  const file = (name: string, text: string): TrackFile => ({ name, contentType: 'text/vtt; charset=utf-8', text });
  return [
    { name: 'index.m3u8', contentType: 'application/vnd.apple.mpegurl', text: playlist(segments) },
    ...segments.map((segment, index) => {
      const endMs = index === segments.length - 1 ? Number.POSITIVE_INFINITY : segment.endMs;
      const own = all.filter((cue) => cue.startMs < endMs && cue.endMs > segment.startMs);
      return file(segment.name, vttDocument(own, language, `WEBVTT\n${TIMESTAMP_MAP}`));
    }),
    file(wholeFile, vttDocument(all, language, 'WEBVTT')),
  ];
}

/** 30 s each, the last ends with the video. */
function segmentsOf(durationMs: number): Segment[] {
  const count = Math.max(1, Math.ceil(durationMs / SEGMENT_MS));
  return Array.from({ length: count }, (_none, index) => ({
    name: `seg-${digits(index, 5)}.vtt`,
    startMs: index * SEGMENT_MS,
    endMs: Math.min((index + 1) * SEGMENT_MS, Math.max(1, durationMs)),
  }));
}

function playlist(segments: readonly Segment[]): string {
  const seconds = segments.map(({ startMs, endMs }) => (endMs - startMs) / 1_000);
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

function vttDocument(cues: readonly NumberedCue[], language: string, header: string): string {
  return `${[header, ...cues.flatMap((cue) => cueBlock(cue, language))].join('\n\n')}\n`;
}

function cueBlock({ number, startMs, endMs, lines }: NumberedCue, language: string): string[] {
  const text = lines.map((line) => cueLine(line, language)).filter((line) => line !== '');
  return text.length === 0
    ? []
    : [[String(number), `${timestamp(startMs)} --> ${timestamp(endMs)}`, ...text].join('\n')];
}

/** hh:mm:ss.ttt; hours have as many digits as they need. */
function timestamp(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${digits(hours, 2)}:${digits(minutes, 2)}:${digits(seconds % 60, 2)}.${digits(ms % 1_000, 3)}`;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
