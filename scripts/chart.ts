/**
 * Makes the charts of a release, vds and vds-devdeps: `npm run chart -- --images FILE [options]`.
 *   --images FILE   values with the images, as `npm run images -- --push --values FILE` wrote them
 *   --source URL    the source's address: home and sources of the charts
 *   --out DIR       writes DIR/<chart>-<version>.tgz; the current folder by default
 *   --push oci://R  pushes them to R/<chart> as well; `helm registry login` comes before
 * Their values name the images of the product by their digests, so that a chart alone says what is installed. Prints the
 * files, and of a pushed chart its name and digest.
 */
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse, parseDocument } from 'yaml';
import { chartTools } from './check/charts/tools.ts';
import { capture } from './images/run-program.ts';
import { temporaryFolder } from './images/temporary-folder.ts';
import {
  asExample,
  releaseNotes,
  withImages,
  withMigrate,
  withRelease,
  type Images,
} from './release/chart-of-release.ts';
import { runMain } from '@vds/testkit/servers/progress';

type Change = (document: ReturnType<typeof parseDocument>) => void;
type Chart = {
  readonly name: string;
  readonly values: Change;
  readonly examples: string;
  readonly runs?: readonly string[];
};

const root = fileURLToPath(new URL('..', import.meta.url));

await runMain(main);

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      images: { type: 'string' },
      source: { type: 'string' },
      out: { type: 'string', default: '.' },
      push: { type: 'string' },
    },
  });
  if (options.images === undefined) throw new Error('--images is missing: the file that npm run images --values wrote');
  const { image } = parse(readFileSync(options.images, 'utf8')) as { image: Images };
  const helm = await chartTools().path('helm');
  mkdirSync(options.out, { recursive: true });
  for (const chart of chartsOf(image)) {
    await capture(helm, ['package', stage(chart, image, options.source), '--destination', options.out]);
    const file = join(resolve(options.out), `${chart.name}-${image.tag}.tgz`);
    process.stdout.write(`${file}\n`);
    if (options.push === undefined) continue;
    const digest = await push(helm, file, options.push);
    process.stdout.write(`${options.push}/${chart.name}:${image.tag}  ${digest}\n`);
  }
}

function chartsOf(image: Images): Chart[] {
  return [
    { name: 'vds', values: (values) => withImages(values, image), examples: 'deploy/values/*.yaml' },
    // Without the example for images that a checkout builds.
    {
      name: 'vds-devdeps',
      values: (values) => withMigrate(values, image),
      examples: 'deploy/values/devdeps/kind.yaml',
      runs: ['migrate'],
    },
  ];
}

/** A copy of the chart with what only a release knows. */
function stage({ name, values, examples, runs }: Chart, image: Images, source: string | undefined): string {
  const folder = join(temporaryFolder('vds-chart-'), name);
  cpSync(join(root, 'charts', name), folder, { recursive: true });
  for (const file of ['LICENSE', 'NOTICE']) copyFileSync(join(root, file), join(folder, file));
  const notes = releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), image.tag);
  const change = (file: string, by: Change): void => {
    const path = join(folder, file);
    const document = parseDocument(readFileSync(path, 'utf8'));
    by(document);
    writeFileSync(path, document.toString({ lineWidth: 0 }));
  };
  change('values.yaml', values);
  change('Chart.yaml', (chart) => withRelease(chart, { image, ...(runs && { runs }), source, notes }));
  mkdirSync(join(folder, 'examples'));
  for (const file of globSync(join(root, examples)))
    writeFileSync(join(folder, 'examples', basename(file)), asExample(readFileSync(file, 'utf8')));
  return folder;
}

/** @returns the digest by which a registry gives the pushed chart */
async function push(helm: string, file: string, to: string): Promise<string> {
  // Where helm says it depends on its version.
  const said = await capture('sh', ['-c', '"$0" push "$@" 2>&1', helm, file, to]);
  const digest = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(said)?.[1];
  if (digest === undefined) throw new Error(`helm push reports no digest: ${said}`);
  return digest;
}
