/** Runs recipes on the real service, a few at a time, and judges each result. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { requestEncode, requestInspect, uploadSource, waitForTerminalEvent } from '../catalog.ts';
import { download, makeFolder, removeFolder } from '../clips.ts';
import { openHarness, type Harness } from '../harness.ts';
import { isLong } from '../long-runs.ts';
import { randomOf, seedOfRun } from './generators/random.ts';
import { mapConcurrently } from './map-concurrently.ts';
import type { FileRecipe } from './recipes/recipe.ts';

const nameFilter = process.env['VDS_ODD'] ?? '';

/** The recipes that this run tests: all in long runs, else the first usual one of each kind (`<kind>: <variant>`). */
export function chosenOf<Recipe extends FileRecipe>(recipes: readonly Recipe[]): Recipe[] {
  if (nameFilter !== '') return recipes.filter(({ name }) => name.includes(nameFilter));
  if (isLong) return [...recipes];
  const kinds = new Set<string>();
  return recipes.filter(({ usual, name }) => {
    const [kind = name] = name.split(': ');
    if (usual !== true || kinds.has(kind)) return false;
    kinds.add(kind);
    return true;
  });
}

/** The service's result for a file: the failure code, or the video in a folder. */
export async function encodeFile(harness: Harness, path: string) {
  const video = await uploadSource(harness, path);
  await requestInspect(harness, video);
  const inspected = await waitForTerminalEvent(harness, video.videoId, 'inspect');
  if (inspected.subject.includes('.failed.')) return rejected(inspected.payload);
  await requestEncode(harness, video, Number(inspected.payload['durationMs']));
  const { subject, payload } = await waitForTerminalEvent(harness, video.videoId, 'encode', 120_000);
  if (subject.includes('.failed.')) return rejected(payload);
  const warnings = (inspected.payload['warnings'] as { code: string }[]).map(({ code }) => code);
  const rejectedWith = undefined;
  return {
    rejectedWith,
    warnings,
    output: await download(harness, video.videoId, String(payload['ladderKey']), `${path}-output`),
  };
}

/** A failure names nothing of our own. */
function rejected(payload: Readonly<Record<string, unknown>>) {
  expect(JSON.stringify(payload)).not.to.match(/ffmpeg|ffprobe|scratch|moov|\//);
  return { rejectedWith: String(payload['code']), warnings: [], output: undefined };
}

type RecipeTest<Recipe> = {
  /** Environment variables of the service. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly titleOf: (recipe: Recipe) => string;
  /** The faults of a file's result, one sentence each. */
  readonly faultsOf: (harness: Harness, path: string, recipe: Recipe) => Promise<string[]>;
};

/** One test for every recipe; their results are printed as a table in long runs. */
export function testRecipes<Recipe extends FileRecipe>(
  recipes: readonly Recipe[],
  { settings = {}, titleOf, faultsOf }: RecipeTest<Recipe>,
): void {
  const seed = seedOfRun();
  const concurrency = 3;
  let harness: Harness;
  let folder: string;
  let results: readonly Promise<string[]>[] = [];
  const table: string[] = [];

  const testOne = async (recipe: Recipe, index: number): Promise<string[]> => {
    const own = join(folder, String(index));
    await mkdir(own);
    const path = join(own, `file.${recipe.file}`);
    await recipe.make({ path, at: (name) => join(own, name), random: randomOf(recipe.name, seed) });
    const faults = await faultsOf(harness, path, recipe);
    await removeFolder(own);
    return faults;
  };

  before(async () => {
    folder = await makeFolder();
    harness = await openHarness(settings);
    await harness.startWorker();
    results = mapConcurrently(concurrency, recipes, testOne);
  });
  after(async () => {
    if (isLong) process.stdout.write(`${table.join('\n')}\n`);
    await harness?.close();
    await removeFolder(folder);
  });

  recipes.forEach((recipe, index) =>
    it(titleOf(recipe), async () => {
      const faults = (await results[index]) ?? ['was not tried'];
      const result = faults.length === 0 ? 'right' : 'WRONG';
      table.push(`      ${result}  ${[recipe.name, ...faults].join('\n               ')}`);
      expect(faults, `seed ${seed}, ${recipe.name}`).to.deep.equal([]);
    }),
  );
}
