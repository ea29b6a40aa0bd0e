/** ffmpeg's WebVTT → cues of the video, as plain text: whatever a partner's file holds, nothing of it is markup. */
import { withoutMarkup } from '@vds/chassis/caption-markup';
import type { TextCue } from '@vds/proto/documents/texts';
import { plainLine } from './plain-line.ts';

const times = /^(?:(\d+):)?(\d\d):(\d\d\.\d{3}) --> (?:(\d+):)?(\d\d):(\d\d\.\d{3})/;
/** Of a track, a cue and a line: what texts.json permits. */
const [MAX_CUES, MAX_LINES, MAX_LINE] = [20_000, 4, 200];
/** Of a video, for which captions are shown. */
const MIN_SHARE = 0.02;
/** A cue that lasts for no time is not seen; captions of television are written letter by letter. */
const MIN_MS = 100;

/**
 * @param zero second of the source's clock at which the video begins
 * @param end seconds of the video
 */
export function readCues(vtt: string, zero: number, end: number): TextCue[] {
  const cues: TextCue[] = [];
  let last: TextCue | undefined;
  for (const block of vtt
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => times.test(line));
    const found = times.exec(lines[at] ?? '');
    if (!found || cues.length >= MAX_CUES) continue;
    const [startMs, endMs] = [seconds(found, 1), seconds(found, 4)].map((time) =>
      Math.round(Math.min(Math.max(0, time - zero), end) * 1_000),
    ) as [number, number];
    const text = linesOf(lines.slice(at + 1));
    const isRepeated = last?.startMs === startMs && last.lines.join('\n') === text.join('\n');
    if (endMs - startMs < MIN_MS || text.length === 0 || isRepeated) continue;
    last = { startMs, endMs, lines: text };
    cues.push(last);
  }
  return cues.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

function seconds(found: RegExpExecArray, at: number): number {
  return Number(found[at] ?? 0) * 3_600 + Number(found[at + 1]) * 60 + Number(found[at + 2]);
}

function linesOf(lines: readonly string[]): string[] {
  return lines
    .map((line) => plainLine(withoutMarkup(line).replaceAll('\\h', ' '), MAX_LINE))
    .filter((line) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(line))
    .slice(0, MAX_LINES);
}

/**
 * Whether a track says what is spoken, and not only who made it: of less than that share of a video, speech is recognised.
 * @param end seconds of the video
 */
export function isSpoken(cues: readonly TextCue[], end: number): boolean {
  const shownMs = cues.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return shownMs >= MIN_SHARE * end * 1_000;
}

/**
 * Captions of television that roll up repeat what is still on screen with each new line: every line is kept once, from its
 * first appearance on.
 */
export function withoutRepeats(cues: readonly TextCue[]): TextCue[] {
  return cues.flatMap((cue, index) => {
    const before = cues[index - 1];
    const rolls = before !== undefined && cue.startMs - before.endMs < 500;
    const shown = rolls ? overlapOf(before.lines, cue.lines) : 0;
    const lines = cue.lines.slice(shown);
    return lines.length === 0 ? [] : [{ ...cue, lines }];
  });
}

/** How many lines at the end of one cue begin the next. */
function overlapOf(before: readonly string[], after: readonly string[]): number {
  for (let count = Math.min(before.length, after.length); count > 0; count -= 1)
    if (before.slice(-count).every((line, index) => line === after[index])) return count;
  return 0;
}
