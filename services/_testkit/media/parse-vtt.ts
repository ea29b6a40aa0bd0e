/** Parses WebVTT with a third-party parser. */
import parsers from 'webvtt-parser';

type Tree = { readonly type?: string; readonly value?: string; readonly children?: readonly Tree[] };

/** W3C WebVTT §4.2.2; the parser's own table lacks the semicolon and leaves it in the text. */
const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&lrm;': '\u200e', '&rlm;': '\u200f', '&nbsp;': '\u00a0' };

export type SeenCue = {
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  /** As viewers see it, with entities resolved. */
  readonly lines: readonly string[];
};

/** The cues of a document; `errors` has a sentence for every violation of W3C WebVTT. */
export function parseVtt(text: string): { readonly cues: SeenCue[]; readonly errors: string[] } {
  const { cues, errors } = new parsers.WebVTTParser(entities).parse(text);
  return {
    errors: errors.map(({ message, line }) => `line ${line}: ${message}`),
    cues: cues.map(({ id, startTime, endTime, tree }) => ({
      id,
      startMs: Math.round(startTime * 1_000),
      endMs: Math.round(endTime * 1_000),
      lines: seen(tree).split('\n'),
    })),
  };
}

function seen({ type, value, children }: Tree): string {
  return type === 'text' ? (value ?? '') : (children ?? []).map(seen).join('');
}

/** A segment without the one header line that HLS adds (RFC 8216 §3.5) and the parser does not know. */
export function withoutTimestampMap(segment: string): string {
  return segment.replace(/^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00\.000\n/, 'WEBVTT\n');
}
