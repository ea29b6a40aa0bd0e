/** Adds a new service to a tree: its folders, its contracts, and its rows in the tables. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractEdits, contractFiles } from './contract-edits.ts';
import { catalogEdits, deploymentEdits } from './table-edits.ts';
import { insertAll, type Undone } from './insert.ts';
import { fill, serviceFiles } from './service-files.ts';

export type Written = {
  /** Paths of new files. */
  readonly files: readonly string[];
  /** Paths of extended files. */
  readonly changed: readonly string[];
  /** Edits to make by hand: their place was not found. */
  readonly undone: readonly Undone[];
};

const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Writes a service's files and registers it in the tables.
 * @param root folder that has `services/`
 * @throws Error if the name is invalid or taken; nothing was written then
 */
export function writeService(root: string, name: string): Written {
  if (!/^[a-z][a-z0-9]{1,19}$/.test(name))
    throw new Error(`'${name}' cannot be the name of a service: 2 to 20 small letters and digits, a letter first`);
  for (const folder of [`services/${name}`, `proto/vds/${name}`])
    if (existsSync(join(root, folder))) throw new Error(`${folder} already exists`);
  const contracts = Object.entries(contractFiles).map(([path, text]) => [fill(path, name), fill(text, name)] as const);
  const files = [...Object.entries(serviceFiles(name)), ...contracts];
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { flag: 'wx' });
  }
  const edited = insertAll(root, [...contractEdits, ...catalogEdits, ...deploymentEdits], name);
  const paths = files.map(([path]) => path);
  format(root, [...paths, ...edited.changed]);
  return { files: paths, ...edited };
}

/** Line lengths depend on the service's name, so the formatter runs. */
function format(root: string, paths: readonly string[]): void {
  const sources = paths.filter((path) => /\.(ts|json|yaml)$/.test(path));
  const command = join(repository, 'node_modules/.bin/oxfmt');
  execFileSync(command, ['-c', join(repository, '.oxfmtrc.json'), ...sources], { cwd: root, stdio: 'pipe' });
}
