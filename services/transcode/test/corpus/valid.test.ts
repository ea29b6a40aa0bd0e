/**
 * Every valid file plays, and plays right. `VDS_SEED` makes other files of the same kinds, `VDS_ODD` chooses those
 * whose names contain it; `npm test` tries some of them, `npm run test:long` all, and most of them once more cut into
 * pieces.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Harness } from '../harness.ts';
import { judge } from './judge/judge.ts';
import { largeRecipes } from './recipes/dynamic-range.ts';
import type { Recipe } from './recipes/recipe.ts';
import { recipes } from './recipes/valid.ts';
import { isLong } from '../long-runs.ts';
import { encodeFile, chosenOf, testRecipes } from './test-recipes.ts';

/** Pieces of a second; longer videos are always cut. */
const inPieces = { TIME_SCALE: 'wholeBelow=1500ms', PIECE_LENGTH: '1s' };
const usualInPieces =
  /edit list shows: H.26[45]|packets of their own.*webm|open group shows.*H.265 in mkv|every duration unknown|in its container|headers that change.*mp4/;

describe('valid files', function () {
  this.timeout(150_000);
  // Those that are tried in pieces are tried whole in long runs only.
  testRecipes(chosenOf(recipes.filter(({ name }) => isLong || !usualInPieces.test(name))), {
    titleOf: ({ name }) => name,
    faultsOf,
  });

  it('every recipe of a valid file has a unique name', () => {
    const names = recipes.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  });
});

/** What the chart's smallest values leave the programs, and the preset that is the default. */
const smallWorker = { PROGRAMS_MEMORY: String(1_536 * 2 ** 20), ENCODE_PRESET: 'veryfast' };

describe('valid files on a small worker', function () {
  this.timeout(150_000);
  testRecipes(chosenOf(largeRecipes), {
    settings: smallWorker,
    titleOf: ({ name }) => `${name}, on a small worker`,
    faultsOf,
  });
});

describe('valid files in pieces', function () {
  this.timeout(150_000);
  let cut = 0;
  const chosen = chosenOf(recipes.filter(({ name }) => isLong || usualInPieces.test(name)));
  testRecipes(chosen, {
    settings: inPieces,
    titleOf: ({ name }) => `${name}, in pieces of a second`,
    faultsOf: (harness, path, recipe) =>
      faultsOf(harness, path, recipe, (playlist) => {
        if (playlist.includes('piece-1.')) cut++;
      }),
  });

  it('at least half of the valid files are cut where pieces last a second', () => {
    // A single recipe may make a video of only a second.
    if (process.env['VDS_ODD'] === undefined) expect(cut).to.be.at.least(Math.floor(chosen.length / 2));
  });
});

/**
 * Everything that is wrong with the video that the service makes of a file; a rejection is a fault, too.
 * @param onPlaylist is passed the text of the largest rung's playlist
 */
async function faultsOf(
  harness: Harness,
  path: string,
  { expect: expected }: Recipe,
  onPlaylist: (text: string) => void = () => {},
): Promise<string[]> {
  const { rejectedWith, output, warnings } = await encodeFile(harness, path);
  if (!output) return [`is rejected with ${rejectedWith}`];
  onPlaylist(await readFile(join(output.folder, output.ladder.rungs[0]?.playlist ?? ''), 'utf8'));
  const { warning } = expected ?? {};
  // Viewers get the pictures as they were sent: there is nothing to warn of.
  const isCopied = output.ladder.original !== undefined && warning === 'high_dynamic_range';
  const silent = warning !== undefined && !isCopied && !warnings.includes(warning) ? [`has no warning ${warning}`] : [];
  return [...silent, ...(await judge(path, output, expected))];
}
