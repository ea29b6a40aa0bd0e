/** The domain imports no technology. (What else services import is the linter's: see .oxlintrc.json.) */
import { dirname, join } from 'node:path/posix';
import { filesThat, type Rule } from '../repository.ts';
import { sourceOf } from '../source.ts';

export const pureDomain: Rule = {
  name: 'domain/ imports only itself, @vds/chassis/errors, node:util, node:zlib and types of @vds/proto',
  breaches: (repository) =>
    filesThat(repository, /^services\/[^/]+\/src\/domain\/.*\.ts$/).flatMap(([path, text]) =>
      sourceOf(path, text)
        .imports.filter(({ from, typeOnly }) => !pure(path, from, typeOnly))
        .map(({ from, line }) => `${path}:${line} imports ${from}: domain/ is pure`),
    ),
};

/** `./x` inside domain/, the chassis's errors, types of the contracts; nothing else. */
function pure(path: string, from: string, typeOnly: boolean): boolean {
  if (from.startsWith('.')) return /^services\/[^/]+\/src\/domain\//.test(join(dirname(path), from));
  if (/^@vds\/proto(\/|$)/.test(from)) return typeOnly;
  return ['@vds/chassis/errors', 'node:util', 'node:zlib'].includes(from);
}
