/**
 * Builds the product's images: `npm run images -- [options]`.
 *   --target app,media,migrate   which images; all by default
 *   --repository R --tag T       names are R/<target>:T; localhost/vds and the product's version by default
 *   --base IMAGE                 Debian 12 with Node 24, instead of the official image
 *   --archive DIR                writes DIR/<target>.tar as well, for machines without a registry
 *   --push                       pushes them to the registry of R
 *   --mount-host-config          lends the build this machine's settings of npm, pip and apt, and its certificates
 *   --source URL                 the source's address, for the image label of that name
 * Uses docker buildx, docker or buildah, whichever works first. Prints name, size and digest of each image.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBuilder, type Builder, type Recipe } from './images/builders.ts';
import { originOf, stageContext } from './images/context.ts';
import { hostConfig } from './images/host-config.ts';
import { findPnpm } from './images/pnpm-tool.ts';
import { print, runMain, step } from '@vds/testkit/servers/progress';

const root = fileURLToPath(new URL('..', import.meta.url));
const targets = ['app', 'media', 'migrate'];
type Options = ReturnType<typeof readOptions>;

await runMain(main);

async function main(): Promise<void> {
  const options = readOptions();
  const builder = await findBuilder();
  const recipe = await recipeOf(options);
  print(`with ${builder.name}, of ${recipe.arguments['REVISION']}`);
  const lines: string[] = [];
  try {
    for (const target of options.wanted)
      lines.push(await make(target, builder, recipe, options, options.tag ?? recipe.version));
  } finally {
    rmSync(recipe.context, { recursive: true, force: true });
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: targets.join(',') },
      repository: { type: 'string', default: 'localhost/vds' },
      tag: { type: 'string' },
      base: { type: 'string' },
      source: { type: 'string' },
      archive: { type: 'string' },
      push: { type: 'boolean', default: false },
      'mount-host-config': { type: 'boolean', default: false },
    },
  });
  const wanted = values.target.split(',');
  const unknown = wanted.filter((target) => !targets.includes(target));
  if (unknown.length > 0) throw new Error(`there is no target ${unknown.join(', ')}; there are ${targets.join(', ')}`);
  return { ...values, wanted };
}

async function recipeOf(options: Options): Promise<Recipe & { readonly version: string }> {
  const { version, revision, epoch } = await originOf(root, process.env['SOURCE_DATE_EPOCH']);
  const pnpm = options.base === undefined ? undefined : await findPnpm();
  return {
    version,
    epoch,
    context: await stageContext(root, { 'pnpm-tool': pnpm }),
    arguments: {
      VERSION: options.tag ?? version,
      REVISION: revision,
      CREATED: new Date(epoch * 1_000).toISOString().replace('.000Z', 'Z'),
      SOURCE_DATE_EPOCH: String(epoch),
      ...(options.source !== undefined && { SOURCE: options.source }),
      ...(options.base !== undefined && { NODE_IMAGE: options.base }),
    },
    secretFiles: options['mount-host-config'] ? hostConfig(process.env) : {},
  };
}

async function make(target: string, builder: Builder, recipe: Recipe, options: Options, tag: string): Promise<string> {
  const image = `${options.repository}/${target}:${tag}`;
  await step(`build ${image}`, () => builder.build(target, image, recipe));
  if (options.archive !== undefined) {
    mkdirSync(options.archive, { recursive: true });
    const file = join(resolve(options.archive), `${target}.tar`);
    await step(`write ${file}`, () => builder.save(image, file));
  }
  if (options.push) await step(`push ${image}`, () => builder.push(image));
  const { bytes, digest } = await builder.describe(image);
  return `${image}  ${(bytes / 1e6).toFixed(1)} MB  ${digest}`;
}
