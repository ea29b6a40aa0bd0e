/** The tests' own kind cluster, with the images loaded. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './command.ts';
import { phase, inputsOf } from './phases.ts';

const name = 'vds-e2e';

/** Creates the cluster if it does not exist and loads every image archive; KUBECONFIG gets its context. */
export async function prepareKind(): Promise<void> {
  await phase('kind', inputsOf(name), clusterIsThere, async () => {
    await command('kind', ['create', 'cluster', '--name', name, '--config', 'deploy/kind.yaml', '--wait', '180s']);
  });
  await phase('images', inputsOf(...archives()), clusterIsThere, async () => {
    for (const archive of archives()) await command('kind', ['load', 'image-archive', archive, '--name', name]);
  });
}

async function clusterIsThere(): Promise<boolean> {
  return (await command('kind', ['get', 'clusters'])).split('\n').includes(name);
}

/** Archives that `npm run images -- --archive <folder>` has written. */
function archives(): string[] {
  const folder = process.env['VDS_IMAGE_ARCHIVES'];
  if (folder === undefined)
    throw new Error('Set VDS_IMAGE_ARCHIVES to the folder that `npm run images -- --archive <folder>` has written.');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.tar'))
    .map((file) => join(folder, file));
}
