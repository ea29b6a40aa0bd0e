/**
 * Every valid file plays, and plays right. `VDS_SEED` makes other files of the same kinds, `VDS_ODD` chooses those
 * whose names contain it; `npm test` tries some of them, `npm run test:long` all, and most of them once more cut into
 * pieces.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { judge } from './judge.ts';
import type { Recipe } from './recipe.ts';
import { recipes } from './recipes.ts';
import { isLong, offer, tryRecipes } from './try-recipes.ts';
import type { House } from '../harness.ts';

const word = process.env['VDS_ODD'] ?? '';
function isChosen({ usual, name }: Recipe): boolean {
  return word === '' ? isLong || usual === true : name.includes(word);
}

/** Everything that is wrong with the video that the service makes of a file; a rejection is a fault, too. */
async function verdict(house: House, path: string, { expect: expected }: Recipe): Promise<string[]> {
  const { refused, seen } = await offer(house, path);
  return seen ? judge(path, seen, expected) : [`is refused with ${refused}`];
}

describe('every valid file plays, and plays right', function () {
  this.timeout(150_000);
  tryRecipes(recipes.filter(isChosen), {}, verdict);

  it('is what every recipe says by a name of its own', () => {
    const names = recipes.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  });
});

/** Pieces of a second; longer videos are always cut. */
const inPieces = { WHOLE_BELOW: '1500ms', PIECE_LENGTH: '1s' };
const usualInPieces =
  /edit list shows: H.26[45]|packets of their own.*webm|open group shows.*H.265 in mkv|every duration unknown/;

describe('every valid file plays, and plays right, where it is cut into pieces', function () {
  this.timeout(150_000);
  let cut = 0;
  const chosen = recipes.filter((recipe) => isChosen(recipe) && (isLong || usualInPieces.test(recipe.name)));
  tryRecipes(chosen, inPieces, async (house, path, { expect: expected }) => {
    const { refused, seen } = await offer(house, path);
    if (!seen) return [`is refused with ${refused}`];
    const playlist = await readFile(join(seen.folder, seen.ladder.rungs[0]?.playlist ?? ''), 'utf8');
    if (playlist.includes('piece-1.')) cut++;
    return judge(path, seen, expected);
  });

  it('was cut into pieces more often than not', () => {
    // A single recipe may make a video of only a second.
    if (process.env['VDS_ODD'] === undefined) expect(cut).to.be.at.least(Math.floor(chosen.length / 2));
  });
});
