/** Merges the lines of many readings into texts with times: the same line in the same place is one text. */
import type { AnalyzedText } from '../analysis.ts';
import { lengthOf, type Span } from '../span.ts';
import type { Box, Line } from './lines.ts';
import type { Tracker } from './tracker.ts';

/** The lines read from one interval. */
export type Reading = { readonly interval: Span; readonly lines: readonly Line[] };

type DetectedText = Line & { readonly intervals: readonly Span[] };

/** Texts of a span with their times, in chronological order. */
export function timeTexts(readings: readonly Reading[], tracker: Tracker): readonly AnalyzedText[] {
  const detected = groupReadings(readings);
  return detected
    .flatMap((text) => {
      const { intervals, ...line } = text;
      return joinTouching(intervals.map((interval) => extentOf(detected, text, interval, tracker))).map((extent) => ({
        ...line,
        startMs: Math.round(extent.startMs),
        endMs: Math.round(extent.endMs),
      }));
    })
    .filter((text) => lengthOf(text) > 0)
    .sort((a, b) => a.startMs - b.startMs);
}

/**
 * One entry for each text and place, with the intervals that it was read in; the most certain reading supplies the
 * words.
 */
function groupReadings(readings: readonly Reading[]): DetectedText[] {
  const detected: DetectedText[] = [];
  const add = (interval: Span, line: Line): void => {
    for (const [index, known] of detected.entries()) {
      if (!samePlace(known.box, line.box)) continue;
      const common = withoutClock(known.text, line.text);
      if (common === undefined && !isSameText(known.text, line.text)) continue;
      const surer = line.confidence > known.confidence ? line : known;
      detected[index] = { ...surer, text: common ?? surer.text, intervals: [...known.intervals, interval] };
      return;
    }
    detected.push({ ...line, intervals: [interval] });
  };
  for (const { interval, lines } of readings) for (const line of lines) add(interval, line);
  return detected;
}

/** Whether most of the smaller box lies in the other one. */
export function samePlace(a: Box, b: Box): boolean {
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
function plainOf(text: string): string {
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
function joinTouching(spans: readonly Span[]): Span[] {
  return [...spans]
    .sort((a, b) => a.startMs - b.startMs)
    .reduce<Span[]>((all, span) => {
      const last = all.at(-1);
      if (last && span.startMs <= last.endMs)
        all[all.length - 1] = { ...last, endMs: Math.max(last.endMs, span.endMs) };
      else all.push(span);
      return all;
    }, []);
}

/** When a text is on screen around an interval: texts in the same place never coexist. */
function extentOf(detected: readonly DetectedText[], text: DetectedText, interval: Span, tracker: Tracker): Span {
  let { startMs, endMs } = tracker.extent(text.box, interval);
  const others = detected.filter((other) => other !== text && samePlace(other.box, text.box));
  for (const other of others.flatMap(({ intervals }) => intervals)) {
    if (other.startMs >= interval.endMs && other.startMs < endMs)
      endMs = Math.min(endMs, tracker.change(text.box, interval, other));
    if (other.endMs <= interval.startMs && other.endMs > startMs)
      startMs = Math.max(startMs, tracker.change(text.box, other, interval));
  }
  return { startMs, endMs };
}

/** Joins texts that continue over the end of a span. */
export function joinTexts(texts: readonly AnalyzedText[]): readonly AnalyzedText[] {
  const joined: AnalyzedText[] = [];
  for (const text of [...texts].sort((a, b) => a.startMs - b.startMs)) {
    const index = joined.findLastIndex(
      (other) =>
        text.startMs <= other.endMs + 500 && isSameText(other.text, text.text) && samePlace(other.box, text.box),
    );
    const before = joined[index];
    if (!before) joined.push(text);
    else {
      const surer = text.confidence > before.confidence ? text : before;
      joined[index] = { ...surer, startMs: before.startMs, endMs: Math.max(before.endMs, text.endMs) };
    }
  }
  return joined;
}
