/**
 * Builds images of the servers that this machine runs itself, for chart vds-devdeps if no registry is reachable:
 *   npm run dev-images -- [options]
 *   --base IMAGE              a local Debian image; docker.io's is pulled by default
 *   --repository R --tag T    names are R/dev-<server>:T; localhost/vds and the product's version by default
 *   --archive DIR             writes DIR/dev-<server>.tar as well
 *   --mount-host-config       lends the build this machine's settings of apt
 * The chart finds them by deploy/values/devdeps/local-images.yaml.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contextOf, devImages, type DevImage } from '@vds/testkit/programs/dev-images';
import { findBuilder, type Builder } from './images/builders.ts';
import { originOf } from './images/context.ts';
import { hostConfig } from './images/host-config.ts';
import { install } from '@vds/testkit/programs/install';
import { runMain, step } from '@vds/testkit/servers/progress';

const root = fileURLToPath(new URL('..', import.meta.url));
type Options = ReturnType<typeof readOptions>;

await runMain(main);

async function main(): Promise<void> {
  const options = readOptions();
  const builder = await findBuilder();
  const { version, epoch } = await originOf(root, process.env['SOURCE_DATE_EPOCH']);
  await install(['nats', 's3', 'opensearch']);
  for (const image of devImages(options.repository, options.tag ?? version))
    process.stdout.write(`${await make(image, builder, epoch, options)}\n`);
}

function readOptions() {
  return parseArgs({
    options: {
      base: { type: 'string' },
      repository: { type: 'string', default: 'localhost/vds' },
      tag: { type: 'string' },
      archive: { type: 'string' },
      'mount-host-config': { type: 'boolean', default: false },
    },
  }).values;
}

async function make(image: DevImage, builder: Builder, epoch: number, options: Options): Promise<string> {
  const { base, archive } = options;
  const context = contextOf(image);
  try {
    const buildArguments = { ...(base !== undefined && { BASE_IMAGE: base }) };
    const secretFiles = options['mount-host-config'] ? hostConfig(process.env) : {};
    const recipe = { context, epoch, arguments: buildArguments, secretFiles, annotations: {} };
    await step(`build ${image.name}`, () => builder.build(image.target, image.name, recipe));
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
  if (archive !== undefined) {
    mkdirSync(archive, { recursive: true });
    const file = join(resolve(archive), `dev-${image.target}.tar`);
    await step(`write ${file}`, () => builder.save(image.name, file));
  }
  const { bytes, digest } = await builder.describe(image.name);
  return `${image.name}  ${(bytes / 1e6).toFixed(1)} MB  ${digest}`;
}
