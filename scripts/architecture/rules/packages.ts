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
