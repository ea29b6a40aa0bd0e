/** One version of each dependency, kept in the catalog of pnpm-workspace.yaml. */
import { parse } from 'yaml';
import { filesThat, type Repository, type Rule } from '../repository.ts';

type Manifest = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
type Workspace = { catalog?: Record<string, string>; catalogs?: unknown };

const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/**
 * Versions pinned outside of the catalog: openapi-typescript needs TypeScript 5's compiler API, the repository uses 7.
 */
const exceptions = new Set(['proto/package.json typescript 5.9.3']);

function wanted(repository: Repository): { path: string; name: string; version: string }[] {
  return filesThat(repository, /(^|\/)package\.json$/).flatMap(([path, text]) => {
    const manifest = JSON.parse(text) as Manifest;
    return sections.flatMap((section) =>
      Object.entries(manifest[section] ?? {}).map(([name, version]) => ({ path, name, version })),
    );
  });
}

export const dependencies: Rule = {
  name: 'every dependency comes from the catalog, in one exact version, and every entry of the catalog is used',
  breaches: (repository) => {
    const workspace = parse(repository.files.get('pnpm-workspace.yaml') ?? '{}') as Workspace;
    const catalog = workspace.catalog ?? {};
    const requested = wanted(repository);
    const outside = requested.filter(({ path, name, version }) => {
      if (exceptions.has(`${path} ${name} ${version}`)) return false;
      return name.startsWith('@vds/')
        ? version !== 'workspace:*'
        : version !== 'catalog:' || catalog[name] === undefined;
    });
    return [
      ...(workspace.catalogs === undefined ? [] : ['pnpm-workspace.yaml has a second catalog']),
      ...outside.map(({ path, name, version }) => `${path} asks for ${name} ${version}, not for the catalog's`),
      ...Object.entries(catalog).flatMap(([name, version]) => [
        ...(exact.test(version) ? [] : [`pnpm-workspace.yaml pins ${name} to ${version}, which is no exact version`]),
        ...(requested.some((one) => one.name === name) ? [] : [`pnpm-workspace.yaml lists ${name}, which nobody uses`]),
      ]),
    ];
  },
};
