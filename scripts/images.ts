/**
 * Builds the product's images: `npm run images -- [options]`.
 *   --target app,media,migrate   which images; all by default
 *   --repository R --tag T       names are R/<target>:T; localhost/vds and the product's version by default
 *   --base IMAGE                 Debian 12 or 13 with Node 24, instead of the official image
 *   --builder IMAGE              the same for this machine alone, which buildah needs to build for others
 *   --mount-host-config          lends the build this machine's settings of npm, pip and apt, and its certificates
 *   --source URL                 the source's address, for the annotation of that name
 * for this machine, where
 *   --archive DIR                writes DIR/<target>.tar as well, for machines without a registry
 * or for others, with
 *   --push                       to the registry of R, which the builder is logged in to
 *   --platform linux/amd64,…     the platforms of the image that is pushed; this machine's by default
 *   --values FILE                writes repository and digests as values of the chart
 *   --sbom DIR                   writes DIR/<target>-<architecture>.spdx.json: what the image contains
 * Uses docker buildx or buildah, whichever works first. Prints name, size and the digest of its configuration of each
 * image, of a pushed one its name and the digest by which it is pulled.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { annotationsOf } from './images/annotations.ts';
import { findBuilder, ownPlatform, type Builder, type Recipe } from './images/builders.ts';
import { originOf, stageContext } from './images/context.ts';
import { hostConfig } from './images/host-config.ts';
import { findPnpm } from './images/pnpm-tool.ts';
import { writeSboms } from './images/sbom.ts';
import { print, runMain, step } from '@vds/testkit/servers/progress';

const root = fileURLToPath(new URL('..', import.meta.url));
const targets = ['app', 'media', 'migrate'];
type Options = ReturnType<typeof readOptions>;
type Plan = Omit<Recipe, 'annotations'> & { readonly tag: string };

await runMain(main);

async function main(): Promise<void> {
  const options = readOptions();
  const builder = await findBuilder();
  const plan = await planOf(options);
  print(`with ${builder.name}, of ${plan.arguments['REVISION']}`);
  try {
    if (options.push) await publishAll(builder, plan, options);
    else for (const target of options.wanted) process.stdout.write(`${await make(target, builder, plan, options)}\n`);
  } finally {
    rmSync(plan.context, { recursive: true, force: true });
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: targets.join(',') },
      repository: { type: 'string', default: 'localhost/vds' },
      tag: { type: 'string' },
      base: { type: 'string' },
      builder: { type: 'string' },
      source: { type: 'string' },
      archive: { type: 'string' },
      push: { type: 'boolean', default: false },
      platform: { type: 'string' },
      values: { type: 'string' },
      sbom: { type: 'string' },
      'mount-host-config': { type: 'boolean', default: false },
    },
  });
  const wanted = values.target.split(',');
  const unknown = wanted.filter((target) => !targets.includes(target));
  if (unknown.length > 0) throw new Error(`there is no target ${unknown.join(', ')}; there are ${targets.join(', ')}`);
  if (values.push && values.archive !== undefined) throw new Error('--push and --archive are two runs: choose one');
  const pushed = [values.platform, values.values, values.sbom].some((value) => value !== undefined);
  if (!values.push && pushed)
    throw new Error('--platform, --values and --sbom are of images that are pushed: add --push');
  const platforms = (values.platform ?? ownPlatform).split(',');
  return { ...values, wanted, platforms };
}

async function planOf(options: Options): Promise<Plan> {
  const { version, revision, epoch } = await originOf(root, process.env['SOURCE_DATE_EPOCH']);
  const pnpm = options.base === undefined ? undefined : await findPnpm();
  const tag = options.tag ?? version;
  return {
    tag,
    epoch,
    context: await stageContext(root, { 'pnpm-tool': pnpm }),
    arguments: {
      VERSION: tag,
      REVISION: revision,
      CREATED: new Date(epoch * 1_000).toISOString().replace('.000Z', 'Z'),
      SOURCE_DATE_EPOCH: String(epoch),
      ...(options.source !== undefined && { SOURCE: options.source }),
      ...(options.base !== undefined && { NODE_IMAGE: options.base }),
      ...(options.builder !== undefined && { BUILDER_IMAGE: options.builder }),
    },
    secretFiles: options['mount-host-config'] ? hostConfig(process.env) : {},
  };
}

function recipeOf(target: string, plan: Plan): Recipe {
  return { ...plan, annotations: annotationsOf(target, plan.arguments, root) };
}

async function make(target: string, builder: Builder, plan: Plan, options: Options): Promise<string> {
  const image = `${options.repository}/${target}:${plan.tag}`;
  await step(`build ${image}`, () => builder.build(target, image, recipeOf(target, plan)));
  if (options.archive !== undefined) {
    mkdirSync(options.archive, { recursive: true });
    const file = join(resolve(options.archive), `${target}.tar`);
    await step(`write ${file}`, () => builder.save(image, file));
  }
  const { bytes, digest } = await builder.describe(image);
  return `${image}  ${(bytes / 1e6).toFixed(1)} MB  ${digest}`;
}

async function publishAll(builder: Builder, plan: Plan, options: Options): Promise<void> {
  const { repository, wanted, platforms } = options;
  const digests: Record<string, string> = {};
  for (const target of wanted) {
    const image = `${repository}/${target}:${plan.tag}`;
    const publish = (): Promise<string> => builder.publish(target, image, recipeOf(target, plan), platforms);
    const digest = await step(`build and push ${image} for ${platforms.join(', ')}`, publish);
    digests[target] = digest;
    const folder = options.sbom;
    const reference = `${repository}/${target}@${digest}`;
    if (folder !== undefined)
      await step(`list what ${target} contains`, () => writeSboms(folder, target, reference, platforms));
    process.stdout.write(`${image}  ${digest}\n`);
  }
  if (options.values !== undefined)
    writeFileSync(options.values, stringify({ image: { repository, tag: plan.tag, digests } }));
}
