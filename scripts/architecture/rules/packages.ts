/** Packages import each other only through their exports. */
import { dirname, join } from 'node:path/posix';
import { filesThat, type Repository, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

/** @vds/client is published: it compiles the contract's types into itself and depends on no other package. */
const compiledIn = { package: 'proto/client', file: 'proto/generated/openapi.ts' };

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

/** Which packages a folder must not import: the test kit carries the tests, and nothing that ships carries tests. */
const floors: readonly (readonly [folder: RegExp, forbidden: RegExp, why: string])[] = [
  [/^test-e2e\/testkit\//, /^@vds\/(charts|scripts|vdsctl)\//, 'the test kit is below charts, scripts and tests'],
  [
    /^(services\/[^/]+\/src|proto|deploy\/tools)\/(?!test\/|.*\/test\/)/,
    /^@vds\/testkit\//,
    'the test kit is for tests',
  ],
];

export const packageFloors: Rule = {
  name: 'the test kit imports no chart and no script, and nothing that ships imports it',
  breaches: (repository) =>
    filesThat(repository, /\.ts$/).flatMap(([path, text]) => {
      const rules = floors.filter(([folder]) => folder.test(path));
      if (rules.length === 0) return [];
      return sourceOf(path, text).imports.flatMap(({ from, line }) =>
        rules
          .filter(([, forbidden]) => forbidden.test(from))
          .map(([, , why]) => `${path}:${line} imports ${from}: ${why}`),
      );
    }),
};
