/** Matroska and WebM as recorders, browsers and older tools write them. */
import { readFile, writeFile } from 'node:fs/promises';
import {
  copiedFromAvi,
  laced,
  grouped,
  headerStripped,
  lastOfOneTick,
  padded,
} from '../generators/matroska-changes.ts';
import {
  elementsOf,
  ids,
  readElements,
  without,
  writeElements,
  type Element,
} from '../generators/matroska-elements.ts';
import {
  h264,
  h264Ahead,
  hevc,
  renderClip,
  smallClip,
  untagged,
  vp8,
  vp9,
  type Clip,
  type ClipOptions,
} from '../generators/clip.ts';
import type { RecipeContext, Expectation, Recipe } from './recipe.ts';

type Change = (elements: Element[]) => Element[];

const lengthless: Change = (elements) => without(elements, ids.defaultDuration);
const unending: Change = (elements) => {
  for (const one of [...elementsOf(elements, ids.segment), ...elementsOf(elements, ids.cluster)]) one.unknown = true;
  return elements;
};
const opus = { sounds: ['-c:a', 'libopus'] };
const live = { file: ['-live', '1'] };

export const matroskaRecipes: readonly Recipe[] = [
  second('25', h264(), 'mkv', true),
  second('30', h264Ahead(), 'mkv'),
  second('50', hevc(), 'mkv'),
  second('60', vp9, 'webm'),
  oneTick('5', h264(), 'mkv'),
  oneTick('10', h264Ahead(), 'mkv', true),
  oneTick('10', vp9, 'webm'),
  recipe('without a default duration, with sound', 'mkv', (context) => changed(context, lengthless)),
  recipe('without a duration', 'mkv', (context) => changed(context, (all) => without(all, ids.duration))),
  recipe('without any index', 'mkv', (context) => changed(context, (all) => without(all))),
  recipe(
    'of a live recording, segment and clusters of unknown size',
    'mkv',
    (context) => changed(context, (all) => unending(without(all, ids.duration)), h264Ahead(), { seconds: 6 }, live),
    true,
  ),
  recipe('of a live recording in WebM', 'webm', (context) =>
    changed(context, (all) => unending(without(all, ids.duration)), vp9, { seconds: 3 }, { ...opus, ...live }),
  ),
  recipe('written by ffmpeg as live', 'mkv', ({ path, random }) =>
    renderClip(path, smallClip(random, 2), h264Ahead(), live),
  ),
  recipe('sound in laces of Xiph', 'mkv', (context) => changed(context, (all) => laced(without(all), 'xiph')), true),
  recipe('sound in laces of EBML', 'webm', (context) =>
    changed(context, (all) => laced(without(all), 'ebml', 20_000_000), vp9, {}, opus),
  ),
  recipe('sound in laces of one size', 'mkv', (context) =>
    changed(context, (all) => laced(without(all), 'fixed'), h264Ahead(), {}, { sounds: ['-c:a', 'pcm_s16le'] }),
  ),
  recipe(
    'copied out of AVI, with times of decoding alone',
    'mkv',
    (context) => changed(context, (all) => copiedFromAvi(without(all), 40), h264Ahead(), { rate: '25' }),
    true,
  ),
  recipe('padding before and behind everything', 'mkv', (context) => changed(context, (all) => padded(without(all)))),
  recipe('first bytes of every picture stripped', 'mkv', (context) =>
    changed(context, (all) => headerStripped(without(all)), h264('keyint=1')),
  ),
  recipe(
    'blocks in groups',
    'webm',
    (context) => changed(context, (all) => grouped(without(all)), vp8, {}, { ...opus, colours: untagged }),
    undefined,
    { matrix: 'bt601' },
  ),
  recipe('blocks in groups, H.264', 'mkv', (context) =>
    changed(context, (all) => grouped(without(all)), h264('keyint=1')),
  ),
];

function recipe(name: string, file: string, make: Recipe['make'], usual?: true, expect: Expectation = {}): Recipe {
  return { name: `a Matroska file plays whole: ${name}`, file, make, expect, ...(usual ? { usual } : {}) };
}

/** A clip in Matroska, changed. */
async function changed(
  { path, random }: RecipeContext,
  change: Change,
  coder: readonly string[] = h264Ahead(),
  clip: Partial<Clip> = {},
  options: ClipOptions = {},
): Promise<void> {
  await renderClip(path, smallClip(random, 2, clip), coder, options);
  await writeFile(path, writeElements(change(readElements(await readFile(path)))));
}

/** One second exactly: the last picture's duration is not stored. */
function second(rate: string, coder: readonly string[], file: string, usual?: true): Recipe {
  return {
    name: `one second without a default duration lasts one second: ${rate} pictures a second in ${file}`,
    file,
    ...(usual ? { usual } : {}),
    make: (context) => changed(context, lengthless, coder, { rate, seconds: 1 }, { mute: true }),
    expect: { frames: Number(rate), seconds: 1, sound: null },
  };
}

/** The same second, its last picture stored with a duration of one tick; at a low rate the difference is large. */
function oneTick(rate: string, coder: readonly string[], file: string, usual?: true): Recipe {
  return {
    ...second(rate, coder, file, usual),
    name: `one second whose last picture is stored with a length of one tick lasts one second: ${rate} pictures a second in ${file}`,
    make: (context) =>
      changed(context, (all) => lastOfOneTick(lengthless(all)), coder, { rate, seconds: 1 }, { mute: true }),
  };
}
