/** Checks that the playlists' durations match their media. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncodedOutput } from './output.ts';
import type { Expectation } from '../recipes/recipe.ts';
import { durationAt } from './packets.ts';
import type { ComparedRung } from './rung.ts';

const SLACK = 0.02;
/** Tolerance for a duration that the recipe states. */
const STATED_SLACK = 0.06;

export async function judgePlaylists(
  output: EncodedOutput,
  top: ComparedRung,
  zero: number,
  expected: Expectation,
): Promise<string[]> {
  const { folder, ladder } = output;
  const faults: string[] = [];
  const [least, most] = lengthOf(top, zero, expected);
  for (const { name, playlist } of ladder.rungs) {
    const lasts = await secondsOf(join(folder, playlist));
    if (lasts < least || lasts > most)
      faults.push(`${name}: lasts ${lasts.toFixed(3)}, the source ${least.toFixed(3)} to ${most.toFixed(3)}`);
  }
  const lasts = ladder.audio ? await secondsOf(join(folder, ladder.audio.playlist)) : 0;
  const whole = Math.max(lasts, await secondsOf(join(folder, ladder.rungs[0]?.playlist ?? '')));
  if (Math.abs(ladder.durationMs / 1_000 - whole) > STATED_SLACK)
    faults.push(`is declared to last ${ladder.durationMs} ms, its playlists ${whole.toFixed(3)} s`);
  const pictures = top.made.times.length + top.repeated;
  if (ladder.frames !== pictures) faults.push(`is declared to have ${ladder.frames} pictures, has ${pictures}`);
  return faults;
}

/** From the video's first picture to the end of its last; where an edit cuts the last one, it may be shown in part. */
function lengthOf(
  { source: { times }, packets }: ComparedRung,
  zero: number,
  expected: Expectation,
): readonly [least: number, most: number] {
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
