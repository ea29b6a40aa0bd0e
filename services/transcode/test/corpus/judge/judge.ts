/**
 * Decides whether a finished video shows and sounds the same as its source. It is independent of the service's code: it
 * decodes the source by itself, as its container declares it, and compares every rendition with that.
 */
import type { LadderDocument } from '@vds/proto/documents/ladder';
import { playlistFaults } from '../../playlist-faults.ts';
import { decodeSound } from './decode.ts';
import { judgeCombing } from './combing.ts';
import { judgePatches } from './patches.ts';
import { judgePictures } from './pictures.ts';
import { judgePlaylists, lengthOf } from './playlists.ts';
import { judgeSound } from './sound.ts';
import { judgeTags } from './tags.ts';
import { readTrack } from './packets.ts';
import { compareRung, tracksOf, uprightSize, type ComparedRung } from './rung.ts';
import type { EncodedOutput } from './output.ts';
import type { Expectation } from '../recipes/recipe.ts';

/**
 * Sound may begin this much before the first picture and is then cut; where it begins earlier, the first picture is
 * extended.
 */
const SHORT_LEAD = 0.1;

/** Everything that is wrong with a video, one sentence each; nothing where it is right. */
export async function judge(source: string, output: EncodedOutput, expected: Expectation = {}): Promise<string[]> {
  // ffmpeg would wait for the end of an open playlist.
  const rules = await playlistFaults(output.folder, output.ladder as LadderDocument);
  if (rules.some((fault) => fault.includes('does not end'))) return rules;
  const track = expected.sound === undefined ? 'a:0' : expected.sound;
  const { audio } = output.ladder;
  const [shown, sound, decoded] = await Promise.all([
    readTrack(source, tracksOf(expected)),
    track === null ? undefined : decodeSound(source, track, expected.mono),
    audio ? decodeSound(`${output.folder}/${audio.playlist}`, 'a:0') : undefined,
  ]);
  if (track !== null && !sound) return [`recipe: the source has no sound in ${track}`];
  if (sound?.overlapping) return ['recipe: two parts of the source’s sound overlap'];
  const rungs: ComparedRung[] = [];
  for (const { name, playlist } of output.ladder.rungs)
    rungs.push(await compareRung(source, shown.packets, { name, playlist: `${output.folder}/${playlist}` }, expected));
  const [top] = rungs;
  const [first] = top?.source.times ?? [];
  if (!top || first === undefined) return ['recipe: the source shows no picture', ...(top?.source.decoderErrors ?? [])];
  const begins = expected.begins ?? (sound && first - sound.start > SHORT_LEAD ? sound.start : first);
  const length = lengthOf(top, begins, sound?.end, expected);
  const faults = [...rules, ...judgeSource(top, expected), ...judgeSizes(rungs, uprightSize(shown, expected))];
  for (const rung of rungs) faults.push(...judgePictures(rung, begins, expected), ...judgeTags(rung));
  return [
    ...faults,
    ...judgeCombing(top, expected),
    ...judgePatches(rungs, expected),
    ...judgeSound(output.ladder, decoded, sound, begins, length),
    ...(await judgePlaylists(output, top, length)),
  ];
}

/** Checks that the file matches its recipe. */
function judgeSource({ source }: ComparedRung, expected: Expectation): string[] {
  const { decoderErrors = /^$/, frames } = expected;
  const { times } = source;
  const count = times.length;
  const strange = source.decoderErrors.filter((line) => !decoderErrors.test(line));
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
