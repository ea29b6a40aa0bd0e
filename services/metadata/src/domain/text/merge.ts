/** Merges the lines of many readings into texts with times: the same line in the same place is one text. */
import type { AnalyzedText } from '../analysis.ts';
import type { Span } from '../span.ts';
import type { Follower } from './follow.ts';
import type { Box, Line } from './lines.ts';

/** The lines read from one stay. */
export type Reading = { readonly stay: Span; readonly lines: readonly Line[] };

type Seen = Line & { readonly stays: readonly Span[] };

/** Texts of a span with their times, in chronological order. */
export function timeTexts(readings: readonly Reading[], follow: Follower): readonly AnalyzedText[] {
  const seen = gather(readings);
  return seen
    .flatMap((own) =>
      unite(own.stays.map((stay) => bound(seen, own, stay, follow.extent(own.box, stay), follow))).map((extent) => ({
        startMs: Math.round(extent.startMs),
        endMs: Math.round(extent.endMs),
        text: own.text,
        confidence: own.confidence,
        box: own.box,
      })),
    )
    .filter(({ startMs, endMs }) => endMs > startMs)
    .sort((a, b) => a.startMs - b.startMs);
}

/**
 * One entry for each text and place, with the stays that it was read in; the most certain reading supplies the words.
 */
function gather(readings: readonly Reading[]): Seen[] {
  const seen: Seen[] = [];
  const add = (stay: Span, line: Line): void => {
    const rivals = seen.filter((other) => samePlace(other.box, line.box));
    for (const known of rivals) {
      const common = withoutClock(known.text, line.text);
      if (common === undefined && !isSameText(known.text, line.text)) continue;
      const surer = line.confidence > known.confidence ? line : known;
      seen[seen.indexOf(known)] = { ...surer, text: common ?? surer.text, stays: [...known.stays, stay] };
      return;
    }
    seen.push({ ...line, stays: [stay] });
  };
  for (const { stay, lines } of readings) for (const line of lines) add(stay, line);
  return seen;
}

function samePlace(a: Box, b: Box): boolean {
  return overlap(a, b) > 0.5;
}

/** The share of the smaller box that lies in the other one. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]);
  return width <= 0 || height <= 0 ? 0 : (width * height) / Math.max(1, Math.min(a[2] * a[3], b[2] * b[3]));
}

/**
 * The common part of two readings of a line that differ only in the remains of a clock at its end: one number is the
 * beginning of the other. Undefined for other pairs.
 */
function withoutClock(a: string, b: string): string | undefined {
  const [[headA, tailA], [headB, tailB]] = [splitTail(a), splitTail(b)];
  if (tailA === tailB || !isSameText(headA, headB)) return undefined;
  return tailA.startsWith(tailB) || tailB.startsWith(tailA) ? headA : undefined;
}

/** A line without the number at its end, and that number. */
function splitTail(text: string): readonly [head: string, tail: string] {
  const [, head, tail] = /^(.*\p{L}\S*) (\p{N}{1,3})$/u.exec(text) ?? [];
  return head === undefined || tail === undefined ? [text, ''] : [head, tail];
}

/** The same words with at most one letter in six misread; other digits are another score. */
export function isSameText(a: string, b: string): boolean {
  if (digitsOf(a) !== digitsOf(b)) return false;
  const [x, y] = [plainOf(a), plainOf(b)];
  const most = Math.floor(Math.min(x.length, y.length) / 6);
  return x === y || distance(x, y, most) <= most;
}

function digitsOf(text: string): string {
  return text.replaceAll(/[^\p{N}]/gu, '');
}

/** Only letters and digits, so that a lost sign does not make another text. */
export function plainOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Levenshtein distance, computed up to `most`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_cell, index) => index);
  for (let x = 1; x <= a.length; x++) {
    const next = [x];
    for (let y = 1; y <= b.length; y++)
      next.push(
        Math.min((row[y] ?? 0) + 1, (next[y - 1] ?? 0) + 1, (row[y - 1] ?? 0) + (a[x - 1] === b[y - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Joins spans that touch or overlap. */
export function unite(spans: readonly Span[], slackMs = 0): Span[] {
  return [...spans]
    .sort((a, b) => a.startMs - b.startMs)
    .reduce<Span[]>((all, span) => {
      const last = all.at(-1);
      if (last && span.startMs <= last.endMs + slackMs)
        all[all.length - 1] = { ...last, endMs: Math.max(last.endMs, span.endMs) };
      else all.push(span);
      return all;
    }, []);
}

/** Texts in the same place never coexist: each ends where the next one's box changes. */
function bound(seen: readonly Seen[], own: Seen, stay: Span, extent: Span, follow: Follower): Span {
  let { startMs, endMs } = extent;
  for (const other of seen) {
    if (other === own || !samePlace(other.box, own.box)) continue;
    for (const rival of other.stays) {
      if (rival.startMs >= stay.endMs && rival.startMs < endMs)
        endMs = Math.min(endMs, follow.turn(own.box, stay, rival));
      if (rival.endMs <= stay.startMs && rival.endMs > startMs)
        startMs = Math.max(startMs, follow.turn(own.box, rival, stay));
    }
  }
  return { startMs, endMs };
}

/** Joins texts that continue over the end of a span. */
export function joinTexts(texts: readonly AnalyzedText[]): readonly AnalyzedText[] {
  const joined: AnalyzedText[] = [];
  for (const text of [...texts].sort((a, b) => a.startMs - b.startMs)) {
    const place = joined.findLastIndex(
      (other) =>
        text.startMs <= other.endMs + 500 && isSameText(other.text, text.text) && samePlace(other.box, text.box),
    );
    const before = joined[place];
    if (!before) joined.push(text);
    else {
      const surer = text.confidence > before.confidence ? text : before;
      joined[place] = { ...surer, startMs: before.startMs, endMs: Math.max(before.endMs, text.endMs) };
    }
  }
  return joined;
}
