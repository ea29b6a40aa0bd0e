/** Checks that the playlists' durations match their media and each other, and the rates that the ladder declares. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncodedOutput } from './output.ts';
import type { Expectation } from '../recipes/recipe.ts';
import { durationAt } from './packets.ts';
import type { ComparedRung } from './rung.ts';

const SLACK = 0.02;
/** A frame of sound cannot be divided. */
const FRAME_SLACK = 0.025;
/** Seconds: a rate is that of several pictures, unless they follow each other more slowly. */
const RATE_SPAN = 0.19;
/** Tolerance for a duration that the recipe states. */
const STATED_SLACK = 0.06;

/** @param length seconds that the title may last */
export async function judgePlaylists(
  output: EncodedOutput,
  top: ComparedRung,
  [least, most]: Length,
): Promise<string[]> {
  const { folder, ladder } = output;
  const faults: string[] = [];
  const lengths: number[] = [];
  for (const { name, playlist } of [...ladder.rungs, ...(ladder.audio ? [{ name: 'sound', ...ladder.audio }] : [])]) {
    const lasts = await secondsOf(join(folder, playlist));
    lengths.push(lasts);
    if (lasts < least || lasts > most)
      faults.push(`${name}: lasts ${lasts.toFixed(3)}, the source ${least.toFixed(3)} to ${most.toFixed(3)}`);
  }
  const [shortest, whole] = [Math.min(...lengths), Math.max(...lengths)];
  if (whole - shortest > FRAME_SLACK)
    faults.push(`its renditions last ${lengths.map((lasts) => lasts.toFixed(3)).join(', ')} s`);
  if (Math.abs(ladder.durationMs / 1_000 - whole) > STATED_SLACK)
    faults.push(`is declared to last ${ladder.durationMs} ms, its playlists ${whole.toFixed(3)} s`);
  const rate = highestRate(top.shownAt);
  for (const { name, frameRate } of ladder.rungs)
    if (rate > 0 && Math.abs(frameRate / rate - 1) > 0.03)
      faults.push(`${name}: is declared to have ${frameRate} pictures a second, has up to ${rate.toFixed(3)}`);
  const pictures = top.made.times.length + top.repeated;
  if (ladder.frames !== pictures) faults.push(`is declared to have ${ladder.frames} pictures, has ${pictures}`);
  return faults;
}

/** The highest rate of pictures over a fifth of a second, or between two of them (RFC 8216 §4.3.4.2); 0 if unknown. */
function highestRate(times: readonly number[]): number {
  const rates = times.flatMap((from, index) => {
    const next = times.findIndex((time) => time - from >= RATE_SPAN);
    return next < 0 ? [] : [(next - index) / ((times[next] ?? from) - from)];
  });
  return Math.max(0, ...rates);
}

export type Length = readonly [least: number, most: number];

/**
 * Seconds from the video's beginning to the end of its pictures or its sound, whichever is later.
 * @param heardUntil the end of the source's sound on its clock; undefined: it has none
 */
export function lengthOf(
  top: ComparedRung,
  zero: number,
  heardUntil: number | undefined,
  expected: Expectation,
): Length {
  const [least, most] = shownFor(top, zero, expected);
  if (heardUntil === undefined || expected.seconds !== undefined) return [least, most];
  const heard = heardUntil - zero;
  return [Math.max(least, heard - STATED_SLACK), Math.max(most, heard + STATED_SLACK)];
}

/** From the video's first picture to the end of its last; where an edit cuts the last one, it may be shown in part. */
function shownFor({ source: { times }, packets }: ComparedRung, zero: number, expected: Expectation): Length {
  if (expected.seconds !== undefined) return [expected.seconds - STATED_SLACK, expected.seconds + STATED_SLACK];
  const last = times.at(-1) ?? 0;
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const gap = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0.04;
  const declared = durationAt(packets, last);
  const [shorter, longer] = [Math.min(declared ?? gap, gap), Math.max(declared ?? gap, gap)];
  const leading = (expected.leading ?? 0) * gap;
  return [last - zero + shorter / 2 - SLACK, last - zero + longer + SLACK + leading];
}

async function secondsOf(playlist: string): Promise<number> {
  const text = await readFile(playlist, 'utf8');
  return [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, match) => sum + Number(match[1]), 0);
}
