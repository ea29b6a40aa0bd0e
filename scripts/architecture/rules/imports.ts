/** Permitted imports: services import only the chassis and the contracts, the domain imports no technology. */
import { dirname, join } from 'node:path/posix';
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

/** What the tests and benches of every service may import. */
const testkit = /^@vds\/(testkit|deploy-tools)\//;

export const ownService: Rule = {
  name: 'services and the chassis import no package of ours but the chassis and the contracts',
  breaches: (repository) =>
    filesThat(repository, /^services\/.*\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text)
        .imports.filter(({ from }) => reachesOut(path, from))
        .map(({ from, line }) => `${path}:${line} imports ${from}, which is not the chassis or a contract`),
    ),
};

export const pureDomain: Rule = {
  name: 'domain/ imports only itself, @vds/chassis/errors, node:zlib and types of @vds/proto',
  breaches: (repository) =>
    filesThat(repository, /^services\/[^/]+\/src\/domain\/.*\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text)
        .imports.filter(({ from, typeOnly }) => !pure(path, from, typeOnly))
        .map(({ from, line }) => `${path}:${line} imports ${from}: domain/ is pure`),
    ),
};

/** Files that may read the environment: composition roots, and the chassis's reader that they call. */
const readsEnvironment = /^services\/([^/]+\/src\/main\.ts|_chassis\/src\/config\/config\.ts)$/;

export const environment: Rule = {
  name: 'only main.ts and the configuration reader of the chassis read the environment',
  breaches: (repository) =>
    filesThat(repository, /^services\/[^/]+\/src\/.*\.ts$/)
      .filter(([path]) => !readsEnvironment.test(path))
      .flatMap(([path, text]) => {
        const { members, imports } = sourceOf(path, text);
        return [
          ...members.filter((member) => member.text === 'process.env'),
          ...imports.filter(({ from }) => from === 'node:process'),
        ].map(({ line }) => `${path}:${line} reads the environment; name the variable in config.ts instead`);
      }),
};

/** `./x` inside domain/, the chassis's errors, types of the contracts; nothing else. */
function pure(path: string, from: string, typeOnly: boolean): boolean {
  if (relative(from)) return /^services\/[^/]+\/src\/domain\//.test(join(dirname(path), from));
  if (/^@vds\/proto(\/|$)/.test(from)) return typeOnly;
  return from === '@vds/chassis/errors' || from === 'node:zlib';
}

function relative(from: string): boolean {
  return from.startsWith('.');
}

/** Whether a service's file imports a package of this repository that it may not. */
function reachesOut(path: string, from: string): boolean {
  const [, service] = /^services\/([^/]+)\//.exec(path) ?? [];
  const [, imported] = /^@vds\/([^/]+)/.exec(from) ?? [];
  if (/^services\/[^/]+\/(test|bench)\//.test(path) && testkit.test(from)) return false;
  return imported !== undefined && imported !== 'proto' && imported !== 'chassis' && imported !== service;
}
