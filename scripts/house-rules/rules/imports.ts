/** Who may import whom: services know only the chassis and the contracts, the domain knows neither world. */
import { dirname, join } from 'node:path/posix';
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

/** What the tests and benches of every service may use. */
const testkit = /^@vds\/(testkit|deploy-tools)\//;

export const ownRoom: Rule = {
  name: 'no service and no chassis imports from another room',
  breaches: (repository) =>
    filesThat(repository, /^services\/.*\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text)
        .imports.filter(({ from }) => reachesOut(path, roomOf(path) ?? '', from))
        .map(({ from, line }) => `${path}:${line} imports ${from}, outside of its room`),
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

/** Where the environment may be read: composition roots, and the chassis's reader that they call. */
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

/** `./x` inside domain/, the errors of the chassis, types of the contracts; nothing else. */
function pure(path: string, from: string, typeOnly: boolean): boolean {
  if (relative(from)) return /^services\/[^/]+\/src\/domain\//.test(join(dirname(path), from));
  if (/^@vds\/proto(\/|$)/.test(from)) return typeOnly;
  return from === '@vds/chassis/errors' || from === 'node:zlib';
}

function relative(from: string): boolean {
  return from.startsWith('.');
}

/** The folder of `services/` to which a path belongs. */
function roomOf(path: string): string | undefined {
  return /^services\/([^/]+)\//.exec(path)?.[1];
}

/** Whether a file in `room` imports `from` and may not; both sides of the house may use the contracts and the chassis. */
function reachesOut(path: string, room: string, from: string): boolean {
  if (relative(from)) return roomOf(join(dirname(path), from)) !== room;
  const house = /^@vds\/([^/]+)/.exec(from)?.[1];
  if (/^services\/[^/]+\/(test|bench)\//.test(path) && testkit.test(from)) return false;
  return house !== undefined && house !== 'proto' && house !== 'chassis' && house !== room;
}
