/** Generates a new stage and prints the remaining steps: `npm run new-service -- <name>`. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeService, type Written } from './new-service/write-service.ts';
import { run } from '@vds/testkit/servers/command';
import { runMain } from '@vds/testkit/servers/progress';

const root = fileURLToPath(new URL('..', import.meta.url));

await runMain(async () => {
  const [name = ''] = process.argv.slice(2);
  const written = writeService(root, name);
  await run(process.execPath, [join(root, 'proto/generate.ts')]);
  printWritten(name, written);
});

function printWritten(name: string, { files, changed, undone }: Written): void {
  print(`New:\n  ${files.join('\n  ')}\n`);
  print(`Added to:\n  ${changed.join('\n  ')}\n`);
  for (const { path, place, text } of undone) print(`Insert by hand into ${path}, ${place}:\n\n${text}`);
  const next = [
    ['npx -y pnpm@12.21.0 install', 'its packages, and its place in pnpm-lock.yaml'],
    [
      'npm run generate',
      'every list of services, events, Secrets, paths, streams and settings in documents and alerts',
    ],
    [`services/${name}/src/domain/`, 'what it computes, in place of counting renditions'],
    ['services/catalog/src/domain/stages.ts', 'what it needs, whether it is awaited, its share of the progress'],
    ['charts/vds/values.yaml', '`image: media` where it starts ffmpeg, tesseract or Python; scratch, resources'],
    ['npm run check && npm test', 'deploy/guide/adding-a-stage.md goes on'],
  ] as const;
  const width = Math.max(...next.map(([what]) => what.length)) + 3;
  print(`Next:\n${next.map(([what, why]) => `  ${what.padEnd(width)}${why}\n`).join('')}`);
}

function print(text: string): boolean {
  return process.stdout.write(`${text}\n`);
}
