/** Packages import each other only through their exports, and only downwards. */
import { dirname, join } from 'node:path/posix';
import { filesThat, type Repository, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

/** @vds/client is published: it compiles the contract's types into itself and depends on no other package. */
const compiledIn = { package: 'services/_client', file: 'proto/generated/openapi.ts' };

export const ownPackage: Rule = {
  name: 'no relative import leaves its package: what others may use is in the exports of its package.json',
  breaches: (repository) => {
    const packageOf = packageFinder(repository);
    const leaves = (own: string, file: string): boolean =>
      packageOf(file) !== own && !(own === compiledIn.package && file === compiledIn.file);
    return filesThat(repository, /\.m?ts$/).flatMap(([path, text]) =>
      sourceOf(path, text)
        .imports.filter(({ from }) => from.startsWith('.') && leaves(packageOf(path), join(dirname(path), from)))
        .map(({ from, line }) => `${path}:${line} imports ${from}, a file of another package`),
    );
  },
};

/** Finds the package of a path: the nearest folder above it with a package.json. */
function packageFinder({ files }: Repository): (path: string) => string {
  const folders = new Set([...files.keys()].filter((path) => /(^|\/)package\.json$/.test(path)).map(dirname));
  return (path) => {
    let folder = dirname(path);
    while (folder !== '.' && folder !== '..' && !folders.has(folder)) folder = dirname(folder);
    return folder;
  };
}

/** The floors of the house from the ground up: shipped code imports packages of lower floors alone. */
const floors: readonly RegExp[] = [
  /^proto$/,
  /^services\/_chassis$/,
  /^(deploy\/tools|services\/(_client|_player|_player-analytics|(?!_)[^/]+))$/,
  /^services\/_testkit$/,
  /^scripts$/,
  /^test-e2e$/,
];
const tests = /(^|\/)(test|testing)\/|\.test\.ts$/;
/** Tests of a package import the test kit, too, and what it stands on. */
const FLOOR_OF_TESTKIT = 3;

export const packageFloors: Rule = {
  name: 'packages import only packages below them: proto, chassis, services and tools, test kit, scripts, test-e2e',
  breaches: (repository) => {
    const folderOf = packageFolders(repository);
    const ownFolderOf = packageFinder(repository);
    return filesThat(repository, /\.m?ts$/).flatMap(([path, text]) => {
      const own = ownFolderOf(path);
      const isTest = tests.test(path);
      return sourceOf(path, text).imports.flatMap(({ from, line }) => {
        const other = folderOf.get(nameIn(from));
        if (other === undefined || other === own || isBelow(other, own)) return [];
        return isTest && floorOf(other) <= FLOOR_OF_TESTKIT && !isService(other)
          ? []
          : [`${path}:${line} imports ${from}: ${other} is not below ${own}`];
      });
    });
  },
};

function floorOf(folder: string): number {
  return floors.findIndex((floor) => floor.test(folder));
}

function isBelow(other: string, own: string): boolean {
  return floorOf(other) >= 0 && floorOf(other) < floorOf(own);
}

function isService(folder: string): boolean {
  return /^services\/[^_]/.test(folder);
}

/** Pairs of packages of which the first imports the second, tests left out. */
export function packageArrows(repository: Repository): number {
  const folderOf = packageFolders(repository);
  const ownFolderOf = packageFinder(repository);
  const arrows = filesThat(repository, /\.m?ts$/)
    .filter(([path]) => !tests.test(path))
    .flatMap(([path, text]) =>
      sourceOf(path, text).imports.map(({ from }) => [ownFolderOf(path), folderOf.get(nameIn(from))]),
    )
    .filter(([own, other]) => other !== undefined && other !== own);
  return new Set(arrows.map((arrow) => arrow.join(' '))).size;
}

function nameIn(from: string): string {
  return /^@[^/]+\/[^/]+/.exec(from)?.[0] ?? '';
}

/** Name of each package of the workspace → its folder. */
function packageFolders({ files }: Repository): Map<string, string> {
  const manifests = [...files].filter(([path]) => path.endsWith('/package.json'));
  return new Map(manifests.map(([path, text]) => [(JSON.parse(text) as { name: string }).name, dirname(path)]));
}
