/**
 * Whether the images contain every file that their programs import: each must be in the image's list
 * (scripts/images/contents.ts), and .dockerignore must not exclude any.
 */
import { dirname, join, matchesGlob } from 'node:path/posix';
import type { Repository } from './architecture/repository.ts';
import { sourceOf } from './architecture/source.ts';
import { contents, isIn, type Tree } from '../images/contents.ts';

/** The folder that a package's exports point to. */
const packages: Readonly<Record<string, string>> = {
  chassis: 'services/_chassis/src',
  proto: 'proto',
  'deploy-tools': 'deploy/tools',
  scripts: 'scripts',
  testkit: 'services/_testkit',
  vdsctl: 'services/vdsctl/src',
};

/** Files that the build itself runs. */
const tools = ['scripts/images/assemble.ts', 'scripts/images/prove.ts'];

/** Files that a program of the images imports and that its image's list, or .dockerignore, excludes. */
export function missingFromImages(repository: Repository): string[] {
  const patterns = (repository.files.get('.dockerignore') ?? '').split('\n').filter((line) => /^[^#\s]/.test(line));
  const trees = Object.keys(contents) as Tree[];
  const needed = new Map(trees.map((tree) => [tree, neededBy(repository, contents[tree].programs)]));
  const all = new Set([...needed.values(), neededBy(repository, tools)].flatMap((paths) => [...paths]));
  return [
    ...[...all]
      .filter((path) => leftOut(path, patterns))
      .map((path) => `.dockerignore leaves out ${path}, which a program of the images imports`),
    ...[...needed].flatMap(([tree, paths]) =>
      [...paths]
        .filter((path) => !isIn(tree, path))
        .map((path) => `scripts/images/contents.ts leaves ${path} out of ${tree}, which a program of it imports`),
    ),
    ...[...needed].flatMap(([tree, paths]) => missingPackages(repository, tree, paths)),
  ];
}

/** Packages that a file imports at run time and that the image's list does not name for the file's own package. */
function missingPackages(repository: Repository, tree: Tree, paths: ReadonlySet<string>): string[] {
  const missing = [...paths].flatMap((path) => {
    const importer = packageOf(repository, path);
    const text = repository.files.get(path);
    if (importer === undefined || text === undefined || !path.endsWith('.ts')) return [];
    const named = packagesNamed(repository, tree, importer);
    return sourceOf(path, text)
      .imports.filter(({ from, typeOnly }) => !typeOnly && !/^(?:[.#]|node:)/.test(from))
      .map(({ from }) => from.split('/', from.startsWith('@') ? 2 : 1).join('/'))
      .filter((name) => !named.includes(name))
      .map((name) => `scripts/images/contents.ts leaves the package ${name} of ${importer} out of ${tree}`);
  });
  return [...new Set(missing)];
}

/** The folder of the package that a file belongs to. */
function packageOf(repository: Repository, path: string): string | undefined {
  const folders = path.split('/').map((_part, depth, parts) => parts.slice(0, depth).join('/'));
  return folders.findLast((folder) => folder !== '' && repository.files.has(`${folder}/package.json`));
}

function packagesNamed(repository: Repository, tree: Tree, importer: string): readonly string[] {
  const manifest = JSON.parse(repository.files.get(`${importer}/package.json`) ?? '{}') as { dependencies?: object };
  return Object.entries(contents[tree].importers)
    .filter(([pattern]) => matchesGlob(importer, pattern))
    .flatMap(([, names]) => (names === 'dependencies' ? Object.keys(manifest.dependencies ?? {}) : names));
}

function neededBy(repository: Repository, patterns: readonly string[]): Set<string> {
  return startsOf(repository, patterns).reduce((seen, path) => follow(repository, path, seen), new Set<string>());
}

function startsOf(repository: Repository, patterns: readonly string[]): string[] {
  return [...repository.files.keys()].filter((path) => patterns.some((pattern) => matchesGlob(path, pattern)));
}

/** Adds `path` and all its value imports, static or dynamic, to `seen`. */
function follow(repository: Repository, path: string, seen: Set<string>): Set<string> {
  const text = repository.files.get(path);
  if (text === undefined || seen.has(path)) return seen;
  seen.add(path);
  if (!path.endsWith('.ts')) return seen;
  for (const { from, typeOnly } of sourceOf(path, text).imports) {
    const next = typeOnly ? undefined : fileOf(repository, from, path);
    if (next !== undefined) follow(repository, next, seen);
  }
  return seen;
}

/** The repository's file that an import resolves to; undefined for packages and generated code. */
function fileOf(repository: Repository, from: string, by: string): string | undefined {
  if (from.startsWith('.')) return join(dirname(by), from);
  const [, name = '', path = 'index'] = /^@vds\/([^/]+)(?:\/(.+))?$/.exec(from) ?? [];
  const folder = packages[name];
  if (folder === undefined) return undefined;
  return [`${folder}/${path}`, `${folder}/${path}.ts`].find((file) => repository.files.has(file));
}

/** Whether the last pattern that matches the path or a folder above it excludes it. */
function leftOut(path: string, patterns: readonly string[]): boolean {
  const parts = path.split('/');
  const above = parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
  const last = patterns.findLast((pattern) => above.some((one) => matchesGlob(one, pattern.replace(/^!/, ''))));
  return last !== undefined && !last.startsWith('!');
}
