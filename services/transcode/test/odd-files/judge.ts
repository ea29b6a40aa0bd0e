/**
 * Decides whether a finished video shows and sounds the same as its source. It is independent of the service's code: it
 * decodes the source by itself, as its container declares it, and compares every rendition with that.
 */
import type { LadderDocument } from '@vds/proto/documents/ladder';
import { playlistFaults } from '../playlist-faults.ts';
import { decodeSound } from './decode.ts';
import { judgePatches } from './judge-patches.ts';
import { judgePictures } from './judge-pictures.ts';
import { judgePlaylists } from './judge-playlists.ts';
import { judgeSound } from './judge-sound.ts';
import { judgeTags } from './judge-tags.ts';
import { readTrack } from './packets.ts';
import { compareRung, tracksOf, uprightSize, type ComparedRung } from './rung.ts';
import type { Seen } from './seen.ts';
import type { Expectation } from './recipe.ts';

/**
 * Sound may begin this much before the first picture and is then cut; where it begins earlier, the first picture is
 * extended.
 */
const shortLead = 0.1;

/** Everything that is wrong with a video, one sentence each; nothing where it is right. */
export async function judge(source: string, seen: Seen, expected: Expectation = {}): Promise<string[]> {
  // ffmpeg would wait for the end of an open playlist.
  const rules = await playlistFaults(seen.folder, seen.ladder as LadderDocument);
  if (rules.some((fault) => fault.includes('does not end'))) return rules;
  const track = expected.sound === undefined ? 'a:0' : expected.sound;
  const { audio } = seen.ladder;
  const [shown, sound, heard] = await Promise.all([
    readTrack(source, tracksOf(expected)),
    track === null ? undefined : decodeSound(source, track),
    audio ? decodeSound(`${seen.folder}/${audio.playlist}`, 'a:0') : undefined,
  ]);
  if (track !== null && !sound) return [`recipe: the source has no sound in ${track}`];
  if (sound?.torn) return ['recipe: two stretches of the source’s sound are at the same time'];
  const rungs: ComparedRung[] = [];
  for (const { name, playlist } of seen.ladder.rungs)
    rungs.push(await compareRung(source, shown.packets, { name, playlist: `${seen.folder}/${playlist}` }, expected));
  const [top] = rungs;
  const [first] = top?.source.times ?? [];
  if (!top || first === undefined) return ['recipe: the source shows no picture', ...(top?.source.complaints ?? [])];
  const begins = sound && first - sound.start > shortLead ? sound.start : first;
  const faults = [...rules, ...judgeSource(top, expected), ...judgeSizes(rungs, uprightSize(shown, expected))];
  for (const rung of rungs) faults.push(...judgePictures(rung, begins, expected), ...judgeTags(rung));
  return [
    ...faults,
    ...judgePatches(rungs, expected),
    ...judgeSound(seen.ladder, heard, sound, begins),
    ...(await judgePlaylists(seen, top, begins, expected)),
  ];
}

/** Checks that the file matches its recipe. */
function judgeSource({ source }: ComparedRung, expected: Expectation): string[] {
  const { complaints = /^$/, frames } = expected;
  const { times } = source;
  const count = times.length;
  const strange = source.complaints.filter((line) => !complaints.test(line));
  return [
    ...strange.slice(0, 3).map((line) => `recipe: ffmpeg says of the source: ${line}`),
    ...(frames !== undefined && frames !== count ? [`recipe: made to show ${frames} pictures, shows ${count}`] : []),
    ...(times.some((time, index) => !(time > (times[index - 1] ?? -Infinity)))
      ? ['recipe: pictures of the source are not shown one after the other']
      : []),
  ];
}

/** Sizes are even, never larger than the source, and of its shape; the largest is the source's own up to 1080 lines. */
function judgeSizes(
  rungs: readonly ComparedRung[],
  source: { readonly width: number; readonly height: number },
): string[] {
  const shape = source.width / source.height;
  const faults = rungs.flatMap(({ name, made: { width, height } }) => {
    const off = Math.abs(Math.log(width / height / shape));
    return [
      ...(width % 2 || height % 2 ? [`${name}: ${width}x${height} is not even`] : []),
      ...(width > source.width + 1 || height > source.height + 1 ? [`${name}: is larger than the source`] : []),
      ...(off > 2.5 / Math.min(width, height) ? [`${name}: ${width}x${height} is not of the shape ${shape}`] : []),
    ];
  });
  const wanted = Math.min(1_080, source.width, source.height);
  const [top] = rungs;
  const short = top ? Math.min(top.made.width, top.made.height) : 0;
  // A source up to a tenth above a standard size may be reduced to it.
  if (short < wanted / 1.1 - 2) faults.push(`the largest rung has ${short} lines, the source ${wanted}`);
  return faults;
}
