/**
 * Assembles an image's files from a checkout with all packages installed:
 *   node scripts/images/assemble.ts app|migrate <folder> [amd64|arm64]
 * for this machine's processor unless one is named. The folder then has `app/` and, for app, the operator's command. Only
 * reachable files are copied: packages by their importers (contents.ts), and of each package what Node may load
 * (package-files.ts). pnpm's own metadata is not copied: it contains times and registry addresses.
 */
import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, readdirSync } from 'node:fs';
import { readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contents, isIn } from './contents.ts';
import { isNeeded } from './package-files.ts';
import { reachable, type Found } from './reachable.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function copy(path: string, to: string): void {
  const target = join(to, path);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(root, path), target);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function copyPackages({ packages, links }: Found, to: string): void {
  for (const [folder, name] of packages) {
    for (const path of filesIn(folder).filter((file) => isNeeded(name, file)))
      copy(relative(root, join(folder, path)), to);
  }
  for (const link of links) {
    const target = join(to, relative(root, link));
    if (existsSync(target)) continue; // the folder of the package itself
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(readlinkSync(link), target);
  }
}

/** The operator's command, which works without a shell or `env`: `vdsctl` in a container runs this file. */
function writeCommand(out: string): void {
  const folder = join(out, 'usr/local/bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'vdsctl'), `#!/usr/local/bin/node\nimport '/app/services/vdsctl/src/main.ts';\n`);
  chmodSync(join(folder, 'vdsctl'), 0o755);
}

const [tree, out, architecture = ''] = process.argv.slice(2);
if ((tree !== 'app' && tree !== 'migrate') || out === undefined) {
  process.stderr.write('usage: node scripts/images/assemble.ts app|migrate <folder> [amd64|arm64]\n');
  process.exit(2);
}
const own = globSync(
  contents[tree].files.flatMap((pattern) => pattern),
  { cwd: root, withFileTypes: true },
)
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((path) => !path.includes('node_modules/') && isIn(tree, path));
for (const path of own) copy(path, join(out, 'app'));
const cpu = architecture === 'amd64' ? 'x64' : architecture || process.arch;
const found = reachable(root, tree, cpu);
copyPackages(found, join(out, 'app'));
if (tree === 'app') writeCommand(out);
process.stdout.write(`${tree}: ${own.length} files of the repository, ${found.packages.size} packages for ${cpu}\n`);
