/**
 * A WebVTT or SubRip file → cues, as plain text: whatever it holds, nothing of it is markup. Unlike a partner's file,
 * one of the staff is rejected as a whole at its first mistake.
 */
import { MAX_MARKED_LINE, withoutMarkup } from '@vds/chassis/caption-markup';
import type { TextCue } from '@vds/proto/documents/texts';
import { AppError } from '@vds/chassis/errors';
import { plainText } from '../plain-text.ts';

/** Of a track, a cue and a line: what texts.json permits. */
const [MAX_CUES, MAX_LINES, MAX_LINE] = [20_000, 4, 200];
const MAX_BYTES = 2 ** 20;
const times =
  /^(?:(\d{1,4}):)?([0-5]\d):([0-5]\d)[.,](\d{3})[ \t]+-->[ \t]+(?:(\d{1,4}):)?([0-5]\d):([0-5]\d)[.,](\d{3})(?:[ \t].*)?$/;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '\u200e',
  rlm: '\u200f',
};

type LocatedCue = { readonly cue: TextCue; readonly line: Line | undefined };
type Line = { readonly text: string; readonly number: number };

/**
 * @param durationMs of the video
 * @throws AppError INVALID_ARGUMENT, with the line and the rule that it breaks
 */
export function parseTrackFile(file: string, durationMs: number): TextCue[] {
  if (Buffer.byteLength(file) > MAX_BYTES) throw invalid(`the file is larger than ${MAX_BYTES} bytes`);
  const located = locatedCues(file);
  if (located.length === 0) throw invalid('the file has no cue');
  if (located.length > MAX_CUES) throw invalid(`the file has more than ${MAX_CUES} cues`);
  located.forEach(({ cue, line }, index) => {
    check(cue, line, durationMs);
    if (cue.startMs < (located[index - 1]?.cue.startMs ?? 0))
      throw invalid('a cue must not begin before the one above it', line);
  });
  return located.map(({ cue }) => cue);
}

/** The cues of a file that this service has written. */
export function readTrackFile(file: string): TextCue[] {
  return locatedCues(file).map(({ cue }) => cue);
}

function locatedCues(file: string): LocatedCue[] {
  const lines = file
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((text, index): Line => ({ text, number: index + 1 }));
  const isVtt = /^WEBVTT(?:[ \t]|$)/.test(lines[0]?.text ?? '');
  return blocksOf(lines)
    .filter(([first]) => !isVtt || !isAside(first))
    .map((block) => cueOf(block, isVtt));
}

function blocksOf(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    if (line.text.trim() === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0);
}

/** What WebVTT holds besides cues. */
function isAside(first: Line | undefined): boolean {
  return first !== undefined && /^(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t]|$)/.test(first.text);
}

function cueOf(block: readonly Line[], isVtt: boolean): LocatedCue {
  // A cue may begin with a name of its own.
  const at = block.slice(0, 2).findIndex(({ text }) => text.includes('-->'));
  const line = block[Math.max(0, at)];
  const found = times.exec(line?.text.trim() ?? '');
  if (!found) throw invalid('a cue needs its times, such as 00:01:02.500 --> 00:01:04.000', line);
  const lines = block.slice(at + 1).flatMap((own) => textLine(own, isVtt));
  return { cue: { startMs: milliseconds(found, 1), endMs: milliseconds(found, 5), lines }, line };
}

function check({ startMs, endMs, lines }: TextCue, line: Line | undefined, durationMs: number): void {
  if (endMs <= startMs) throw invalid('a cue must end after it begins', line);
  if (endMs > durationMs) throw invalid(`a cue must end with the video, which has ${durationMs} ms`, line);
  if (lines.length === 0) throw invalid('a cue must have text', line);
  if (lines.length > MAX_LINES) throw invalid(`a cue may have ${MAX_LINES} lines`, line);
  if (lines.some((text) => text.length > MAX_LINE)) throw invalid(`a line may have ${MAX_LINE} characters`, line);
}

function milliseconds(found: RegExpExecArray, at: number): number {
  const [hours, minutes, seconds, ms] = [0, 1, 2, 3].map((index) => Number(found[at + index] ?? 0));
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1_000 + (ms ?? 0);
}

function textLine(line: Line, isVtt: boolean): string[] {
  if (line.text.length > MAX_MARKED_LINE)
    throw invalid(`a line may have ${MAX_MARKED_LINE} characters with its markup`, line);
  if (line.text.includes('-->')) throw invalid('an empty line must precede a cue', line);
  const bare = withoutMarkup(line.text);
  const text = plainCueLine(
    isVtt ? bare.replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => entities[name] ?? '') : bare,
  );
  return text === '' ? [] : [text];
}

/** One line of text, without the mark that a track's file sets before it (`cueLine`). */
export function plainCueLine(text: string): string {
  return plainText(plainText(text).replace(/^[\u200e\u200f]+/, ''));
}

function invalid(rule: string, line?: Line): AppError {
  return new AppError('INVALID_ARGUMENT', line ? `line ${line.number}: ${rule}` : rule);
}
