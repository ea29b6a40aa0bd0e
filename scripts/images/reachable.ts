/** The packages that an image contains: those that its importers reach in a checkout with all packages installed. */
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { contents, type Tree } from './contents.ts';

/** A package's package.json, as far as it matters here. */
export type Manifest = {
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly name?: string;
};
/** Packages: folder → name; links to them. */
export type Found = { readonly packages: Map<string, string>; readonly links: Set<string> };

export function manifestOf(folder: string): Manifest {
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
function follow(link: string, cpu: string, found: Found): void {
  if (!existsSync(link)) return; // an optional package of another system
  const folder = realpathSync(link);
  const isPackage = folder.includes('/node_modules/.pnpm/');
  const manifest = isPackage ? manifestOf(folder) : {};
  if (manifest.cpu?.includes(cpu) === false) return;
  found.links.add(link);
  if (!isPackage || found.packages.has(folder)) return;
  const name = manifest.name ?? '';
  found.packages.set(folder, name);
  const beside = folder.slice(0, folder.length - name.length - 1);
  for (const need of needsOf(manifest)) follow(join(beside, need), cpu, found);
}

/**
 * The packages of a tree of the images, by its importers, and what they need at run time.
 * @param cpu of the machine that will run it, in the words of `process.arch`: packages for others are left out
 */
export function reachable(root: string, tree: Tree, cpu: string): Found {
  const found: Found = { packages: new Map(), links: new Set() };
  for (const [pattern, names] of Object.entries(contents[tree].importers)) {
    for (const importer of globSync(pattern, { cwd: root })) {
      const folder = join(root, importer);
      if (!existsSync(join(folder, 'package.json'))) continue;
      const wanted = names === 'dependencies' ? Object.keys(manifestOf(folder).dependencies ?? {}) : names;
      for (const name of wanted) follow(join(folder, 'node_modules', name), cpu, found);
    }
  }
  return found;
}
