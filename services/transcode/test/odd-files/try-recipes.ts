/** Runs recipes on the real service, a few at a time, and judges each result. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { askEncode, askInspect, lastWord, uploadSource } from '../catalog.ts';
import { download, makeFolder, removeFolder } from '../clips.ts';
import { openHouse, type House } from '../harness.ts';
import { chanceOf, seedOfRun } from './chance.ts';
import { inLanes } from './lanes.ts';

export const isLong = process.env['VDS_LONG'] === '1';

type Named = {
  readonly name: string;
  readonly file: string;
  readonly usual?: true;
  readonly make: (bench: {
    path: string;
    at: (name: string) => string;
    chance: ReturnType<typeof chanceOf>;
  }) => unknown;
};

/** The service's result for a file: the failure code, or the video in a folder. */
export async function offer(house: House, path: string) {
  const title = await uploadSource(house, path);
  await askInspect(house, title);
  const inspected = await lastWord(house, title.videoId, 'inspect');
  if (inspected.subject.includes('.failed.')) return { refused: String(inspected.payload['code']) };
  await askEncode(house, title, Number(inspected.payload['durationMs']));
  const { subject, payload } = await lastWord(house, title.videoId, 'encode', 120_000);
  if (subject.includes('.failed.')) return { refused: String(payload['code']) };
  return { seen: await download(house, title.videoId, String(payload['ladderKey']), `${path}-seen`) };
}

/**
 * One test for every recipe; their results are printed as a table in long runs.
 * @param settings of the service
 * @param verdict returns the faults of a file's result, one sentence each
 */
export function tryRecipes<Recipe extends Named>(
  recipes: readonly Recipe[],
  settings: Readonly<Record<string, string>>,
  verdict: (house: House, path: string, recipe: Recipe) => Promise<string[]>,
): void {
  const seed = seedOfRun();
  const lanes = 3;
  let house: House;
  let folder: string;
  let verdicts: readonly Promise<string[]>[] = [];
  const table: string[] = [];

  const tryOne = async (recipe: Recipe, index: number): Promise<string[]> => {
    const place = join(folder, String(index));
    await mkdir(place);
    const path = join(place, `file.${recipe.file}`);
    await recipe.make({ path, at: (name) => join(place, name), chance: chanceOf(recipe.name, seed) });
    const faults = await verdict(house, path, recipe);
    await removeFolder(place);
    return faults;
  };

  before(async () => {
    folder = await makeFolder();
    house = await openHouse(settings);
    await house.startWorker();
    verdicts = inLanes(lanes, recipes, tryOne);
  });
  after(async () => {
    if (isLong) process.stdout.write(`${table.join('\n')}\n`);
    await house?.close();
    await removeFolder(folder);
  });

  recipes.forEach(({ name }, index) =>
    it(name, async () => {
      const faults = (await verdicts[index]) ?? ['was not tried'];
      table.push(`      ${faults.length === 0 ? 'right' : 'WRONG'}  ${[name, ...faults].join('\n               ')}`);
      expect(faults, `seed ${seed}, ${name}`).to.deep.equal([]);
    }),
  );
}
