/** Generates a new stage and prints the remaining steps: `npm run new-service -- <name>`. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeService } from './new-service/write-service.ts';
import { run } from '@vds/testkit/servers/command';
import { runMain } from '@vds/testkit/servers/progress';

const root = fileURLToPath(new URL('..', import.meta.url));

await runMain(async () => {
  const [name = ''] = process.argv.slice(2);
  writeService(root, name);
  await run(process.execPath, [join(root, 'proto/generate.ts')]);
  process.stdout.write(`services/${name} is written, with its rows and messages: git status.

Next:
  npx -y pnpm@12.21.0 install    its packages, and its place in pnpm-lock.yaml
  npm run generate               every list of services, events, Secrets, paths, streams and settings
  npm test -- ${name}
  deploy/guide/adding-a-stage.md goes on from there
`);
});
