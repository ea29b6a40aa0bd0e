/**
 * Makes the chart of a release: `npm run chart -- --images FILE [options]`.
 *   --images FILE   values with the images, as `npm run images -- --push --values FILE` wrote them
 *   --source URL    the source's address: home and sources of the chart
 *   --out DIR       writes DIR/vds-<version>.tgz; the current folder by default
 *   --push oci://R  pushes it to R/vds as well; `helm registry login` comes before
 * Its values name the images by their digests, so that the chart alone says what is installed. Prints the file, and of a
 * pushed chart its name and digest.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse, parseDocument } from 'yaml';
import { chartTools } from './check/charts/tools.ts';
import { capture } from './images/run-program.ts';
import { temporaryFolder } from './images/temporary-folder.ts';
import { releaseNotes, withImages, withRelease, type Images } from './release/chart-of-release.ts';
import { runMain } from '@vds/testkit/servers/progress';

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
  const chart = stage(image, options.source);
  const helm = await chartTools().path('helm');
  mkdirSync(options.out, { recursive: true });
  await capture(helm, ['package', chart, '--destination', options.out]);
  const file = join(resolve(options.out), `vds-${image.tag}.tgz`);
  process.stdout.write(`${file}\n`);
  if (options.push === undefined) return;
  const said = await pushed(helm, [file, options.push]);
  const digest = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(said)?.[1];
  if (digest === undefined) throw new Error(`helm push reports no digest: ${said}`);
  process.stdout.write(`${options.push}/vds:${image.tag}  ${digest}\n`);
}

/** A copy of the chart with what only a release knows. */
function stage(image: Images, source: string | undefined): string {
  const folder = join(temporaryFolder('vds-chart-'), 'vds');
  cpSync(join(root, 'charts/vds'), folder, { recursive: true });
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(folder, name));
  cpSync(join(root, 'deploy/values'), join(folder, 'examples'), { recursive: true });
  const notes = releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), image.tag);
  const change = (name: string, by: (document: ReturnType<typeof parseDocument>) => void): void => {
    const path = join(folder, name);
    const document = parseDocument(readFileSync(path, 'utf8'));
    by(document);
    writeFileSync(path, document.toString({ lineWidth: 0 }));
  };
  change('values.yaml', (values) => withImages(values, image));
  change('Chart.yaml', (chart) => withRelease(chart, { image, source, notes }));
  return folder;
}

/** What helm says of a push: where it goes depends on its version. */
function pushed(helm: string, words: readonly string[]): Promise<string> {
  return capture('sh', ['-c', '"$0" push "$@" 2>&1', helm, ...words]);
}
