/**
 * Assembles an image's files from a checkout with all packages installed:
 *   node scripts/images/assemble.ts app|migrate <folder>
 * The folder then has `app/` and, for app, the operator's command. Only reachable files are copied: packages by their
 * importers (contents.ts), and of each package what Node may load (package-files.ts). pnpm's own metadata is not
 * copied: it contains times and registry addresses.
 */
import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { readlinkSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contents, isIn, type Tree } from './contents.ts';
import { isNeeded } from './package-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly name?: string;
};
type Found = { readonly packages: Map<string, string>; readonly links: Set<string> };

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** A package's runtime dependencies; optional peers are not required. */
function needsOf(manifest: Manifest): string[] {
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
    (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }), ...peers];
}

/** Resolves a link in a node_modules folder to its package, and to that package's own links. */
function follow(link: string, found: Found): void {
  if (!existsSync(link)) return; // an optional package of another platform
  found.links.add(link);
  const folder = realpathSync(link);
  if (!folder.includes('/node_modules/.pnpm/') || found.packages.has(folder)) return;
  const manifest = manifestOf(folder);
  const name = manifest.name ?? '';
  found.packages.set(folder, name);
  const beside = folder.slice(0, folder.length - name.length - 1);
  for (const need of needsOf(manifest)) follow(join(beside, need), found);
}

function reachable(tree: Tree): Found {
  const found: Found = { packages: new Map(), links: new Set() };
  for (const [pattern, names] of Object.entries(contents[tree].importers)) {
    for (const importer of globSync(pattern, { cwd: root })) {
      const folder = join(root, importer);
      if (!existsSync(join(folder, 'package.json'))) continue;
      const wanted = names === 'dependencies' ? Object.keys(manifestOf(folder).dependencies ?? {}) : names;
      for (const name of wanted) follow(join(folder, 'node_modules', name), found);
    }
  }
  return found;
}

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

const [tree, out] = process.argv.slice(2);
if ((tree !== 'app' && tree !== 'migrate') || out === undefined) {
  process.stderr.write('usage: node scripts/images/assemble.ts app|migrate <folder>\n');
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
const found = reachable(tree);
copyPackages(found, join(out, 'app'));
if (tree === 'app') writeCommand(out);
process.stdout.write(`${tree}: ${own.length} files of the repository, ${found.packages.size} packages\n`);
