/**
 * Builds images of the servers that this machine runs itself, for chart vds-devdeps where no registry can be reached:
 *   npm run dev-images -- [--base <image>] [--tag 1.0.0] [--archives <folder>]
 * `--base` is a Debian that is here already; without it docker.io's is pulled. `--archives` saves each image as a file
 * for `kind load image-archive` and its like, and prints the paths. The chart finds them by
 * deploy/values/devdeps/local-images.yaml.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '@vds/shared/errors';
import { archiveImage, buildImage, devImages, findBuilder } from './cluster/dev-images.ts';
import { say, step } from './servers/progress.ts';
import { install } from './servers/install.ts';

const dockerfile = fileURLToPath(new URL('../deploy/devdeps/Dockerfile', import.meta.url));

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      repository: { type: 'string', default: 'localhost/vds' },
      tag: { type: 'string', default: '1.0.0' },
      archives: { type: 'string' },
    },
  });
  const builder = await findBuilder();
  await install(['nats', 's3', 'opensearch']);
  for (const image of devImages(values.repository, values.tag)) {
    await step(`${image.name} (${builder.kind})`, () => buildImage(builder, image, { dockerfile, base: values.base }));
    const { archives } = values;
    if (archives !== undefined) process.stdout.write(`${await archiveImage(builder, image, archives)}\n`);
  }
};

try {
  await main();
} catch (error) {
  say(messageOf(error));
  process.exitCode = 1;
}
